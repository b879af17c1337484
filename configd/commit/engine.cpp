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

#include "check/groups.h"
#include "commit/engine_impl.h"
#include "commit/reconcile.h"
#include "tree/inheritance.h"

namespace millrace::commit {

tree::ConfigTree EngineImpl::running() const {
  const std::scoped_lock lock(mutex_);
  return running_;
}

std::vector<Revision> EngineImpl::revisions() const {
  const std::scoped_lock lock(mutex_);
  return revisions_;
}

std::vector<std::string> EngineImpl::remarks() const {
  const std::scoped_lock lock(mutex_);
  return remarks_;
}

std::vector<std::string> EngineImpl::degraded() const {
  const std::scoped_lock lock(mutex_);
  return {degraded_.begin(), degraded_.end()};
}

Diagnostics EngineImpl::check_candidate(const tree::ConfigTree& candidate) {
  return draft(candidate).diagnostics;
}

check::Findings EngineImpl::find_problems(const tree::ConfigTree& candidate) const {
  const auto running = [&] {
    const std::scoped_lock lock(mutex_);
    return checked_;
  }();
  // The memo of an expander is for one thread at a time.
  const std::scoped_lock lock(reading_mutex_);
  const tree::Delta delta(running.tree, reading_expander_.effective(candidate));
  return checker_.check(delta, running.index).findings;
}

Result<std::vector<StepLine>> EngineImpl::plan(const tree::ConfigTree& candidate) {
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

Draft EngineImpl::draft(const tree::ConfigTree& candidate) {
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

Diagnostics EngineImpl::group_rules(const tree::ConfigTree& candidate) {
  const tree::ConfigTree before = expander_.active(running());
  return check::check_groups(running_is_valid_ ? &before : nullptr, expander_.active(candidate));
}

bool EngineImpl::touches(const Applier& applier, const tree::Delta& delta) {
  const auto touched = [&](const std::string& path) { return delta.touches(path); };
  return !delta.empty() && (std::ranges::any_of(applier.owns(), touched) ||
                            std::ranges::any_of(applier.reads(), touched));
}

bool EngineImpl::drop_prepared() {
  const bool dropped = prepared_.has_value();
  prepared_.reset();
  return dropped;
}

Result<std::vector<PlannedStep>> EngineImpl::steps_of(Draft& ready) {
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

CommitReport EngineImpl::commit(CommitRequest request, Observer* observer) {
  CommitReport report;
  auto done = request.prepared ? commit_prepared(request, observer)
                               : commit_now(request, report.diagnostics, observer);
  if (done) {
    report.committed = true;
    report.revision = *done;
    if (request.full) {
      reconcile_everything(report.diagnostics, observer);
    }
  } else if (!report.diagnostics.has_errors()) {
    add_error(report.diagnostics, done.error());
  }
  report.degraded = degraded();
  return report;
}

Result<RevisionId> EngineImpl::commit_prepared(const CommitRequest& request, Observer* observer) {
  auto prepared = take_prepared(request.candidate);
  if (!prepared) {
    return std::unexpected(prepared.error());
  }
  prepared->transaction.observe(observer);
  return run(request, prepared->draft, prepared->transaction, observer);
}

Result<RevisionId> EngineImpl::commit_now(const CommitRequest& request, Diagnostics& diagnostics,
                                          Observer* observer) {
  auto ready = begin_commit(request.candidate, diagnostics, observer);
  if (!ready) {
    return std::unexpected(ready.error());
  }
  Transaction& transaction = ready->transaction;
  if (transaction.empty() && request.comment.empty() && request.label.empty() && !request.trial &&
      tree::Delta(running_, request.candidate).empty()) {
    return nothing_to_do();
  }
  if (auto prepared = transaction.prepare(); !prepared) {
    return std::unexpected(prepared.error());
  }
  return run(request, ready->draft, transaction, observer);
}

Result<Prepared> EngineImpl::begin_commit(const tree::ConfigTree& candidate,
                                          Diagnostics& diagnostics, Observer* observer) {
  prepared_.reset();
  heal();
  Draft ready = draft(candidate);
  diagnostics = std::move(ready.diagnostics);
  if (diagnostics.has_errors()) {
    return base::fail(Code::Constraint, "the candidate has errors");
  }
  auto steps = steps_of(ready);
  if (!steps) {
    return std::unexpected(steps.error());
  }
  return Prepared{candidate, std::move(ready), Transaction(std::move(*steps), system_, observer)};
}

Result<RevisionId> EngineImpl::nothing_to_do() {
  const RevisionId id = revisions_.front().id;
  if (trial_) {
    if (auto confirmed = confirm(trial_->revision); !confirmed) {
      return std::unexpected(confirmed.error());
    }
  }
  return id;
}

void EngineImpl::reconcile_everything(Diagnostics& diagnostics, Observer* observer) {
  std::set<std::string> degraded;
  for (const auto& [name, error] : reconcile(everything(), world_, system_, observer)) {
    degraded.insert(name);
    diagnostics.warning(
        {}, {}, std::format("{} does not follow the configuration: {}", name, error.message));
  }
  set_degraded(std::move(degraded));
}

Result<RevisionId> EngineImpl::run(const CommitRequest& request, const Draft& ready,
                                   Transaction& transaction, Observer* observer) {
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

Result<void> EngineImpl::notify(Observer* observer, Observer::Moment moment) {
  return observer == nullptr ? Result<void>() : observer->at(moment, nullptr);
}

void EngineImpl::adopt(const Draft& ready) {
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

void EngineImpl::publish(const tree::ConfigTree& running) {
  const std::scoped_lock lock(mutex_);
  running_ = running;
  revisions_ = log_.revisions();
}

std::optional<Trial> EngineImpl::trial() const {
  const std::scoped_lock lock(mutex_);
  return trial_;
}

void EngineImpl::set_trial(std::optional<Trial> trial) {
  const std::scoped_lock lock(mutex_);
  trial_ = std::move(trial);
}

void EngineImpl::take_back(Transaction& transaction, const std::vector<const Applier*>& touched,
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

void EngineImpl::heal() {
  if (!degraded_.empty()) {
    heal(select(
        [&](const Applier& applier) { return degraded_.contains(std::string(applier.name())); }));
  }
}

std::map<std::string, base::Error> EngineImpl::heal(const std::vector<const Applier*>& appliers) {
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

void EngineImpl::set_degraded(std::set<std::string> degraded) {
  volatile_.set_started(degraded);
  const std::scoped_lock lock(mutex_);
  degraded_ = std::move(degraded);
}

void EngineImpl::hold(const tree::ConfigTree& configuration, std::shared_ptr<const Facts> facts) {
  world_ = {expander_.effective(configuration), std::move(facts)};
  running_is_valid_ = !checker_.check_all(world_.tree).has_errors() &&
                      !check::check_groups(nullptr, expander_.active(configuration)).has_errors();
  set_index(checker_.index_of(world_.tree));
}

void EngineImpl::set_index(check::Index index) {
  index_ = std::move(index);
  const std::scoped_lock lock(mutex_);
  checked_ = {world_.tree, index_};
}

std::vector<std::string> EngineImpl::names_of(const std::vector<PlannedStep>& steps) {
  std::set<std::string> names;
  for (const PlannedStep& step : steps) {
    names.insert(step.applier);
  }
  return {names.begin(), names.end()};
}

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
