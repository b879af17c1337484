// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/connection.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>

namespace millrace::server {
namespace {

namespace asio = boost::asio;
constexpr auto kNoThrow = asio::as_tuple(asio::use_awaitable);
// A message grows as it arrives, so a length alone cannot make us reserve 64 MiB.
constexpr std::size_t kChunk = std::size_t{256} << 10;

}  // namespace

std::string crowded(const std::vector<uid_t>& connected, uid_t user, const Limits& limits) {
  const auto own = static_cast<std::size_t>(std::ranges::count(connected, user));
  if (user == 0) {
    return own >= limits.connections ? "too many connections" : "";
  }
  if (own >= limits.per_user) {
    return "too many connections of this user: " + std::to_string(own);
  }
  const auto roots = static_cast<std::size_t>(std::ranges::count(connected, uid_t{0}));
  return connected.size() - roots >= limits.connections ? "too many connections" : "";
}

Connection::Connection(Socket socket, Services& services, CommitThread& commits, Peer peer,
                       const Limits& limits)
    : socket_(std::move(socket)),
      services_(services),
      limits_(limits),
      user_(peer.uid),
      deadline_(socket_.get_executor()),
      queue_moved_(socket_.get_executor(), asio::steady_timer::time_point::max()),
      idling_(socket_.get_executor(), asio::steady_timer::time_point::max()),
      session_(services, commits, std::move(peer),
               [this](const nlohmann::json& message) { send(message); }) {}

void Connection::start(std::function<void()> ended) {
  // From any thread to this connection's own.
  const auto deliver = [weak = weak_from_this(), executor = socket_.get_executor()](
                           void (Connection::*what)(const std::string&)) {
    return [weak, executor, what](const std::string& text) {
      asio::post(executor, [weak, what, text] {
        if (const auto self = weak.lock()) {
          (*self.*what)(text);
        }
      });
    };
  };
  services_.notices.subscribe(session_.number(), deliver(&Connection::tell));
  services_.sessions.set_dismiss(session_.number(), deliver(&Connection::dismiss));
  asio::co_spawn(
      socket_.get_executor(),
      [self = shared_from_this()]() -> asio::awaitable<void> { co_await self->watch_idling(); },
      asio::detached);
  asio::co_spawn(
      socket_.get_executor(),
      [self = shared_from_this()]() -> asio::awaitable<void> { co_await self->write_queue(); },
      asio::detached);
  asio::co_spawn(
      socket_.get_executor(),
      [self = shared_from_this(), ended = std::move(ended)]() -> asio::awaitable<void> {
        co_await self->read_requests();
        self->services_.notices.unsubscribe(self->session_.number());
        self->session_.abandon();
        self->finished_ = true;
        self->queue_moved_.cancel();
        ended();
      },
      asio::detached);
}

void Connection::close() {
  asio::post(socket_.get_executor(), [self = shared_from_this()] { self->shut(); });
}

void Connection::shut() {
  boost::system::error_code ignored;
  socket_.close(ignored);
  finished_ = true;
  queue_moved_.cancel();
  idling_.cancel();
}

void Connection::tell(const std::string& text) {
  if (queued_ > limits_.queued) {
    shut();
    return;
  }
  send(notification("notice", {{"text", text}}));
}

void Connection::dismiss(const std::string& text) {
  tell(text);
  if (!busy_) {
    session_.abandon();
  }
  finished_ = true;
  queue_moved_.cancel();
}

void Connection::shut_at(asio::steady_timer& timer) {
  timer.expires_after(limits_.half_message);
  timer.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    if (const auto self = weak.lock(); self && !error) {
      self->shut();
    }
  });
}

void Connection::send(const nlohmann::json& message) {
  if (!socket_.is_open()) {
    return;
  }
  queue_.push_back(frame(message));
  queued_ += queue_.back().size();
  queue_moved_.cancel();
}

asio::awaitable<bool> Connection::read_all(char* data, std::size_t size) {
  const auto [error, count] =
      co_await asio::async_read(socket_, asio::buffer(data, size), kNoThrow);
  co_return !error && count == size;
}

