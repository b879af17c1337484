// SPDX-License-Identifier: GPL-2.0-or-later
//
// The shared candidate: one for all sessions, as in Junos. It lives as long as the daemon, in
// memory only: a restart of configd starts again from the running configuration, a session that
// ends leaves its edits to the others.
//
// Thread-safe. Edits are serialised and each is all or nothing; readers take a snapshot, which
// costs a pointer.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "tree/editor.h"

namespace millrace::server {

class Candidate {
 public:
  explicit Candidate(tree::ConfigTree running);

  tree::ConfigTree snapshot() const;
  // Runs `change` on the candidate; when it fails the candidate is what it was before.
  base::Result<void> edit(const std::function<base::Result<void>(tree::Editor&)>& change);
  void reset(tree::ConfigTree tree);
  // Seconds since the epoch of the last edit; 0 when there was none.
  std::int64_t last_changed() const;

 private:
  mutable std::mutex mutex_;
  tree::Editor editor_;
  std::int64_t last_changed_ = 0;
};

}  // namespace millrace::server
