// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <mutex>
#include <utility>

#include "tree/effective.h"

namespace millrace::server {

// What configurations amount to, expanded once for all sessions: above all the one in force, which
// every request asks for. Thread-safe.
class EffectiveRunning {
 public:
  explicit EffectiveRunning(tree::ConfigTree running)
      : running_(std::move(running)), effective_(expander_.effective(running_)) {}

  tree::ConfigTree of(const tree::ConfigTree& running) {
    const std::lock_guard lock(mutex_);
    if (running.root_ptr() != running_.root_ptr()) {
      running_ = running;
      effective_ = expander_.effective(running_);
    }
    return effective_;
  }
  // Of a candidate. Cost: what differs from the trees that were asked for before.
  tree::ConfigTree of_candidate(const tree::ConfigTree& candidate) {
    const std::lock_guard lock(mutex_);
    return candidate.root_ptr() == running_.root_ptr() ? effective_
                                                       : expander_.effective(candidate);
  }

 private:
  std::mutex mutex_;
  tree::Expander expander_;     // guarded by mutex_
  tree::ConfigTree running_;    // guarded by mutex_
  tree::ConfigTree effective_;  // guarded by mutex_
};

}  // namespace millrace::server
