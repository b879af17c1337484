// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/commit_thread.h"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace millrace::server {

namespace asio = boost::asio;

base::Result<void> Progress::at(Moment moment, const commit::PlannedStep* step) {
  const std::lock_guard lock(mutex_);
  if (step && step->step) {
    text_ =
        step->applier + ": " + (moment == Moment::Undo ? "undo: " : "") + step->step->description();
    fresh_ = true;
  }
  return {};
}

std::string Progress::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(fresh_, false) ? text_ : std::string();
}

asio::awaitable<bool> CommitThread::run(std::function<void()> work) {
  co_return co_await asio::co_spawn(
      pool_,
      [this, work = std::move(work)]() -> asio::awaitable<bool> {
        if (stopping_) {
          co_return false;
        }
        work();
        co_return true;
      },
      asio::use_awaitable);
}

}  // namespace millrace::server
