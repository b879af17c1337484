// SPDX-License-Identifier: GPL-2.0-or-later
//
// What happens because time passes: a trial that nobody confirmed is rolled back, a command that
// decides about one is tried, a scheduled commit is made. The server asks once a second; both
// clocks are read anew each time, so it does not matter that a second can be late, that the machine
// slept, or that somebody set the clock: trials follow the clock that counts from the boot,
// scheduled commits the one on the wall.
//
// Not thread-safe; one caller.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "server/services.h"

namespace millrace::server {

class Timekeeper {
 public:
  // `services` outlives it.
  explicit Timekeeper(Services& services) : services_(services) {}

  // What is due for the commit thread, now that the wall clock says `now`; empty when nothing is.
  std::function<void()> due(std::int64_t now);
  // What is due and changes nothing, for a thread that may wait: the probe of a trial.
  std::function<void()> due_probe();

 private:
  std::function<void()> end_trial(const commit::Trial& trial);
  std::function<void()> run_scheduled();
  void roll_back(const commit::Trial& trial);

  Services& services_;
  // After a rollback or a confirmation that failed: when it is tried again.
  std::chrono::seconds retry_{0};
  // Of the trial's probe, in a row; the thread that runs it and the one that asks take turns.
  commit::RevisionId probed_ = 0;
  int successes_ = 0;
  std::string last_failure_;
};

}  // namespace millrace::server
