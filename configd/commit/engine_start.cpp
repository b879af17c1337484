// SPDX-License-Identifier: GPL-2.0-or-later
//
// What brings the system to the last committed revision, and keeps it there, without a commit: the
// start of the daemon, and links that come and go.
#include <ctime>

#include "commit/engine_impl.h"
#include "commit/reconcile.h"

namespace millrace::commit {

Result<StartReport> EngineImpl::start(Observer* observer) {
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
  hold(running(), std::make_shared<Facts>(std::move(*facts)));
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

std::vector<const Applier*> EngineImpl::to_reconcile(const Recovery& recovery) {
  std::set<std::string> names = volatile_.degraded();
  if (recovery.interrupted) {
    names.insert(recovery.touched.begin(), recovery.touched.end());
  }
  return select([&](const Applier& applier) {
    return names.contains(std::string(applier.name())) || applier.unsettled(system_);
  });
}

bool EngineImpl::resume_trial(StartReport& report) {
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
  const Revision back{0, std::time(nullptr), "root", "other",
                      std::format("revision {} was not confirmed before the restart", revision.id)};
  if (const auto id = record(back, *before); id) {
    report.revision = *id;
  } else {
    report.remarks.push_back(
        std::format("alarm: the revision log takes no records: {}", id.error().message));
  }
  report.remarks.push_back(
      std::format("{} was not confirmed before the restart and has been rolled back to revision {}",
                  commit_name(revision.id), revision.previous));
  publish(*before);
  return false;
}

Result<RevisionId> EngineImpl::record(const Revision& revision, const tree::ConfigTree& tree) {
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

std::string EngineImpl::commit_name(RevisionId id) const {
  if (id == log_.recovery().interrupted) {
    return std::format("commit {} by {}", id, log_.recovery().user);
  }
  return std::format("commit {} by {}", id, log_.revisions().front().user);
}

std::vector<std::string> EngineImpl::follow_machine() {
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

}  // namespace millrace::commit
