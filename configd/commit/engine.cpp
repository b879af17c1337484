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
#include "check/groups.h"
#include "commit/draft.h"
#include "commit/facts.h"
#include "commit/known_links.h"
#include "commit/new_revision.h"
#include "commit/reconcile.h"
#include "commit/transaction.h"
#include "commit/volatile_state.h"
#include "tree/effective.h"
#include "tree/inheritance.h"

namespace millrace::commit {
namespace {

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

  Result<StartReport> start(Observer* observer) override {
    auto facts = read_facts(system_, defaults_);
    if (!facts) {
      return std::unexpected(facts.error());
    }
    const Recovery& recovery = log_.recovery();
    if (recovery.salvaged) {
      volatile_.forget_started();  // what is in force now may be anything
    }
    StartReport report{recovery.committed, !volatile_.started(), recovery.remarks};
    if (!schedule_.problem().empty()) {
      report.remarks.push_back(schedule_.problem());
    }
    const bool taken_back = !resume_trial(report);
    world_ = {expander_.effective(running()), std::make_shared<Facts>(std::move(*facts))};

    running_is_valid_ = !checker_.check_all(world_.tree).has_errors() &&
                        !check::check_groups(nullptr, expander_.active(running())).has_errors();
    set_index(checker_.index_of(world_.tree));
    if (!running_is_valid_) {
      report.remarks.push_back(std::format(
          "alarm: revision {} breaks rules of this version; see commit check", report.revision));
    }
    std::set<std::string> degraded;
    const auto appliers = report.booted || taken_back || !known_links_.are(*world_.facts)
                              ? everything()
                              : to_reconcile(recovery);
    for (const auto& [name, error] : reconcile(appliers, world_, system_, observer)) {
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
    } else if (volatile_.committing() == report.revision && !taken_back) {
      report.remarks.push_back(
          std::format("{} was interrupted after it had been committed and is in force",
                      commit_name(report.revision)));
    }
    volatile_.clear_committing();
    const std::scoped_lock lock(mutex_);
    remarks_ = report.remarks;
    return report;
  }

  // After a clean restart with the links that were there: what an interrupted commit may have
  // changed, what was degraded, and what was left for after a commit and not done.
  std::vector<const Applier*> to_reconcile(const Recovery& recovery) {
    std::set<std::string> names = volatile_.degraded();
    if (recovery.interrupted) {
      names.insert(recovery.touched.begin(), recovery.touched.end());
    }
    return select([&](const Applier& applier) {
      return names.contains(std::string(applier.name())) || applier.unsettled(system_);
    });
  }

  std::vector<const Applier*> everything() const {
    return select([](const Applier&) { return true; });
  }

  // Goes on waiting for a confirmation, when the last revision is on trial and its deadline is
  // known. When it is not, the machine has been down meanwhile: false, and running is what was
  // before the trial. A log that takes no records does not change that; the next start does the
  // same again.
  bool resume_trial(StartReport& report) {
    if (!log_.on_trial()) {
      return true;
    }
    const Revision revision = revisions_.front();
    if (const auto deadline = volatile_.trial_deadline(revision.id)) {
      set_trial(trial_of(revision, *deadline));
      return true;
    }
    auto before = log_.tree_of(revision.previous);
    if (!before) {
      report.remarks.push_back(std::format("alarm: {} is not confirmed, and stays: {}",
                                           commit_name(revision.id), before.error().message));
      return true;
    }
    // Before the log says that the old configuration is in force: a crash in between must not find
    // a clean restart.
    volatile_.forget_started();
    const Revision back{
        0, std::time(nullptr), "root", "other",
        std::format("revision {} was not confirmed before the restart", revision.id)};
    if (const auto id = record(back, *before); id) {
      report.revision = *id;
    } else {
      report.remarks.push_back(
          std::format("alarm: the revision log takes no records: {}", id.error().message));
    }
    report.remarks.push_back(std::format(
        "{} was not confirmed before the restart and has been rolled back to revision {}",
        commit_name(revision.id), revision.previous));
    publish(*before);
    return false;
  }

