// SPDX-License-Identifier: GPL-2.0-or-later
//
// The smallest thing a commit does. A step knows the state before and after from the trees, so undo
// needs no memory of what apply found, and recovery may repeat either.
//
// Requires of every step:
//   prepare  may fail, has no visible effect (nft -c, chronyd -p, writing a temporary file)
//   apply    reaches the state after, from the state before or from itself half-applied
//   undo     reaches the state before, from the state after or from itself half-applied
// All prepares of a plan run before the first apply. Not thread-safe; the engine runs one at a
// time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "system/system.h"

namespace millrace::commit {

class Step {
 public:
  virtual ~Step() = default;

  // "add address 192.0.2.1/24 to eth0": imperative, without the applier's name; one line, no
  // secrets. Shown by `show | plan` and compared by golden cases.
  virtual std::string description() const = 0;
  // State is lost or traffic interrupted even when all goes well (a device is recreated, a service
  // restarted). Shown by `show | plan`.
  virtual bool disruptive() const { return false; }

  virtual base::Result<void> prepare(system::System&) { return {}; }
  virtual base::Result<void> apply(system::System& system) = 0;
  virtual base::Result<void> undo(system::System& system) = 0;
};

// Make before break: what is new is built, then users are switched to it, then what is old goes.
// Only exclusive resources (an address moving between links, a VLAN id) are torn down first.
enum class Phase : std::uint8_t { Teardown, Build, Switch, Retire };

struct PlannedStep {
  Phase phase = Phase::Build;
  std::string applier;
  std::unique_ptr<Step> step;
};

// Steps of one applier in the order they must run within each phase.
class Plan {
 public:
  void add(Phase phase, std::unique_ptr<Step> step) {
    steps_.push_back({phase, {}, std::move(step)});
  }
  bool empty() const { return steps_.empty(); }
  std::vector<PlannedStep>& steps() { return steps_; }
  const std::vector<PlannedStep>& steps() const { return steps_; }

 private:
  std::vector<PlannedStep> steps_;
};

}  // namespace millrace::commit
