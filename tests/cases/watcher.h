// SPDX-License-Identifier: GPL-2.0-or-later
//
// What interrupts a commit in tests: an observer that fails or kills at one of its moments.
#pragma once

#include <array>
#include <cstddef>
#include <format>
#include <string>

#include "commit/engine.h"

namespace millrace::cases {

// Thrown where the daemon dies: what is left is what a crash there leaves.
struct Crash {};

// Writes down the steps, and interrupts the n-th moment. A moment is what Observer is told of.
class Watcher : public commit::Observer {
 public:
  static constexpr std::size_t kNever = ~std::size_t{0};
  explicit Watcher(std::size_t at = kNever, bool crash = false, std::size_t undo_at = kNever)
      : at_(at), undo_at_(undo_at), crash_(crash) {}

  base::Result<void> at(Moment moment, const commit::PlannedStep* step) override {
    if (moment == Moment::Prepare) {
      static constexpr std::array kPhases = {"teardown", "build", "switch", "retire"};
      plan_ += std::format("[{}] {}: {}{}\n", kPhases.at(static_cast<std::size_t>(step->phase)),
                           step->applier, step->step->description(),
                           step->step->disruptive() ? " (disruptive)" : "");
    }
    if (moment == Moment::Undo && undo_seen_++ == undo_at_) {
      return base::fail(base::Code::ApplyFailed, "injected failure of an undo");
    }
    if (seen_++ != at_) {
      return {};
    }
    moment_ = moment;
    if (crash_) {
      throw Crash();
    }
    return base::fail(base::Code::ApplyFailed, "injected failure");
  }
  const std::string& plan() const { return plan_; }
  bool happened() const { return at_ != kNever && seen_ > at_; }
  bool undo_failed() const { return undo_at_ != kNever && undo_seen_ > undo_at_; }
  Moment moment() const { return moment_; }

 private:
  std::size_t at_;
  std::size_t undo_at_;
  bool crash_;
  std::size_t seen_ = 0;
  std::size_t undo_seen_ = 0;
  Moment moment_ = Moment::Prepare;
  std::string plan_;
};

}  // namespace millrace::cases
