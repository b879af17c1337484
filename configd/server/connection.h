// SPDX-License-Identifier: GPL-2.0-or-later
//
// One client's socket. Two coroutines on one strand: the reader takes a request, has it handled and
// queues the response; the writer empties the queue. A client that does not read fills its own
// queue and then waits for itself: its next request is not taken. A client that stops in the middle
// of a message, or of taking one, is disconnected.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/session.h"

namespace millrace::server {

struct Limits {
  std::size_t connections = 64;
  std::size_t message = kMaxMessage;
  std::size_t queued = std::size_t{4} << 20;  // bytes waiting before requests wait too
  std::chrono::milliseconds half_message{30000};
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Socket = boost::asio::local::stream_protocol::socket;

  // `socket` has a strand as its executor.
  Connection(Socket socket, Services& services, CommitThread& commits, Peer peer,
             const Limits& limits);

  // Serves until either side ends it, then calls `ended` on the strand.
  void start(std::function<void()> ended);
  void close();  // from any thread

 private:
  boost::asio::awaitable<void> read_requests();
  boost::asio::awaitable<void> write_queue();
  boost::asio::awaitable<std::optional<std::string>> read_message();
  boost::asio::awaitable<bool> read_all(char* data, std::size_t size);
  void send(const nlohmann::json& message);
  boost::asio::awaitable<void> drain();
  void shut();
  void shut_at(boost::asio::steady_timer& timer);  // unless the timer is cancelled before

  Socket socket_;
  Services& services_;
  const Limits& limits_;
  boost::asio::steady_timer deadline_;     // of the message being read
  boost::asio::steady_timer queue_moved_;  // cancelled whenever the queue changes
  std::deque<std::string> queue_;
  std::size_t queued_ = 0;
  bool finished_ = false;  // no more requests: the writer ends when the queue is empty
  Session session_;
};

}  // namespace millrace::server
