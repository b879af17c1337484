// SPDX-License-Identifier: GPL-2.0-or-later
//
// One connection's session: methods of the socket protocol, on top of the shell for typed lines and
// of programs.h for the rest. Requests come one after the other and are answered in order.
#pragma once

#include <functional>

#include <boost/asio/awaitable.hpp>

#include "server/commit_thread.h"
#include "server/frame.h"
#include "server/programs.h"
#include "server/shell.h"

namespace millrace::server {

class Session {
 public:
  using Notify = std::function<void(nlohmann::json)>;

  // `notify` sends a notification to this client; it is called on the session's executor.
  Session(Services& services, CommitThread& commits, Peer peer, Notify notify);

  // The response to `request`. Never throws: what goes wrong inside becomes an error response.
  boost::asio::awaitable<nlohmann::json> handle(Request request);
  // The client said `session.close`, or the last line asked for it.
  bool closed() const { return closed_; }
  std::uint64_t number() const { return number_; }
  // Minutes of silence after which the client is to be sent away; 0 is never.
  unsigned idle_limit() const { return away_ ? 0 : shell_.idle_limit(); }
  // Gives up locks and uncommitted private edits at once. Not while a request is being handled.
  void abandon();

 private:
  boost::asio::awaitable<nlohmann::json> dispatch(const Request& request);
  boost::asio::awaitable<nlohmann::json> lines(const Request& request);
  nlohmann::json open(const Request& request);
  nlohmann::json complete(const Request& request);
  nlohmann::json to_json(Reply reply);
  template <class T>
  boost::asio::awaitable<T> resolve(std::variant<T, Deferred<T>> outcome);
  boost::asio::awaitable<void> report_progress(Progress& progress);

  Services& services_;
  CommitThread& commits_;
  Notify notify_;
  std::uint64_t number_;
  Shell shell_;
  bool closed_ = false;
  bool away_ = false;  // the client runs a program for the user
};

}  // namespace millrace::server
