// SPDX-License-Identifier: GPL-2.0-or-later
//
// The configuration follows the machine: when a link comes, goes or gets another name, and while a
// subsystem is degraded (FRR may only be starting), the engine is asked to follow, on the commit
// thread as everything that changes the system. Links come in bursts, so a moment passes first; a
// subsystem that stays degraded is asked about less and less often.
#pragma once

#include <optional>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/commit_thread.h"
#include "server/services.h"
#include "system/link_monitor.h"

namespace millrace::server {

class MachineWatch {
 public:
  // `executor` is a strand; everything else is called on it. `services` and `commits` outlive this.
  MachineWatch(boost::asio::any_io_executor executor, Services& services, CommitThread& commits);

  // Ends after stop(). Requires: this outlives it.
  boost::asio::awaitable<void> run();
  void stop();

 private:
  void listen();
  boost::asio::awaitable<void> pause(std::chrono::steady_clock::duration time);
  boost::asio::awaitable<void> follow();

  Services& services_;
  CommitThread& commits_;
  std::optional<system::LinkMonitor> monitor_;
  boost::asio::posix::stream_descriptor links_;
  boost::asio::steady_timer timer_;
  std::vector<std::string> said_;  // the last time: nobody wants to read it every ten seconds
  bool links_changed_ = true;      // perhaps, between the start of the engine and ours
  bool settling_ = false;
  bool stopping_ = false;
};

}  // namespace millrace::server
