// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/server.h"

#include <grp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <mutex>
#include <utility>
#include <vector>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/log.h"
#include "server/archive.h"
#include "server/log_commands.h"
#include "server/machine_watch.h"
#include "server/timekeeper.h"

namespace millrace::server {
namespace {

namespace asio = boost::asio;
using asio::local::stream_protocol;

void restrict(const std::filesystem::path& socket) {
  std::array<char, 16384> buffer{};
  group entry{};
  group* found = nullptr;
  getgrnam_r(kAccessGroup, &entry, buffer.data(), buffer.size(), &found);
  // The group first: until the mode follows nobody but us may connect.
  const bool shared = found && chown(socket.c_str(), static_cast<uid_t>(-1), entry.gr_gid) == 0;
  if (chmod(socket.c_str(), shared ? 0660 : 0600) != 0) {
    base::log(base::Level::Warning, "cannot set the mode of " + socket.string());
  }
}

}  // namespace

struct Server::State {
  State(Services& the_services, ServerOptions the_options)
      : services(the_services),
        options(std::move(the_options)),
        pool(options.threads),
        acceptor(asio::make_strand(pool)),
        signals(acceptor.get_executor(), SIGTERM, SIGINT),
        tick(acceptor.get_executor()),
        archive_tick(acceptor.get_executor()),
        log_tick(acceptor.get_executor()),
        machine(acceptor.get_executor(), services, commits) {}

  asio::awaitable<void> accept();
  asio::awaitable<void> keep_time();
  asio::awaitable<void> keep_archive();
  asio::awaitable<void> keep_logs();
  void welcome(stream_protocol::socket socket);
  void stop();

  Services& services;
  ServerOptions options;
  asio::thread_pool pool;
  CommitThread commits;
  CommitThread background;  // what waits for others: probes
  CommitThread archives;
  stream_protocol::acceptor acceptor;
  asio::signal_set signals;
  asio::steady_timer tick;
  asio::steady_timer archive_tick;
  asio::steady_timer log_tick;
  MachineWatch machine;
  std::mutex mutex;
  std::map<Connection*, std::weak_ptr<Connection>> connections;  // guarded by mutex
  bool stopping = false;                                         // guarded by mutex
};

void Server::State::welcome(stream_protocol::socket socket) {
  auto peer = identify(socket.native_handle());
  if (peer) {
    refresh(*peer, services.effective.of(services.engine.running()));
  }
  std::string refusal;
  {
    const std::lock_guard lock(mutex);
    if (!peer) {
      refusal = peer.error().message;
    } else if (!is_known(*peer)) {
      refusal = "user " + peer->user +
                " may not use configd: not root, no login user and not in group " + kAccessGroup;
    } else {
      std::vector<uid_t> connected;
      for (const auto& [connection, weak] : connections) {
        connected.push_back(connection->user());
      }
      refusal = crowded(connected, peer->uid, options.limits);
    }
    if (stopping) {
      return;
    }
  }
  if (!refusal.empty()) {
    base::log(base::Level::Warning, "connection refused: " + refusal);
    const auto message = frame(response(to_rpc({base::Code::Denied, refusal})));
    // A fresh socket has room for this; a peer that does not read it loses nothing.
    boost::system::error_code ignored;
    socket.non_blocking(true, ignored);
    socket.write_some(asio::buffer(message), ignored);
    return;
  }
  auto connection = std::make_shared<Connection>(std::move(socket), services, commits,
                                                 std::move(*peer), options.limits);
  {
    const std::lock_guard lock(mutex);
    if (stopping) {
      return;
    }
    connections.emplace(connection.get(), connection);
  }
  connection->start([this, key = connection.get()] {
    const std::lock_guard lock(mutex);
    connections.erase(key);
  });
}

asio::awaitable<void> Server::State::accept() {
  while (acceptor.is_open()) {
    auto [error, socket] = co_await acceptor.async_accept(asio::make_strand(pool),
                                                          asio::as_tuple(asio::use_awaitable));
    if (!error) {
      welcome(std::move(socket));
    } else if (error != asio::error::operation_aborted) {
      base::log(base::Level::Warning, "accept: " + error.message());
      // Out of descriptors: the connection stays pending and would wake us at once again.
      asio::steady_timer pause(acceptor.get_executor(), std::chrono::milliseconds(100));
      co_await pause.async_wait(asio::as_tuple(asio::use_awaitable));
    }
  }
}

asio::awaitable<void> Server::State::keep_time() {
  Timekeeper keeper(services);
  // One after the other: a probe that hangs delays the end of its trial by its own patience.
  while (acceptor.is_open()) {
    tick.expires_after(std::chrono::seconds(1));
    if (const auto [error] = co_await tick.async_wait(asio::as_tuple(asio::use_awaitable)); error) {
      co_return;
    }
    try {
      if (auto work = keeper.due(std::time(nullptr))) {
        co_await commits.run(std::move(work));
      }
      if (auto probe = keeper.due_probe()) {
        co_await background.run(std::move(probe));
      }
    } catch (const std::exception& problem) {  // the next second tries again
      base::log(base::Level::Error, std::string("timekeeper: ") + problem.what());
    }
  }
}

// Beside keep_time, since a site may take minutes.
asio::awaitable<void> Server::State::keep_archive() {
  Archive archive(services, options.archive);
  while (acceptor.is_open()) {
    archive_tick.expires_after(std::chrono::seconds(1));
    if (const auto [error] = co_await archive_tick.async_wait(asio::as_tuple(asio::use_awaitable));
        error) {
      co_return;
    }
    try {
      if (auto work = archive.due(services.engine.boot_time())) {
        co_await archives.run(std::move(work));
      }
    } catch (const std::exception& problem) {
      base::log(base::Level::Error, std::string("archive: ") + problem.what());
    }
  }
}

// Beside the others too: who watches a log while a commit takes its time wants to see it now.
asio::awaitable<void> Server::State::keep_logs() {
  while (acceptor.is_open()) {
    log_tick.expires_after(std::chrono::seconds(1));
    if (const auto [error] = co_await log_tick.async_wait(asio::as_tuple(asio::use_awaitable));
        error) {
      co_return;
    }
    try {
      deliver_logs(services);
    } catch (const std::exception& problem) {
      base::log(base::Level::Error, std::string("logs: ") + problem.what());
    }
  }
}

void Server::State::stop() {
  std::vector<std::shared_ptr<Connection>> open;
  {
    const std::lock_guard lock(mutex);
    stopping = true;
    for (const auto& [key, weak] : connections) {
      if (auto connection = weak.lock()) {
        open.push_back(std::move(connection));
      }
    }
  }
  commits.stop();
  background.stop();
  archives.stop();
  boost::system::error_code ignored;
  acceptor.close(ignored);
  signals.cancel(ignored);
  tick.cancel();
  archive_tick.cancel();
  log_tick.cancel();
  machine.stop();
  for (const auto& connection : open) {
    connection->close();
  }
}

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}
Server::~Server() = default;

