// SPDX-License-Identifier: GPL-2.0-or-later
//
// The shared candidate: one for all sessions, as in Junos. It lives as long as the daemon, in
// memory only: a restart of configd starts again from the running configuration, a session that
// ends leaves its edits to the others.
//
// It is a change of a committed configuration. When that moves without the candidate (a private
// commit, a trial that ran out), follow() puts the change on top of what is in force now, so that
// a later commit does not take back what others committed.
//
// Thread-safe. Edits are serialised and each is all or nothing; readers take a snapshot, which
// costs a pointer and does not wait for an edit.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>

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

  // `running` is in force. Where both changed one statement, the candidate stays as it is.
  void follow(const tree::ConfigTree& running);
  // A commit of `tree`, a snapshot of this candidate, begins; it ended with `running` in force.
  void committing(const tree::ConfigTree& tree);
  void committed(const tree::ConfigTree& tree, const tree::ConfigTree& running);

 private:
  void publish(tree::ConfigTree tree);
  void rebase(const tree::ConfigTree& base, const tree::ConfigTree& running);

  std::mutex edits_;          // held during an edit
  mutable std::mutex mutex_;  // guards what follows
  tree::ConfigTree tree_;     // written with edits_ held too
  tree::ConfigTree base_;     // the committed configuration it is a change of
  std::optional<tree::ConfigTree> committing_;
  std::int64_t last_changed_ = 0;
};

}  // namespace millrace::server
