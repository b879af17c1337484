// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/machine_watch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"

namespace millrace::server {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr auto kSettling = 100ms;
constexpr auto kFirstRetry = 250ms;
constexpr auto kLastRetry = 10s;
constexpr auto kIdle = 2s;  // until we see that a commit left something degraded

}  // namespace

MachineWatch::MachineWatch(asio::any_io_executor executor, Services& services,
                           CommitThread& commits)
    : services_(services), commits_(commits), links_(executor), timer_(executor) {
  auto monitor = system::LinkMonitor::open();
  if (!monitor) {
    base::log(base::Level::Warning, monitor.error().message +
                                        "; one that appears takes its configuration with the next "
                                        "commit");
    return;
  }
  monitor_ = std::move(*monitor);
  boost::system::error_code failed;
  links_.assign(::dup(monitor_->fd()), failed);  // asio closes what it is given
}

void MachineWatch::listen() {
  if (!links_.is_open()) {
    return;
  }
  links_.async_wait(asio::posix::stream_descriptor::wait_read,
                    [this](const boost::system::error_code& error) {
                      if (error || stopping_) {
                        return;
                      }
                      if (monitor_->changed()) {
                        links_changed_ = true;
                        if (!settling_) {
                          timer_.cancel();
                        }
                      }
                      listen();
                    });
}

asio::awaitable<void> MachineWatch::pause(std::chrono::steady_clock::duration time) {
  timer_.expires_after(time);
  co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
}

asio::awaitable<void> MachineWatch::run() {
  listen();
  std::chrono::steady_clock::duration retry = kFirstRetry;
  while (!stopping_) {
    const bool degraded = !services_.engine.degraded().empty();
    if (!degraded) {
      retry = kFirstRetry;
    }
    if (!links_changed_) {
      co_await pause(degraded ? retry : kIdle);
    }
    if (links_changed_ && !stopping_) {
      settling_ = true;
      co_await pause(kSettling);
      settling_ = false;
      links_changed_ = false;
      retry = kFirstRetry;
    } else if (degraded) {
      retry = std::min<std::chrono::steady_clock::duration>(2 * retry, kLastRetry);
    } else {
      continue;
    }
    if (!stopping_) {
      co_await follow();
    }
  }
}

asio::awaitable<void> MachineWatch::follow() {
  std::vector<std::string> remarks;
  co_await commits_.run([&] { remarks = services_.engine.follow_machine(); });
  for (const std::string& remark : remarks) {
    if (!std::ranges::contains(said_, remark)) {
      base::log(base::Level::Notice, remark);
    }
  }
  said_ = std::move(remarks);
}

void MachineWatch::stop() {
  stopping_ = true;
  boost::system::error_code ignored;
  links_.close(ignored);
  timer_.cancel();
}

}  // namespace millrace::server
