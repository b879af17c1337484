// SPDX-License-Identifier: GPL-2.0-or-later
//
// check → plan → prepare → log → apply → committed. Boot, rollback and recovery are this same
// commit aimed at another tree, or reconcile where the state before is not known.
//
// Threads: what is not const is called from one thread at a time (the server's commit strand); what
// is const, saved() and schedule() are safe from any thread.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "check/check.h"
#include "commit/applier.h"
#include "commit/revision_log.h"
#include "commit/saved.h"
#include "commit/schedule.h"

namespace millrace::commit {

struct CommitRequest {
  tree::ConfigTree candidate;  // as edited: inactive statements and all
  std::string user;
  std::string via = "cli";
  std::string comment;
  std::string label = {};
  std::optional<TrialTerms> trial = {};  // `commit confirmed`
  // `commit full`: afterwards every subsystem is read and brought to what it should be, whether the
  // change concerns it or not.
  bool full = false;
  // `commit activate`: run the plan that prepare_commit() has made, and no other.
  bool prepared = false;
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
  bool booted = false;  // the first start since the machine came up
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
  // Counts from the boot, goes on while the machine sleeps, and cannot be set: CLOCK_BOOTTIME.
  std::function<std::chrono::seconds()> boot_clock = {};
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
  virtual base::Result<tree::ConfigTree> revision_by_id(RevisionId id) const = 0;
  virtual std::vector<std::string> remarks() const = 0;   // of the last start
  virtual std::vector<std::string> degraded() const = 0;  // subsystems, now

  // What the rules between statements find in what the candidate changes, without the appliers and
  // the machine: for remarks in `show`. Cost: that of the change.
  virtual check::Findings find_problems(const tree::ConfigTree& candidate) const = 0;
  virtual base::Diagnostics check_candidate(const tree::ConfigTree& candidate) = 0;
  virtual base::Result<std::vector<StepLine>> plan(const tree::ConfigTree& candidate) = 0;
  // Commits of a trial: `request.trial` begins one, or begins its time anew and keeps what comes
  // back; a request without it confirms what was on trial. A failure leaves the trial as it was.
  virtual CommitReport commit(CommitRequest request, Observer* observer = nullptr) = 0;

  virtual std::optional<Trial> trial() const = 0;
  virtual std::chrono::seconds boot_time() const = 0;
  // Durable when it returns. Errors: Conflict when `revision` is not on trial any more, Io.
  virtual base::Result<void> confirm(RevisionId revision) = 0;
  // Commits what was before the trial, as a new revision. When that is refused it is put into force
  // all the same, and what does not follow is degraded: nobody may be left with a trial that has
  // cut them off. The report has errors only when `revision` is not on trial any more.
  virtual CommitReport reject(RevisionId revision, const std::string& user, const std::string& via,
                              const std::string& comment, Observer* observer = nullptr) = 0;

  // `commit prepare`: checks, plans and prepares, so that activating cannot find anything new.
  // Whatever is prepared is dropped with the next commit, or when it is called again.
  virtual base::Diagnostics prepare_commit(const tree::ConfigTree& candidate,
                                           Observer* observer = nullptr) = 0;
  // False when nothing was prepared.
  virtual bool drop_prepared() = 0;

  // Beside the log; safe from any thread.
  virtual SavedConfigurations& saved() const = 0;
  virtual Schedule& schedule() const = 0;

  // The same configuration on a machine that may have changed: interfaces that came, went or got
  // another name take what is configured for them, and degraded subsystems are tried again. Makes
  // no revision. Returns what was done and what still fails, for the log; nothing when all is as
  // it was.
  virtual std::vector<std::string> follow_machine() { return {}; }
};

// Facts of this machine, through the system.
base::Result<Facts> read_facts(system::System& system);

}  // namespace millrace::commit
