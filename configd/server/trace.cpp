// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/trace.h"

#include <format>

namespace millrace::server {
namespace {

std::string_view name_of(commit::Observer::Moment moment) {
  using Moment = commit::Observer::Moment;
  switch (moment) {
    case Moment::Prepare:
      return "prepare";
    case Moment::Logged:
      return "logged";
    case Moment::Apply:
      return "apply";
    case Moment::Applied:
      return "applied";
    case Moment::Undo:
      return "undo";
    case Moment::Committed:
      return "committed";
  }
  return "";
}

}  // namespace

void Trace::add(std::string_view what, std::string_view detail) {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  text_ += detail.empty() ? std::format("{:10.3f}  {}\n", passed.count(), what)
                          : std::format("{:10.3f}  {:<9}  {}\n", passed.count(), what, detail);
}

base::Result<void> Trace::at(Moment moment, const commit::PlannedStep* step) {
  // The end of a step is the beginning of the next.
  if (moment != Moment::Applied) {
    add(name_of(moment), step != nullptr && step->step != nullptr
                             ? step->applier + ": " + step->step->description()
                             : std::string());
  }
  return next_ == nullptr ? base::Result<void>() : next_->at(moment, step);
}

}  // namespace millrace::server
