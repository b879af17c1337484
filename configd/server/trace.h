// SPDX-License-Identifier: GPL-2.0-or-later
//
// `commit | display detail`: what the engine does, with the time of each step since the beginning.
#pragma once

#include <chrono>
#include <string>

#include "commit/engine.h"

namespace millrace::server {

// One commit. What it is told goes on to `next` (may be null), whose answer counts.
class Trace : public commit::Observer {
 public:
  explicit Trace(commit::Observer* next) : next_(next) {}

  base::Result<void> at(Moment moment, const commit::PlannedStep* step) override;
  // "     0.013  apply    interfaces: add address 192.0.2.1/24 to eth0", a line for each moment.
  // What lies between two lines took the time between them.
  const std::string& text() const { return text_; }
  void add(std::string_view what, std::string_view detail = {});

 private:
  commit::Observer* next_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::string text_;
};

}  // namespace millrace::server
