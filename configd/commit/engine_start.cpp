// SPDX-License-Identifier: GPL-2.0-or-later
//
// What brings the system to the last committed revision, and keeps it there, without a commit: the
// start of the daemon, and links that come and go.
#include <algorithm>
#include <ctime>
#include <ranges>

#include "commit/engine_impl.h"
#include "commit/reconcile.h"
#include "tree/keep_unknown.h"

namespace millrace::commit {
namespace {

// Enough to see what is wrong; a router full of alarms hides the first one.
constexpr std::size_t kMaxUnknownRemarks = 20;

}  // namespace

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
  const RevisionId before_trial = revisions_.front().previous;
  const bool taken_back = !resume_trial(report);
  hold(running(), std::make_shared<Facts>(std::move(*facts)));
  const auto appliers = report.booted || taken_back || !known_links_.are(*world_.facts)
                            ? everything()
                            : to_reconcile(recovery);
  auto failed = reconcile(appliers, world_, system_, observer);
  if ((report.booted || taken_back) && !to_blame_configuration_for(failed).empty()) {
    const RevisionId newest = taken_back ? before_trial : revisions_.front().id;
    failed = boot_older(newest, std::move(failed), report, observer);
  }
  if (!running_is_valid_) {
    report.remarks.push_back(std::format(
        "alarm: revision {} breaks rules of this version; see commit check", report.revision));
  }
  say_unknown_statements(report);
  std::set<std::string> degraded;
  for (const auto& [name, error] : failed) {
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
  put_in_force(back, *before, report);
  report.remarks.push_back(
      std::format("{} was not confirmed before the restart and has been rolled back to revision {}",
                  commit_name(revision.id), revision.previous));
  return false;
}

std::vector<const Applier*> EngineImpl::to_blame_configuration_for(
    const std::map<std::string, base::Error>& failed) const {
  return select([&](const Applier& applier) {
    const auto found = failed.find(std::string(applier.name()));
    return found != failed.end() && found->second.code != Code::Io;
  });
}

std::map<std::string, base::Error> EngineImpl::boot_older(RevisionId newest,
                                                          std::map<std::string, base::Error> failed,
                                                          StartReport& report, Observer* observer) {
  const tree::ConfigTree last = running();
  const std::vector<const Applier*> refused = to_blame_configuration_for(failed);
  const std::string why =
      std::format("revision {} cannot be applied as a whole: {}", report.revision,
                  failed.at(std::string(refused.front()->name())).message);
  tree::ConfigTree tried = world_.tree;
  std::vector<const Applier*> failing = refused;
  for (const Revision& revision : revisions()) {
    const auto tree = revision.id > newest || revision.id == 0 ? base::fail(Code::UnknownPath, "")
                                                               : log_.tree_of(revision.id);
    if (!tree) {
      continue;
    }
    hold(*tree, world_.facts);
    // What is the same for the subsystem that refused would be refused again.
    const tree::Delta difference(tried, world_.tree);
    if (!running_is_valid_ || std::ranges::none_of(failing, [&](const Applier* applier) {
          return touches(*applier, difference);
        })) {
      continue;
    }
    auto now = reconcile(everything(), world_, system_, observer);
    failing = to_blame_configuration_for(now);
    if (failing.empty()) {
      report.remarks.push_back(
          std::format("alarm: {}; revision {} is in force instead, the other is "
                      "in its place among the revisions",
                      why, revision.id));
      put_in_force({0, std::time(nullptr), "root", "other", why}, *tree, report);
      return now;
    }
    tried = world_.tree;
  }
  report.remarks.push_back(std::format(
      "alarm: {}; no older revision can be applied either, so all of it is in force that "
      "can be",
      why));
  hold(last, world_.facts);
  return reconcile(everything(), world_, system_, observer);
}

void EngineImpl::put_in_force(const Revision& revision, const tree::ConfigTree& tree,
                              StartReport& report) {
  if (const auto id = record(revision, tree); id) {
    report.revision = *id;
  } else {
    report.remarks.push_back(
        std::format("alarm: the revision log takes no records: {}", id.error().message));
  }
  publish(tree);
}

void EngineImpl::say_unknown_statements(StartReport& report) const {
  const auto unknown = tree::unknown_statements(running());
  for (const tree::UnknownStatement& each : unknown | std::views::take(kMaxUnknownRemarks)) {
    report.remarks.push_back(
        std::format("alarm: statement \"{}\" is not known to this version and is kept without "
                    "effect: {}",
                    each.statement, each.reason));
  }
  if (unknown.size() > kMaxUnknownRemarks) {
    report.remarks.push_back(std::format("alarm: {} more statements are kept without effect",
                                         unknown.size() - kMaxUnknownRemarks));
  }
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
