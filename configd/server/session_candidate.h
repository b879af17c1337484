// SPDX-License-Identifier: GPL-2.0-or-later
//
// The candidate of one session: the only way for its commands, programs and completion to what is
// being edited. Which tree stands behind it is the session's choice on entering: the shared one, or
// a private copy of the configuration in force. A private candidate is committed by merging it with
// whatever is in force by then; statements that both sides changed make the first attempt fail.
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
#include <optional>

#include "base/diagnostics.h"
#include "server/access.h"
#include "server/editors.h"
#include "tree/editor.h"
#include "tree/merge.h"

namespace millrace::server {

struct Services;

class SessionCandidate {
 public:
  // Nothing is entered yet: reads and edits go to the shared candidate. `peer` is the session's and
  // changes with its rights.
  SessionCandidate(Services& services, const Peer& peer, std::uint64_t session)
      : services_(services), peer_(peer), session_(session) {}
  ~SessionCandidate() { leave(); }
  SessionCandidate(const SessionCandidate&) = delete;
  SessionCandidate& operator=(const SessionCandidate&) = delete;

  // Errors: Locked, Conflict.
  base::Result<void> enter(EditMode mode);
  // Discards what a private or exclusive session did not commit.
  void leave();
  std::optional<EditMode> mode() const;

  tree::ConfigTree snapshot() const;
  // The committed configuration that the candidate is a change of: what `show | compare` and the
  // plan start from.
  tree::ConfigTree base() const;
  bool changed() const { return !(snapshot() == base()); }
  // Whether the configuration in force is no longer the one a private candidate was made from.
  bool behind() const;
  // Seconds since the epoch of the last edit; 0 when there was none.
  std::int64_t last_changed() const;

  // Runs `change` on the candidate; when it fails the candidate is what it was before. Errors:
  // those of `change`; Locked when somebody else holds the configuration; Denied when the change is
  // more than the user may make, whatever made it.
  base::Result<void> edit(const std::function<base::Result<void>(tree::Editor&)>& change);
  // Takes `tree` for the candidate. Errors: Locked, Denied.
  base::Result<void> reset(tree::ConfigTree tree);
  // Puts the changes of a private candidate on top of what is in force now. Where both changed one
  // statement, it stays as it is here and is reported. Requires: the mode is private.
  base::Diagnostics update();

  // Whether somebody else's lock forbids a commit now. Errors: Locked.
  base::Result<void> may_commit() const;
  // What a commit by this session would put into force, or why it may not: for check and plan.
  std::expected<tree::ConfigTree, base::Diagnostics> wanted() const;
  // The same, of a commit that now follows. Conflicts that were reported once do not stop it again.
  std::expected<tree::ConfigTree, base::Diagnostics> to_commit();
  // `tree`, which to_commit returned, is in force.
  void committed(const tree::ConfigTree& tree);

 private:
  // Whether the user may make `after` of `before`, with all that it amounts to (server/access.h).
  base::Result<void> check_rights(const tree::ConfigTree& before, const tree::ConfigTree& after,
                                  bool typed) const;

  struct Private {
    tree::ConfigTree base;
    tree::ConfigTree tree;
    std::int64_t last_changed = 0;
    // The configuration in force whose conflicts with this candidate were reported.
    std::optional<tree::ConfigTree> reported = {};
  };

  Services& services_;
  const Peer& peer_;
  std::uint64_t session_;
  std::optional<Private> private_;
};

// "[edit interfaces eth0]  'mtu'  yours: …; committed: …", a finding for each.
base::Diagnostics merge_report(const std::vector<tree::MergeConflict>& conflicts,
                               const std::string& hint);

}  // namespace millrace::server
