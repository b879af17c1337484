// SPDX-License-Identifier: GPL-2.0-or-later
//
// How a commit travels:
//
//   candidate ── Expander ── effective tree ── delta to what runs ── check ── plans of the appliers
//   that the delta or the facts touch ── one ordered list of steps ── all prepares ── log: prepare
//   ── apply, apply, … ── log: committed ── running is the candidate
//
// A step that fails takes the others back with it. An undo that fails makes its subsystems be
// reconciled to the state before; one that cannot even do that is degraded: it is reported, it is
// tried again before every commit, and its next plan starts from what the system holds instead of
// from what it should hold.
//
// Nothing here catches exceptions: a test that throws from an Observer leaves exactly what a crash
// at that point leaves.
#include "commit/engine.h"

#include <algorithm>
#include <ctime>
#include <format>
#include <mutex>

#include "check/check.h"
#include "commit/facts.h"
#include "commit/known_links.h"
#include "commit/reconcile.h"
#include "commit/transaction.h"
#include "commit/volatile_state.h"
#include "tree/effective.h"

namespace millrace::commit {
namespace {

using base::Code;
using base::Diagnostics;
using base::Result;

void add_error(Diagnostics& diagnostics, const base::Error& error) {
  std::string message = error.message;
  for (const base::Error* cause = error.cause.get(); cause != nullptr; cause = cause->cause.get()) {
    message += ": " + cause->message;
  }
  diagnostics.error(error.code, error.path, {}, std::move(message), error.hint);
}

// A candidate on its way: everything that is known before a step runs.
struct Draft {
  World after;
  tree::Delta delta;  // of the effective trees
  Diagnostics diagnostics;
  std::vector<const Applier*> touched;
  check::Index index;  // of after.tree
};

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
        world_{tree::ConfigTree(schema), std::make_shared<Facts>()},
        checker_(schema),
        running_(log_.running()),
        revisions_(log_.revisions()) {}

  // ===== start =====

  Result<StartReport> start(Observer* observer) override {
    auto facts = read_facts(system_, defaults_);
    if (!facts) {
      return std::unexpected(facts.error());
    }
    world_ = {expander_.effective(running()), std::make_shared<Facts>(std::move(*facts))};
    const Recovery& recovery = log_.recovery();
    StartReport report{recovery.committed, recovery.remarks};

    running_is_valid_ = !checker_.check_all(world_.tree).has_errors();
    set_index(checker_.index_of(world_.tree));
    if (!running_is_valid_) {
      report.remarks.push_back(std::format(
          "alarm: revision {} breaks rules of this version; see commit check", report.revision));
    }
    std::set<std::string> degraded;
    for (const auto& [name, error] : reconcile(to_reconcile(recovery), world_, system_, observer)) {
      degraded.insert(name);
      report.remarks.push_back(
          std::format("alarm: {} does not follow the configuration: {}", name, error.message));
    }
    known_links_.set(*world_.facts);
    // Before the log forgets the interruption, so that a crash in between finds one or the other.
    set_degraded(std::move(degraded));
    if (recovery.interrupted) {
      report.remarks.push_back(
          std::format("{} was interrupted and has been rolled back to revision {}",
                      commit_name(*recovery.interrupted), report.revision));
      // Optional: the next start, or the next prepare, finds the same.
      if (auto aborted = log_.aborted(*recovery.interrupted); !aborted) {
        report.remarks.push_back(
            std::format("alarm: the revision log takes no records: {}", aborted.error().message));
      }
    } else if (volatile_.committing() == report.revision) {
      report.remarks.push_back(
          std::format("{} was interrupted after it had been committed and is in force",
                      commit_name(report.revision)));
    }
    volatile_.clear_committing();
    const std::scoped_lock lock(mutex_);
    remarks_ = report.remarks;
    return report;
  }

  // Everything after a boot, and when links came or went unseen; else what an interrupted commit
  // may have changed and what was degraded.
  std::vector<const Applier*> to_reconcile(const Recovery& recovery) const {
    std::set<std::string> names = volatile_.degraded();
    if (recovery.interrupted) {
      names.insert(recovery.touched.begin(), recovery.touched.end());
    }
    const bool all = !volatile_.started() || !known_links_.are(*world_.facts);
    return select(
        [&](const Applier& applier) { return all || names.contains(std::string(applier.name())); });
  }

  // "commit 12 by admin"
  std::string commit_name(RevisionId id) const {
    if (id == log_.recovery().interrupted) {
      return std::format("commit {} by {}", id, log_.recovery().user);
    }
    return std::format("commit {} by {}", id, log_.revisions().front().user);
  }

  // ===== reading =====

