// SPDX-License-Identifier: GPL-2.0-or-later
//
// check → plan → prepare → log → apply → committed. Boot, rollback and recovery are this same
// commit aimed at another tree, or reconcile where the state before is not known.
//
// Threads: commit, check_candidate, plan and start are called from one thread at a time (the
// server's commit strand); running() and revisions() are snapshots and safe from any thread, and so
// is find_problems().
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "check/check.h"
#include "commit/applier.h"
#include "commit/revision_log.h"

namespace millrace::commit {

struct CommitRequest {
  tree::ConfigTree candidate;  // as edited: inactive statements and all
  std::string user;
  std::string via = "cli";
  std::string comment;
};

struct CommitReport {
  bool committed = false;
  RevisionId revision = 0;        // of the new revision when committed
  base::Diagnostics diagnostics;  // warnings; errors when not committed
  // Subsystems whose undo failed and which could not be reconciled either; normally empty.
  std::vector<std::string> degraded;
};

struct StepLine {
  std::string applier;
  std::string description;
  bool disruptive = false;
};

struct StartReport {
  RevisionId revision = 0;
  // Lines for the log and `show system commit`: "commit 12 was interrupted and has been rolled
  // back", "cut a torn record …"; empty after a clean stop.
  std::vector<std::string> remarks;
};

// What happens between two steps: for progress, and for tests that fail or kill at step k. Returns
// an error to make the step fail.
struct Observer {
  virtual ~Observer() = default;
  enum class Moment : std::uint8_t { Prepare, Logged, Apply, Applied, Undo, Committed };
  virtual base::Result<void> at(Moment, const PlannedStep*) { return {}; }
};

struct EngineOptions {
  std::filesystem::path state = "/var/lib/millrace";       // the revision log
  std::filesystem::path volatile_state = "/run/millrace";  // tells a restart from a reboot
};

class Engine {
 public:
  // `schema`, `system` and the registry's appliers outlive the engine. Assigns no owners.
  static base::Result<std::unique_ptr<Engine>> open(const schema::Schema& schema, Registry registry,
                                                    system::System system, EngineOptions options);
  virtual ~Engine() = default;

  // Brings the system to the last committed revision: everything after a boot, the touched
  // subsystems of an interrupted commit after a crash, nothing after a clean restart.
  virtual base::Result<StartReport> start(Observer* observer = nullptr) = 0;

  virtual tree::ConfigTree running() const = 0;
  virtual std::vector<Revision> revisions() const = 0;  // newest first
  virtual base::Result<tree::ConfigTree> revision(std::size_t index) const = 0;
  virtual std::vector<std::string> remarks() const = 0;   // of the last start
  virtual std::vector<std::string> degraded() const = 0;  // subsystems, now

  // What the rules between statements find in what the candidate changes, without the appliers and
  // the machine: for remarks in `show`. Cost: that of the change.
  virtual check::Findings find_problems(const tree::ConfigTree& candidate) const = 0;
  virtual base::Diagnostics check_candidate(const tree::ConfigTree& candidate) = 0;
  virtual base::Result<std::vector<StepLine>> plan(const tree::ConfigTree& candidate) = 0;
  virtual CommitReport commit(CommitRequest request, Observer* observer = nullptr) = 0;
};

// Facts of this machine, through the system.
base::Result<Facts> read_facts(system::System& system);

}  // namespace millrace::commit
