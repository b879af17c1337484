// SPDX-License-Identifier: GPL-2.0-or-later
//
// One client's socket. Two coroutines on one strand: the reader takes a request, has it handled and
// queues the response; the writer empties the queue. A client that does not read fills its own
// queue and then waits for itself: its next request is not taken. A client that stops in the middle
// of a message, or of taking one, is disconnected, and so is one that lets notices pile up. A third
// coroutine sends away who has been silent for too long.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/session.h"

namespace millrace::server {

struct Limits {
  std::size_t connections = 64;
  std::size_t per_user = 32;  // of those; root, who must be able to help, is counted in neither
  std::size_t message = kMaxMessage;
  std::size_t queued = std::size_t{4} << 20;  // bytes waiting before requests wait too
  std::chrono::milliseconds half_message{30000};
  std::chrono::milliseconds minute{60000};  // of idle limits
};

// Why a new connection of `user` does not fit in beside those of the `connected` users; empty when
// it does. Root is let in beyond what others fill: somebody must be able to send them away.
std::string crowded(const std::vector<uid_t>& connected, uid_t user, const Limits& limits);

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Socket = boost::asio::local::stream_protocol::socket;

  // `socket` has a strand as its executor.
  Connection(Socket socket, Services& services, CommitThread& commits, Peer peer,
             const Limits& limits);

  // Serves until either side ends it, then calls `ended` on the strand.
  void start(std::function<void()> ended);
  void close();  // from any thread
  uid_t user() const { return user_; }

 private:
  boost::asio::awaitable<void> read_requests();
  boost::asio::awaitable<void> write_queue();
  boost::asio::awaitable<void> watch_idling();
  boost::asio::awaitable<bool> quiet_until(std::chrono::steady_clock::time_point end);
  void tell(const std::string& text);
  // Says `text`, frees what the session holds and ends it.
  void dismiss(const std::string& text);
  boost::asio::awaitable<std::optional<std::string>> read_message();
  boost::asio::awaitable<bool> read_all(char* data, std::size_t size);
  void send(const nlohmann::json& message);
  boost::asio::awaitable<void> drain();
  void shut();
  void shut_at(boost::asio::steady_timer& timer);  // unless the timer is cancelled before

  Socket socket_;
  Services& services_;
  const Limits& limits_;
  uid_t user_;
  boost::asio::steady_timer deadline_;     // of the message being read
  boost::asio::steady_timer queue_moved_;  // cancelled whenever the queue changes
  std::deque<std::string> queue_;
  std::size_t queued_ = 0;
  boost::asio::steady_timer idling_;  // cancelled by every request
  std::chrono::steady_clock::time_point last_request_ = std::chrono::steady_clock::now();
  bool busy_ = false;      // with a request
  bool finished_ = false;  // no more requests: the writer ends when the queue is empty
  Session session_;
};

}  // namespace millrace::server
