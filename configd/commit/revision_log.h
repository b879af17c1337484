// SPDX-License-Identifier: GPL-2.0-or-later
//
// The append-only log that alone decides which configuration is in force.
//
//   prepare{id, parent, delta, touched, user, …}   fsync   — then the plan runs
//   committed{id}                                  fsync   — then `commit complete`
//   aborted{id}                                            — undone; optional
//   confirmed{id}                                  fsync   — a revision on trial stays
//
// One record a line: length, CRC-32C and JSON, so that a torn tail is recognised and cut off. A
// snapshot (whole configuration as text, file snapshot-ID.conf) is written in the background every
// so many revisions; nothing in the commit path depends on the size of the configuration.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "commit/trial.h"
#include "tree/config_tree.h"

namespace millrace::commit {

struct Revision {
  RevisionId id = 0;
  std::int64_t time = 0;  // seconds since the epoch
  std::string user;
  std::string via;  // "cli", "netconf", "boot", "other"
  std::string comment;
  std::string label = {};  // unique among the revisions that can be asked for; empty: none
  // `commit confirmed`, and what comes back when nobody confirms.
  std::optional<TrialTerms> trial = {};
  RevisionId previous = 0;
};

struct Recovery {
  RevisionId committed = 0;  // 0: the empty configuration
  // A prepare without committed or aborted: its plan may have run in part.
  std::optional<RevisionId> interrupted;
  std::string user;                  // whose commit was interrupted
  std::vector<std::string> touched;  // its appliers
  std::vector<std::string> remarks;  // "cut a torn record of 120 bytes off the log"
  // The log was damaged: `committed` is the newest revision that it can still prove, not
  // necessarily the one that was in force.
  bool salvaged = false;
};

class RevisionLog {
 public:
  // Opens or creates the log in `folder` and rebuilds the last committed tree. Old revisions are
  // rebuilt on demand. A damaged log is cut back to what can be trusted, its files are copied to
  // "damaged-TIME" first; a folder that cannot be written is read, and takes no records until it
  // can. Both are in recovery().remarks. Errors: Io when the folder is not there and cannot be
  // made.
  static base::Result<RevisionLog> open(const std::filesystem::path& folder,
                                        const schema::Schema& schema);
  RevisionLog(RevisionLog&&) noexcept;
  RevisionLog& operator=(RevisionLog&&) noexcept;
  ~RevisionLog();

  const Recovery& recovery() const;
  const tree::ConfigTree& running() const;
  // Newest first: index 0 is running, at most 50.
  const std::vector<Revision>& revisions() const;
  base::Result<tree::ConfigTree> tree(std::size_t index) const;
  // Also of one that is older than the 50, while its record is there. Errors: UnknownPath, Io.
  base::Result<tree::ConfigTree> tree_of(RevisionId id) const;
  // Whether the newest revision is on trial and nobody has confirmed it.
  bool on_trial() const;

  // Durable when it returns. `touched` names the appliers of the plan.
  base::Result<RevisionId> prepare(const Revision& revision, const tree::ConfigTree& candidate,
                                   const std::vector<std::string>& touched);
  // Durable when it returns; `running()` is the candidate from then on.
  base::Result<void> committed(RevisionId id);
  base::Result<void> aborted(RevisionId id);
  // Durable when it returns. Requires: on_trial().
  base::Result<void> confirm();

 private:
  struct State;
  explicit RevisionLog(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace millrace::commit
