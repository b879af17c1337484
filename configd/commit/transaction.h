// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs the steps of several appliers in one order, and takes them back. The log is the engine's.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "commit/engine.h"

namespace millrace::commit {

// Teardown in reverse order of appliers, build and switch in order, retire in reverse; within one
// applier and phase as planned. `plans` are in the order of the sorted registry.
std::vector<PlannedStep> order_steps(std::vector<std::pair<std::string, Plan>> plans);

// What went wrong at one step, as an error of the system: "interfaces: add address …: refused".
base::Error step_error(const PlannedStep& step, const base::Error& cause);

class Transaction {
 public:
  // `system` and `observer` (may be null) outlive it.
  Transaction(std::vector<PlannedStep> steps, system::System& system, Observer* observer)
      : steps_(std::move(steps)), system_(system), observer_(observer) {}

  // Who is told from now on; the steps may outlive the commit that prepared them.
  void observe(Observer* observer) { observer_ = observer; }

  bool empty() const { return steps_.empty(); }
  const std::vector<PlannedStep>& steps() const { return steps_; }

  // All prepares; stops at the first that fails, which has no visible effect.
  base::Result<void> prepare();
  // Requires: prepare() succeeded. Stops at the first failure; undo() then takes back what ran.
  base::Result<void> apply();
  // Undoes every step that apply() started, in reverse. After a failure it goes on with the other
  // appliers; returns those that have one, which must be reconciled.
  std::set<std::string> undo();

  // For reconciling, where each applier stands for itself: runs everything, skips the rest of an
  // applier whose step failed. Returns the first error of each.
  std::map<std::string, base::Error> run_independently();

 private:
  base::Result<void> prepare_step(PlannedStep& step);
  base::Result<void> apply_step(PlannedStep& step);
  base::Result<void> notify(Observer::Moment moment, const PlannedStep& step);

  std::vector<PlannedStep> steps_;
  system::System& system_;
  Observer* observer_;
  std::size_t started_ = 0;  // steps whose apply() was called
};

}  // namespace millrace::commit
