// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of engine*.cpp: the one implementation of Engine. engine.cpp is the way of a commit,
// engine_start.cpp what happens without one (a start, links that come and go), engine_trial.cpp
// what waits (trials, prepared commits).
#pragma once

#include <format>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "check/check.h"
#include "commit/draft.h"
#include "commit/engine.h"
#include "commit/facts.h"
#include "commit/known_links.h"
#include "commit/new_revision.h"
#include "commit/transaction.h"
#include "commit/volatile_state.h"
#include "tree/effective.h"

namespace millrace::commit {

using base::Code;
using base::Diagnostics;
using base::Result;

class EngineImpl : public Engine {
 public:
  EngineImpl(const schema::Schema& schema, Registry registry, system::System system,
             RevisionLog log, const EngineOptions& options)
      : registry_(std::move(registry)),
        system_(system),
        log_(std::move(log)),
        volatile_(options.volatile_state),
        defaults_(volatile_.link_defaults()),
        known_links_(options.volatile_state / "links"),
        boot_clock_(options.boot_clock ? options.boot_clock : seconds_since_boot),
        saved_(options.state, schema),
        schedule_(options.state, options.volatile_state, schema),
        world_{tree::ConfigTree(schema), std::make_shared<Facts>()},
        checker_(schema),
        running_(log_.running()),
        revisions_(log_.revisions()) {}

  // ===== start =====

  Result<StartReport> start(Observer* observer) override;

  // After a clean restart with the links that were there: what an interrupted commit may have
  // changed, what was degraded, and what was left for after a commit and not done.
  std::vector<const Applier*> to_reconcile(const Recovery& recovery);

  std::vector<const Applier*> everything() const {
    return select([](const Applier&) { return true; });
  }

  // Goes on waiting for a confirmation, when the last revision is on trial and its deadline is
  // known. When it is not, the machine has been down meanwhile: false, and running is what was
  // before the trial. A log that takes no records does not change that; the next start does the
  // same again.
  bool resume_trial(StartReport& report);

  // Those that failed for what they were asked to do, and not because the system could not be
  // reached: no other configuration helps against a daemon that is down or a disk that is full.
  std::vector<const Applier*> to_blame_configuration_for(
      const std::map<std::string, base::Error>& failed) const;

  // What runs cannot be applied: puts the newest revision up to `newest` into force that can be as
  // a whole, as a new revision, and says why. When there is none what runs stays, as far as it can
  // be applied. The empty configuration is none: nobody has chosen it, and nobody could log in.
  // Returns what fails now. Requires: to_blame_configuration_for(failed) is not empty.
  std::map<std::string, base::Error> boot_older(RevisionId newest,
                                                std::map<std::string, base::Error> failed,
                                                StartReport& report, Observer* observer);

  // `tree` is what runs, as `revision`; without it, when the log takes no records.
  void put_in_force(const Revision& revision, const tree::ConfigTree& tree, StartReport& report);

  void say_unknown_statements(StartReport& report) const;

  // A revision that is in force without a plan. Errors: Io.
  Result<RevisionId> record(const Revision& revision, const tree::ConfigTree& tree);

  // "commit 12 by admin"
  std::string commit_name(RevisionId id) const;

  // ===== reading =====

  tree::ConfigTree running() const override;
  std::vector<Revision> revisions() const override;
  Result<tree::ConfigTree> revision(std::size_t index) const override { return log_.tree(index); }
  Result<tree::ConfigTree> revision_by_id(RevisionId id) const override { return log_.tree_of(id); }
  std::vector<std::string> remarks() const override;
  std::vector<std::string> degraded() const override;

  // ===== before a commit =====

  Diagnostics check_candidate(const tree::ConfigTree& candidate) override;
  check::Findings find_problems(const tree::ConfigTree& candidate) const override;

  Result<std::vector<StepLine>> plan(const tree::ConfigTree& candidate) override;
  Draft draft(const tree::ConfigTree& candidate);

  Diagnostics group_rules(const tree::ConfigTree& candidate);
  static bool touches(const Applier& applier, const tree::Delta& delta);

  // ===== prepare and activate =====

  Diagnostics prepare_commit(const tree::ConfigTree& candidate, Observer* observer) override;
  bool drop_prepared() override;

  // What was prepared, if it still is what a commit of `candidate` would do.
  Result<Prepared> take_prepared(const tree::ConfigTree& candidate);

  // In what plans follow; addresses of others matter to checks only.
  static bool differ(const Facts& a, const Facts& b) {
    return a.links != b.links || a.features != b.features;
  }