  tree::ConfigTree running() const override {
    const std::scoped_lock lock(mutex_);
    return running_;
  }
  std::vector<Revision> revisions() const override {
    const std::scoped_lock lock(mutex_);
    return revisions_;
  }
  Result<tree::ConfigTree> revision(std::size_t index) const override { return log_.tree(index); }
  std::vector<std::string> remarks() const override {
    const std::scoped_lock lock(mutex_);
    return remarks_;
  }
  std::vector<std::string> degraded() const override {
    const std::scoped_lock lock(mutex_);
    return {degraded_.begin(), degraded_.end()};
  }

  // ===== before a commit =====

  Diagnostics check_candidate(const tree::ConfigTree& candidate) override {
    return draft(candidate).diagnostics;
  }

  check::Findings find_problems(const tree::ConfigTree& candidate) const override {
    const auto running = [&] {
      const std::scoped_lock lock(mutex_);
      return checked_;
    }();
    // The memo of an expander is for one thread at a time.
    const std::scoped_lock lock(reading_mutex_);
    const tree::Delta delta(running.tree, reading_expander_.effective(candidate));
    return checker_.check(delta, running.index).findings;
  }

  Result<std::vector<StepLine>> plan(const tree::ConfigTree& candidate) override {
    Draft ready = draft(candidate);
    if (ready.diagnostics.has_errors()) {
      return base::fail(Code::Constraint, ready.diagnostics.to_string());
    }
    auto steps = steps_of(ready);
    if (!steps) {
      return std::unexpected(steps.error());
    }
    std::vector<StepLine> lines;
    for (const PlannedStep& step : *steps) {
      lines.push_back({step.applier, step.step->description(), step.step->disruptive()});
    }
    return lines;
  }

  Draft draft(const tree::ConfigTree& candidate) {
    auto facts = read_facts(system_, defaults_);
    World after{expander_.effective(candidate), world_.facts};
    Draft result{after, tree::Delta(world_.tree, after.tree), {}, {}, {}};
    if (!facts) {
      add_error(result.diagnostics, facts.error());
      return result;
    }
    const bool new_facts =
        facts->links != world_.facts->links || facts->features != world_.facts->features;
    if (new_facts) {
      result.after.facts = std::make_shared<Facts>(std::move(*facts));
    }
    result.touched =
        select([&](const Applier& applier) { return new_facts || touches(applier, result.delta); });
    auto checked = checker_.check(result.delta, index_);
    result.index = std::move(checked.index);
    result.diagnostics = running_is_valid_ ? checked.findings.diagnostics()
                                           : checker_.check_all(result.after.tree).diagnostics();
    // Appliers may rely on what the schema promises, so they are not asked about a broken tree.
    if (!result.diagnostics.has_errors()) {
      for (const Applier* applier : result.touched) {
        applier->check(world_, result.after, result.delta, result.diagnostics);
      }
    }
    return result;
  }

  static bool touches(const Applier& applier, const tree::Delta& delta) {
    const auto touched = [&](const std::string& path) { return delta.touches(path); };
    return !delta.empty() && (std::ranges::any_of(applier.owns(), touched) ||
                              std::ranges::any_of(applier.reads(), touched));
  }

  // Requires: no errors in the draft. Errors: a degraded subsystem that this change concerns cannot
  // be read. One that the change leaves as it is drops out of `touched` and stays degraded, since
  // heal() has just tried: a router whose FRR is down must still take another address.
  Result<std::vector<PlannedStep>> steps_of(Draft& ready) {
    std::vector<std::pair<std::string, Plan>> plans;
    std::vector<const Applier*> touched;
    for (const Applier* applier : ready.touched) {
      const std::string name(applier->name());
      Plan plan = applier->plan(world_, ready.after, ready.delta);
      if (degraded_.contains(name)) {
        if (plan.empty()) {
          continue;
        }
        auto repair = applier->reconcile(ready.after, system_);
        if (!repair) {
          return base::fail_because(repair.error(),
                                    std::format("{} is degraded and cannot be read", name));
        }
        plan = std::move(*repair);
      }
      plans.emplace_back(name, std::move(plan));
      touched.push_back(applier);
    }
    ready.touched = std::move(touched);
    return order_steps(std::move(plans));
  }

  // ===== commit =====

  CommitReport commit(CommitRequest request, Observer* observer) override {
    heal();
    CommitReport report;
    Draft ready = draft(request.candidate);
    report.diagnostics = std::move(ready.diagnostics);
    if (!report.diagnostics.has_errors()) {
      if (auto done = run(request, ready, observer); done) {
        report.committed = true;
        report.revision = *done;
      } else {
        add_error(report.diagnostics, done.error());
      }
    }
    report.degraded = degraded();
    return report;
  }

