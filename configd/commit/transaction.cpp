// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/transaction.h"

#include <format>
#include <map>
#include <ranges>

namespace millrace::commit {

using base::Result;

std::vector<PlannedStep> order_steps(std::vector<std::pair<std::string, Plan>> plans) {
  std::vector<PlannedStep> ordered;
  const auto take = [&](auto&& in_order, Phase phase) {
    for (auto& [name, plan] : in_order) {
      for (PlannedStep& step : plan.steps()) {
        if (step.step != nullptr && step.phase == phase) {
          step.applier = name;
          ordered.push_back(std::move(step));
        }
      }
    }
  };
  take(plans | std::views::reverse, Phase::Teardown);
  take(plans, Phase::Build);
  take(plans, Phase::Switch);
  take(plans | std::views::reverse, Phase::Retire);
  return ordered;
}

base::Error step_error(const PlannedStep& step, const base::Error& cause) {
  base::Error error = cause;
  error.message =
      std::format("{}: cannot {}: {}", step.applier, step.step->description(), cause.message);
  return error;
}

Result<void> Transaction::notify(Observer::Moment moment, const PlannedStep& step) {
  return observer_ == nullptr ? Result<void>() : observer_->at(moment, &step);
}

Result<void> Transaction::prepare_step(PlannedStep& step) {
  auto done =
      notify(Observer::Moment::Prepare, step).and_then([&] { return step.step->prepare(system_); });
  return done ? done : std::unexpected(step_error(step, done.error()));
}

Result<void> Transaction::apply_step(PlannedStep& step) {
  auto done = notify(Observer::Moment::Apply, step)
                  .and_then([&] { return step.step->apply(system_); })
                  .and_then([&] { return notify(Observer::Moment::Applied, step); });
  return done ? done : std::unexpected(step_error(step, done.error()));
}

Result<void> Transaction::prepare() {
  for (PlannedStep& step : steps_) {
    if (auto done = prepare_step(step); !done) {
      return done;
    }
  }
  return {};
}

Result<void> Transaction::apply() {
  for (PlannedStep& step : steps_) {
    ++started_;
    if (auto done = apply_step(step); !done) {
      return done;
    }
  }
  return {};
}

std::set<std::string> Transaction::undo() {
  std::set<std::string> failed;
  for (; started_ > 0; --started_) {
    PlannedStep& step = steps_[started_ - 1];
    if (failed.contains(step.applier)) {
      continue;  // what is left may stand on what failed, such as the mark by which it is found again
    }
    const auto done =
        notify(Observer::Moment::Undo, step).and_then([&] { return step.step->undo(system_); });
    if (!done) {
      failed.insert(step.applier);
    }
  }
  return failed;
}

std::map<std::string, base::Error> Transaction::run_independently() {
  std::map<std::string, base::Error> failed;
  const auto run = [&](auto&& action) {
    for (PlannedStep& step : steps_) {
      if (failed.contains(step.applier)) {
        continue;
      }
      if (auto done = action(step); !done) {
        failed.emplace(step.applier, done.error());
      }
    }
  };
  run([this](PlannedStep& step) { return prepare_step(step); });
  run([this](PlannedStep& step) { return apply_step(step); });
  return failed;
}

}  // namespace millrace::commit