base::Result<std::unique_ptr<Server>> Server::listen(Services& services, ServerOptions options) {
  auto state = std::make_unique<State>(services, std::move(options));
  const auto& path = state->options.socket;
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  // The instance lock is ours (main.cpp), so whatever is in the way is dead.
  unlink(path.c_str());
  boost::system::error_code error;
  if (path.string().size() >= 108) {
    return base::fail(base::Code::Io, "the socket's path is longer than 107 bytes", path);
  }
  const mode_t mask = umask(0177);
  state->acceptor.open(stream_protocol(), error);
  if (!error) {
    state->acceptor.bind(stream_protocol::endpoint(path.string()), error);
  }
  umask(mask);
  if (!error) {
    restrict(path);
    state->acceptor.listen(asio::socket_base::max_listen_connections, error);
  }
  if (error) {
    return base::fail(base::Code::Io, "cannot listen: " + error.message(), path);
  }
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

void Server::run() {
  std::signal(SIGPIPE, SIG_IGN);
  asio::co_spawn(state_->acceptor.get_executor(), state_->accept(), asio::detached);
  asio::co_spawn(state_->acceptor.get_executor(), state_->keep_time(), asio::detached);
  asio::co_spawn(state_->acceptor.get_executor(), state_->keep_archive(), asio::detached);
  asio::co_spawn(state_->acceptor.get_executor(), state_->keep_logs(), asio::detached);
  asio::co_spawn(state_->acceptor.get_executor(), state_->machine.run(), asio::detached);
  state_->signals.async_wait([this](const boost::system::error_code& error, int) {
    if (!error) {
      state_->stop();
    }
  });
  state_->pool.join();
  state_->commits.join();
  state_->background.join();
  state_->archives.join();
  unlink(state_->options.socket.c_str());
}

void Server::stop() {
  asio::post(state_->acceptor.get_executor(), [this] { state_->stop(); });
}

}  // namespace millrace::server