  Result<RevisionId> run(const CommitRequest& request, Draft& ready, Observer* observer) {
    auto steps = steps_of(ready);
    if (!steps) {
      return std::unexpected(steps.error());
    }
    if (steps->empty() && request.comment.empty() &&
        tree::Delta(running_, request.candidate).empty()) {
      return revisions_.front().id;
    }
    Transaction transaction(std::move(*steps), system_, observer);
    if (auto prepared = transaction.prepare(); !prepared) {
      return std::unexpected(prepared.error());
    }
    const Revision revision{0, std::time(nullptr), request.user, request.via, request.comment};
    const auto id = log_.prepare(revision, request.candidate, names_of(transaction.steps()));
    if (!id) {
      return std::unexpected(id.error());
    }
    volatile_.set_committing(*id);
    auto done =
        notify(observer, Observer::Moment::Logged).and_then([&] { return transaction.apply(); });
    if (done) {
      done = log_.committed(*id);
      if (!done) {
        // The record may be on the disk all the same, and what we take back now would be in force
        // for the next start, which then has to look at everything.
        volatile_.distrust();
      }
    }
    if (!done) {
      take_back(transaction, ready.touched, observer);
      // Optional: a later prepare, or recovery, says the same.
      static_cast<void>(log_.aborted(*id));
      volatile_.clear_committing();
      return std::unexpected(done.error());
    }
    adopt(ready);
    static_cast<void>(notify(observer, Observer::Moment::Committed));  // too late to refuse
    volatile_.clear_committing();
    return *id;
  }

  static Result<void> notify(Observer* observer, Observer::Moment moment) {
    return observer == nullptr ? Result<void>() : observer->at(moment, nullptr);
  }

  void adopt(const Draft& ready) {
    world_ = ready.after;
    known_links_.set(*world_.facts);
    set_index(ready.index);
    running_is_valid_ = true;
    std::set<std::string> degraded = degraded_;
    for (const Applier* applier : ready.touched) {
      degraded.erase(std::string(applier->name()));
    }
    {
      const std::scoped_lock lock(mutex_);
      running_ = log_.running();
      revisions_ = log_.revisions();
    }
    if (degraded != degraded_) {
      set_degraded(std::move(degraded));
    }
  }

  void take_back(Transaction& transaction, const std::vector<const Applier*>& touched,
                 Observer* observer) {
    if (transaction.undo().empty()) {
      return;
    }
    // What could not be undone may have taken with it what others had put back: all are looked at.
    std::set<std::string> degraded = degraded_;
    for (const Applier* applier : touched) {
      degraded.erase(std::string(applier->name()));
    }
    for (const auto& [name, error] : reconcile(touched, world_, system_, observer)) {
      degraded.insert(name);
    }
    set_degraded(std::move(degraded));
  }

  // Tries to bring degraded subsystems back to what runs. One that stays so does not stop a commit:
  // the commit may be what repairs it.
  void heal() {
    if (degraded_.empty()) {
      return;
    }
    const auto appliers = select(
        [&](const Applier& applier) { return degraded_.contains(std::string(applier.name())); });
    std::set<std::string> degraded;
    for (const auto& [name, error] : reconcile(appliers, world_, system_, nullptr)) {
      degraded.insert(name);
    }
    if (degraded != degraded_) {
      set_degraded(std::move(degraded));
    }
  }

  void set_degraded(std::set<std::string> degraded) {
    volatile_.set_started(degraded);
    const std::scoped_lock lock(mutex_);
    degraded_ = std::move(degraded);
  }

  // What find_problems() compares with, from any thread.
  void set_index(check::Index index) {
    index_ = std::move(index);
    const std::scoped_lock lock(mutex_);
    checked_ = {world_.tree, index_};
  }

  static std::vector<std::string> names_of(const std::vector<PlannedStep>& steps) {
    std::set<std::string> names;
    for (const PlannedStep& step : steps) {
      names.insert(step.applier);
    }
    return {names.begin(), names.end()};
  }

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
  tree::Expander expander_;
  World world_;  // what the system holds; the effective tree of running_
  const check::Checker checker_;
  check::Index index_;  // of world_.tree
  bool running_is_valid_ = false;

  mutable std::mutex reading_mutex_;
  mutable tree::Expander reading_expander_;  // of find_problems()

  mutable std::mutex mutex_;  // guards what follows: written by the commit thread, read by all
  tree::ConfigTree running_;
  struct {
    tree::ConfigTree tree;
    check::Index index;
  } checked_{world_.tree, {}};  // world_.tree and index_
  std::vector<Revision> revisions_;
  std::vector<std::string> remarks_;
  std::set<std::string> degraded_;
};

}  // namespace

Result<std::unique_ptr<Engine>> Engine::open(const schema::Schema& schema, Registry registry,
                                             system::System system, EngineOptions options) {
  if (auto sorted = sort_appliers(registry); !sorted) {
    return std::unexpected(sorted.error());
  }
  auto log = RevisionLog::open(options.state, schema);
  if (!log) {
    return std::unexpected(log.error());
  }
  return std::make_unique<EngineImpl>(schema, std::move(registry), system, std::move(*log),
                                      options);
}

}  // namespace millrace::commit