  // A revision that is in force without a plan. Errors: Io.
  Result<RevisionId> record(const Revision& revision, const tree::ConfigTree& tree) {
    std::vector<std::string> touched;
    for (const auto& applier : registry_) {
      touched.emplace_back(applier->name());
    }
    const auto id = log_.prepare(revision, tree, touched);
    if (!id) {
      return id;
    }
    if (auto done = log_.committed(*id); !done) {
      return std::unexpected(done.error());
    }
    return id;
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
  Result<tree::ConfigTree> revision_by_id(RevisionId id) const override { return log_.tree_of(id); }
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
    const bool new_facts = differ(*facts, *world_.facts);
    if (*facts != *world_.facts) {
      result.after.facts = std::make_shared<Facts>(std::move(*facts));
    }
    result.touched =
        select([&](const Applier& applier) { return new_facts || touches(applier, result.delta); });
    auto checked = checker_.check(result.delta, index_);
    result.index = std::move(checked.index);
    result.diagnostics = group_rules(candidate);
    result.diagnostics.append(running_is_valid_
                                  ? checked.findings.diagnostics()
                                  : checker_.check_all(result.after.tree).diagnostics());
    // Appliers may rely on what the schema promises, so they are not asked about a broken tree.
    if (!result.diagnostics.has_errors()) {
      for (const Applier* applier : result.touched) {
        applier->check(world_, result.after, result.delta, result.diagnostics);
      }
    }
    result.diagnostics = tree::with_origins(result.diagnostics, candidate);
    return result;
  }

  Diagnostics group_rules(const tree::ConfigTree& candidate) {
    const tree::ConfigTree before = expander_.active(running());
    return check::check_groups(running_is_valid_ ? &before : nullptr, expander_.active(candidate));
  }

  static bool touches(const Applier& applier, const tree::Delta& delta) {
    const auto touched = [&](const std::string& path) { return delta.touches(path); };
    return !delta.empty() && (std::ranges::any_of(applier.owns(), touched) ||
                              std::ranges::any_of(applier.reads(), touched));
  }

  // ===== prepare and activate =====

  Diagnostics prepare_commit(const tree::ConfigTree& candidate, Observer* observer) override {
    prepared_.reset();
    heal();
    Draft ready = draft(candidate);
    Diagnostics diagnostics = std::move(ready.diagnostics);
    if (diagnostics.has_errors()) {
      return diagnostics;
    }
    auto steps = steps_of(ready);
    if (!steps) {
      add_error(diagnostics, steps.error());
      return diagnostics;
    }
    Transaction transaction(std::move(*steps), system_, observer);
    if (auto done = transaction.prepare(); !done) {
      add_error(diagnostics, done.error());
      return diagnostics;
    }
    transaction.observe(nullptr);
    prepared_.emplace(Prepared{candidate, std::move(ready), std::move(transaction)});
    return diagnostics;
  }

  bool drop_prepared() override {
    const bool dropped = prepared_.has_value();
    prepared_.reset();
    return dropped;
  }

  // What was prepared, if it still is what a commit of `candidate` would do.
  Result<Prepared> take_prepared(const tree::ConfigTree& candidate) {
    auto taken = std::exchange(prepared_, std::nullopt);
    const std::string hint = "'commit prepare' first, then 'commit activate'";
    if (!taken) {
      return base::fail(Code::Conflict, "no commit is prepared that fits what runs now", {}, hint);
    }
    if (!tree::Delta(taken->candidate, candidate).empty()) {
      return base::fail(Code::Conflict, "the candidate has changed since it was prepared", {},
                        hint);
    }
    auto facts = read_facts(system_, defaults_);
    if (!facts) {
      return std::unexpected(facts.error());
    }
    if (differ(*facts, *taken->draft.after.facts)) {
      return base::fail(Code::Conflict, "the machine has changed since the commit was prepared", {},
                        hint);
    }
    return std::move(*taken);
  }

  // In what plans follow; addresses of others matter to checks only.
  static bool differ(const Facts& a, const Facts& b) {
    return a.links != b.links || a.features != b.features;
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
    CommitReport report;
    auto done = request.prepared ? commit_prepared(request, observer)
                                 : commit_now(request, report.diagnostics, observer);
    if (done) {
      report.committed = true;
      report.revision = *done;
      if (request.full) {
        report_full(report, observer);
      }
    } else if (!report.diagnostics.has_errors()) {
      add_error(report.diagnostics, done.error());
    }
    report.degraded = degraded();
    return report;
  }

  Result<RevisionId> commit_prepared(const CommitRequest& request, Observer* observer) {
    auto prepared = take_prepared(request.candidate);
    if (!prepared) {
      return std::unexpected(prepared.error());
    }
    prepared->transaction.observe(observer);
    return run(request, prepared->draft, prepared->transaction, observer);
  }

