// SPDX-License-Identifier: GPL-2.0-or-later
//
// The candidate of one session: the only way for its commands, programs and completion to what is
// being edited. Which tree stands behind it is the session's choice on entering configuration mode.
//
// edit, reset and the readers belong to the session's own requests. to_commit and committed are for
// the commit thread while that session waits for it:
//
//     const auto tree = candidate.to_commit();
//     if (tree) { report = engine.commit({*tree, …}); }
//     if (report.committed) { candidate.committed(*tree); }
#pragma once

#include <cstdint>
#include <expected>
#include <functional>

#include "base/diagnostics.h"
#include "commit/engine.h"
#include "server/candidate.h"

namespace millrace::server {

class SessionCandidate {
 public:
  SessionCandidate(Candidate& shared, const commit::Engine& engine)
      : shared_(shared), engine_(engine) {}

  tree::ConfigTree snapshot() const { return shared_.snapshot(); }
  // The committed configuration that the candidate is a change of: what `show | compare` and the
  // plan start from.
  tree::ConfigTree base() const { return engine_.running(); }
  bool changed() const { return !(snapshot() == base()); }
  // Seconds since the epoch of the last edit; 0 when there was none.
  std::int64_t last_changed() const { return shared_.last_changed(); }

  // Runs `change` on the candidate; when it fails the candidate is what it was before. Errors:
  // those of `change`; Locked when somebody else holds the configuration.
  base::Result<void> edit(const std::function<base::Result<void>(tree::Editor&)>& change) {
    return shared_.edit(change);
  }
  // Takes `tree` for the candidate. Errors: Locked.
  base::Result<void> reset(tree::ConfigTree tree) {
    shared_.reset(std::move(tree));
    return {};
  }

  // What a commit by this session would put into force, or why it may not: for check and plan.
  std::expected<tree::ConfigTree, base::Diagnostics> wanted() const { return snapshot(); }
  // The same, of a commit that now follows.
  std::expected<tree::ConfigTree, base::Diagnostics> to_commit() { return snapshot(); }
  // `tree`, which to_commit returned, is in force.
  void committed(const tree::ConfigTree& /*tree*/) {}

 private:
  Candidate& shared_;
  const commit::Engine& engine_;
};

}  // namespace millrace::server