// Nothing at the end of the connection, and when it must end.
asio::awaitable<std::optional<std::string>> Connection::read_message() {
  std::array<unsigned char, kHeaderSize> header{};
  auto* bytes = reinterpret_cast<char*>(header.data());
  // Between messages a client may be silent as long as it likes; from the first byte on it may not.
  if (!co_await read_all(bytes, 1)) {
    co_return std::nullopt;
  }
  shut_at(deadline_);
  if (!co_await read_all(bytes + 1, kHeaderSize - 1)) {
    co_return std::nullopt;
  }
  const std::size_t size = payload_size(header);
  if (size > limits_.message) {
    send(response(RpcError{kInvalidRequest, "the message is longer than " +
                                                std::to_string(limits_.message) + " bytes"}));
    co_await drain();
    co_return std::nullopt;
  }
  std::string payload;
  while (payload.size() < size) {
    const std::size_t start = payload.size();
    payload.resize(std::min(size, start + std::max(kChunk, start)));
    if (!co_await read_all(payload.data() + start, payload.size() - start)) {
      co_return std::nullopt;
    }
  }
  deadline_.cancel();
  co_return payload;
}

// Closing a Unix socket with unread bytes in it throws away what we sent (net/unix/af_unix.c:
// unix_release_sock); so take them until the client has read the error and closed.
asio::awaitable<void> Connection::drain() {
  shut_at(deadline_);
  std::vector<char> waste(kChunk);
  while (co_await read_all(waste.data(), waste.size())) {
  }
}

asio::awaitable<void> Connection::read_requests() {
  while (!session_.closed() && !finished_) {
    while (queued_ > limits_.queued && socket_.is_open()) {
      queue_moved_.expires_at(asio::steady_timer::time_point::max());
      co_await queue_moved_.async_wait(kNoThrow);
    }
    auto payload = co_await read_message();
    deadline_.cancel();
    if (!payload || finished_) {
      break;
    }
    auto request = parse_request(*payload);
    if (!request) {
      send(response(request.error()));
      if (request.error().code == kParseError) {
        co_await drain();
        break;
      }
      continue;
    }
    payload.reset();
    const bool wants_answer = !request->notification;
    busy_ = true;
    idling_.cancel();
    const auto answer = co_await session_.handle(std::move(*request));
    busy_ = false;
    last_request_ = std::chrono::steady_clock::now();
    idling_.cancel();
    if (wants_answer) {
      send(answer);
    }
  }
}

// False when something happened before.
asio::awaitable<bool> Connection::quiet_until(std::chrono::steady_clock::time_point end) {
  idling_.expires_at(end);
  const auto [error] = co_await idling_.async_wait(kNoThrow);
  co_return !error && !finished_;
}

asio::awaitable<void> Connection::watch_idling() {
  const auto minute = limits_.minute;
  const std::array<std::pair<std::chrono::milliseconds, const char*>, 3> warnings = {
      {{5 * minute, "5 minutes"}, {minute, "1 minute"}, {minute / 6, "10 seconds"}}};
  while (!finished_) {
    const auto limit = session_.idle_limit() * minute;
    if (busy_ || limit == limit.zero()) {
      co_await quiet_until(asio::steady_timer::time_point::max());
      continue;
    }
    const auto end = last_request_ + limit;
    bool quiet = true;
    for (const auto& [left, text] : warnings) {
      if (quiet && left < limit) {
        quiet = co_await quiet_until(end - left);
        if (quiet) {
          tell(std::string("warning: this session will be closed in ") + text +
               " if there is no input");
        }
      }
    }
    if (quiet && co_await quiet_until(end)) {
      dismiss("this session is closed: there was no input for " +
              std::to_string(session_.idle_limit()) + " minutes");
    }
  }
}

asio::awaitable<void> Connection::write_queue() {
  while (socket_.is_open()) {
    if (queue_.empty()) {
      if (finished_) {
        break;
      }
      queue_moved_.expires_at(asio::steady_timer::time_point::max());
      co_await queue_moved_.async_wait(kNoThrow);
      continue;
    }
    const std::string message = std::move(queue_.front());
    queue_.pop_front();
    asio::steady_timer patience(socket_.get_executor());
    shut_at(patience);
    const auto [error, count] =
        co_await asio::async_write(socket_, asio::buffer(message), kNoThrow);
    queued_ -= message.size();
    queue_moved_.cancel();
    if (error) {
      break;
    }
  }
  shut();
}

}  // namespace millrace::server