  // Findings go to `diagnostics`; when they have errors, so has the result.
  Result<RevisionId> commit_now(const CommitRequest& request, Diagnostics& diagnostics,
                                Observer* observer) {
    prepared_.reset();
    heal();
    Draft ready = draft(request.candidate);
    diagnostics = std::move(ready.diagnostics);
    if (diagnostics.has_errors()) {
      return base::fail(Code::Constraint, "the candidate has errors");
    }
    auto steps = steps_of(ready);
    if (!steps) {
      return std::unexpected(steps.error());
    }
    Transaction transaction(std::move(*steps), system_, observer);
    if (transaction.empty() && request.comment.empty() && request.label.empty() && !request.trial &&
        tree::Delta(running_, request.candidate).empty()) {
      return nothing_to_do();
    }
    if (auto prepared = transaction.prepare(); !prepared) {
      return std::unexpected(prepared.error());
    }
    return run(request, ready, transaction, observer);
  }

  Result<RevisionId> nothing_to_do() {
    const RevisionId id = revisions_.front().id;
    if (trial_) {
      if (auto confirmed = confirm(trial_->revision); !confirmed) {
        return std::unexpected(confirmed.error());
      }
    }
    return id;
  }

  void report_full(CommitReport& report, Observer* observer) {
    std::set<std::string> degraded;
    for (const auto& [name, error] : reconcile(everything(), world_, system_, observer)) {
      degraded.insert(name);
      report.diagnostics.warning(
          {}, {}, std::format("{} does not follow the configuration: {}", name, error.message));
    }
    set_degraded(std::move(degraded));
  }

  // The revision that `request` makes. Errors: what keeps it from being one.
  // Requires: `transaction` is prepared.
  Result<RevisionId> run(const CommitRequest& request, const Draft& ready, Transaction& transaction,
                         Observer* observer) {
    const auto revision = new_revision(request, revisions_, trial_);
    if (!revision) {
      return std::unexpected(revision.error());
    }
    const auto id = log_.prepare(*revision, request.candidate, names_of(transaction.steps()));
    if (!id) {
      return std::unexpected(id.error());
    }
    volatile_.set_committing(*id);
    if (revision->trial) {
      volatile_.set_trial(*id, deadline_of(*revision));
    }
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
      volatile_.clear_trial(*id);
      return std::unexpected(done.error());
    }
    adopt(ready);
    replace_trial(revisions_.front());
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
    publish(log_.running());
    if (degraded != degraded_) {
      set_degraded(std::move(degraded));
    }
  }

  void publish(const tree::ConfigTree& running) {
    const std::scoped_lock lock(mutex_);
    running_ = running;
    revisions_ = log_.revisions();
  }

  // ===== trials =====

  std::optional<Trial> trial() const override {
    const std::scoped_lock lock(mutex_);
    return trial_;
  }
  std::chrono::seconds boot_time() const override { return boot_clock_(); }
  SavedConfigurations& saved() const override { return saved_; }
  Schedule& schedule() const override { return schedule_; }

  std::chrono::seconds deadline_of(const Revision& revision) const {
    return boot_clock_() + std::chrono::minutes(revision.trial->minutes);
  }

  static Trial trial_of(const Revision& revision, std::chrono::seconds deadline) {
    return {revision.id, revision.previous, revision.user, revision.via, *revision.trial, deadline};
  }

  void set_trial(std::optional<Trial> trial) {
    const std::scoped_lock lock(mutex_);
    trial_ = std::move(trial);
  }

  // `revision` has just been committed: its own trial begins, the one before it is over.
  void replace_trial(const Revision& revision) {
    const auto old = trial();
    if (revision.trial) {
      const auto deadline = deadline_of(revision);  // the commit itself may have taken long
      volatile_.set_trial(revision.id, deadline);
      set_trial(trial_of(revision, deadline));
    } else {
      set_trial(std::nullopt);
    }
    if (old) {
      volatile_.clear_trial(old->revision);
    }
  }

  Result<void> confirm(RevisionId revision) override {
    if (!trial_ || trial_->revision != revision) {
      return not_on_trial(revision);
    }
    if (auto done = log_.confirm(); !done) {
      return done;
    }
    set_trial(std::nullopt);
    volatile_.clear_trial(revision);
    return {};
  }

  static std::unexpected<base::Error> not_on_trial(RevisionId revision) {
    return base::fail(Code::Conflict,
                      std::format("revision {} does not wait for a confirmation", revision));
  }