  // Requires: no errors in the draft. Errors: a degraded subsystem that this change concerns cannot
  // be read. One that the change leaves as it is drops out of `touched` and stays degraded, since
  // heal() has just tried: a router whose FRR is down must still take another address.
  Result<std::vector<PlannedStep>> steps_of(Draft& ready);

  // ===== commit =====

  CommitReport commit(CommitRequest request, Observer* observer) override;
  Result<RevisionId> commit_prepared(const CommitRequest& request, Observer* observer);

  // Findings go to `diagnostics`; when they have errors, so has the result.
  Result<RevisionId> commit_now(const CommitRequest& request, Diagnostics& diagnostics,
                                Observer* observer);

  // The plan of a commit, from everything that is known before a step prepares. As commit_now().
  Result<Prepared> begin_commit(const tree::ConfigTree& candidate, Diagnostics& diagnostics,
                                Observer* observer);
  Result<RevisionId> nothing_to_do();

  // What does not follow becomes a warning and is degraded.
  void reconcile_everything(Diagnostics& diagnostics, Observer* observer);

  // Requires: `transaction` is prepared.
  Result<RevisionId> run(const CommitRequest& request, const Draft& ready, Transaction& transaction,
                         Observer* observer);
  static Result<void> notify(Observer* observer, Observer::Moment moment);

  void adopt(const Draft& ready);
  void publish(const tree::ConfigTree& running);

  // ===== trials =====

  std::optional<Trial> trial() const override;
  std::chrono::seconds boot_time() const override { return boot_clock_(); }
  SavedConfigurations& saved() const override { return saved_; }
  Schedule& schedule() const override { return schedule_; }

  std::chrono::seconds deadline_of(const Revision& revision) const;
  static Trial trial_of(const Revision& revision, std::chrono::seconds deadline);

  void set_trial(std::optional<Trial> trial);

  // `revision` has just been committed: its own trial begins, the one before it is over.
  void replace_trial(const Revision& revision);
  Result<void> confirm(RevisionId revision) override;

  static std::unexpected<base::Error> not_on_trial(RevisionId revision);

  CommitReport reject(RevisionId revision, const std::string& user, const std::string& via,
                      const std::string& comment, Observer* observer) override;

  // Puts `request` into force although `refused` says that it was refused.
  CommitReport impose(CommitRequest request, const CommitReport& refused, Observer* observer);

  void take_back(Transaction& transaction, const std::vector<const Applier*>& touched,
                 Observer* observer);

  // Tries to bring degraded subsystems back to what runs. One that stays so does not stop a commit:
  // the commit may be what repairs it.
  void heal();

  // What `appliers` cannot do; they are what is degraded then.
  std::map<std::string, base::Error> heal(const std::vector<const Applier*>& appliers);

  // ===== the machine changes =====

  // A link that came or went is planned as in a commit. What fails is reconciled, now and whenever
  // this is called. The file of known links is written last, so that a process killed in between
  // leaves the next start with links it does not know.
  std::vector<std::string> follow_machine() override;
  void set_degraded(std::set<std::string> degraded);

  // `configuration` is in force now, without having been checked on the way.
  void hold(const tree::ConfigTree& configuration, std::shared_ptr<const Facts> facts);

  // What find_problems() compares with, from any thread.
  void set_index(check::Index index);
  static std::vector<std::string> names_of(const std::vector<PlannedStep>& steps);

  template <class Wanted>
  std::vector<const Applier*> select(Wanted wanted) const {
    std::vector<const Applier*> result;
    for (const auto& applier : registry_) {
      if (wanted(*applier)) {
        result.push_back(applier.get());
      }
    }
    return result;
  }

 private:
  const Registry registry_;  // sorted
  system::System system_;
  RevisionLog log_;
  VolatileState volatile_;
  LinkDefaults defaults_;
  KnownLinks known_links_;
  const std::function<std::chrono::seconds()> boot_clock_;
  mutable SavedConfigurations saved_;  // these two guard themselves
  mutable Schedule schedule_;
  tree::Expander expander_;
  World world_;  // what the system holds; the effective tree of running_
  const check::Checker checker_;
  check::Index index_;  // of world_.tree
  bool running_is_valid_ = false;
  std::optional<Prepared> prepared_;

  mutable std::mutex reading_mutex_;
  mutable tree::Expander reading_expander_;  // of find_problems()

  mutable std::mutex mutex_;  // guards what follows: written by the commit thread, read by all
  tree::ConfigTree running_;
  struct {
    tree::ConfigTree tree;
    check::Index index;
  } checked_{world_.tree, {}};  // world_.tree and index_
  std::vector<Revision> revisions_;
  std::optional<Trial> trial_;
  std::vector<std::string> remarks_;
  std::set<std::string> degraded_;
};

}  // namespace millrace::commit
