// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one thread that may change the system. Sessions hand it work and are resumed on their own
// executor when it is done; while it works everybody else goes on reading and editing.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>

#include "commit/engine.h"

namespace millrace::server {

// What the engine is doing now, for `progress` notifications. Thread-safe.
class Progress : public commit::Observer {
 public:
  base::Result<void> at(Moment moment, const commit::PlannedStep* step) override;
  // The present step, once: empty when it did not change since the last call.
  std::string take();

 private:
  std::mutex mutex_;
  std::string text_;
  bool fresh_ = false;
};

class CommitThread {
 public:
  // False when the daemon is stopping: `work` did not run. Exceptions of `work` are rethrown here.
  boost::asio::awaitable<bool> run(std::function<void()> work);
  // Lets the present work end; what waits behind it is refused.
  void stop() { stopping_ = true; }
  void join() { pool_.join(); }

 private:
  std::atomic<bool> stopping_ = false;
  boost::asio::thread_pool pool_{1};
};

}  // namespace millrace::server