  CommitReport reject(RevisionId revision, const std::string& user, const std::string& via,
                      const std::string& comment, Observer* observer) override {
    CommitReport report;
    if (!trial_ || trial_->revision != revision) {
      add_error(report.diagnostics, not_on_trial(revision).error());
      return report;
    }
    auto before = log_.tree_of(trial_->previous);
    if (!before) {
      add_error(report.diagnostics, before.error());
      return report;
    }
    CommitRequest request{*before, user, via, comment};
    report = commit(request, observer);
    return report.committed ? report : impose(std::move(request), report, observer);
  }

  // Puts `request` into force although `refused` says that it was refused.
  CommitReport impose(CommitRequest request, const CommitReport& refused, Observer* observer) {
    CommitReport report;
    for (const auto& finding : refused.diagnostics.items()) {
      report.diagnostics.warning(finding.level, finding.statement, finding.message);
    }
    volatile_.forget_started();
    const auto id = record({0, std::time(nullptr), request.user, request.via, request.comment},
                           request.candidate);
    if (!id) {
      // For the log the trial goes on, so whatever start comes next rolls it back again.
      volatile_.distrust();
      report.diagnostics.warning(
          {}, {}, std::format("the revision log takes no records: {}", id.error().message));
    }
    auto facts = read_facts(system_, defaults_);
    world_ = {expander_.effective(request.candidate),
              facts ? std::make_shared<Facts>(std::move(*facts)) : world_.facts};
    running_is_valid_ =
        !checker_.check_all(world_.tree).has_errors() &&
        !check::check_groups(nullptr, expander_.active(request.candidate)).has_errors();
    set_index(checker_.index_of(world_.tree));
    known_links_.set(*world_.facts);
    publish(request.candidate);
    std::set<std::string> degraded;
    for (const auto& [name, error] : reconcile(everything(), world_, system_, observer)) {
      degraded.insert(name);
      report.diagnostics.warning(
          {}, {}, std::format("{} does not follow the configuration: {}", name, error.message));
    }
    set_degraded(std::move(degraded));
    const auto old = trial();
    set_trial(std::nullopt);
    if (old && id) {
      volatile_.clear_trial(old->revision);
    }
    report.committed = true;
    report.revision = revisions_.front().id;
    report.degraded = this->degraded();
    return report;
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
    if (!degraded_.empty()) {
      heal(select(
          [&](const Applier& applier) { return degraded_.contains(std::string(applier.name())); }));
    }
  }

  // What `appliers` cannot do; they are what is degraded then.
  std::map<std::string, base::Error> heal(const std::vector<const Applier*>& appliers) {
    auto failed = reconcile(appliers, world_, system_, nullptr);
    std::set<std::string> degraded;
    for (const auto& [name, error] : failed) {
      degraded.insert(name);
    }
    if (degraded != degraded_) {
      set_degraded(std::move(degraded));
    }
    return failed;
  }

  // ===== the machine changes =====

  // A link that came or went is planned as in a commit. What fails is reconciled, now and whenever
  // this is called. The file of known links is written last, so that a process killed in between
  // leaves the next start with links it does not know.
  std::vector<std::string> follow_machine() override {
    const std::set<std::string> was_degraded = degraded_;
    std::vector<std::string> remarks;
    std::set<std::string> failed;
    Draft ready = draft(running());
    if (ready.diagnostics.has_errors()) {
      return {"the configuration does not fit this machine: " + ready.diagnostics.to_string()};
    }
    if (ready.after.facts != world_.facts) {
      std::vector<std::pair<std::string, Plan>> plans;
      for (const Applier* applier : ready.touched) {
        plans.emplace_back(applier->name(), applier->plan(world_, ready.after, ready.delta));
      }
      Transaction transaction(order_steps(std::move(plans)), system_, nullptr);
      for (const PlannedStep& step : transaction.steps()) {
        remarks.push_back(std::format("{}: {}", step.applier, step.step->description()));
      }
      for (const auto& [name, error] : transaction.run_independently()) {
        failed.insert(name);
      }
      world_ = ready.after;
    }
    const auto appliers = select([&](const Applier& applier) {
      const std::string name(applier.name());
      return degraded_.contains(name) || failed.contains(name) || applier.unsettled(system_);
    });
    if (!appliers.empty()) {
      for (const auto& [name, error] : heal(appliers)) {
        remarks.push_back(
            std::format("alarm: {} does not follow the configuration: {}", name, error.message));
      }
    }
    for (const std::string& name : was_degraded) {
      if (!degraded_.contains(name)) {
        remarks.push_back(std::format("{} follows the configuration again", name));
      }
    }
    known_links_.set(*world_.facts);
    return remarks;
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
