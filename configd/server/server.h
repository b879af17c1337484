// SPDX-License-Identifier: GPL-2.0-or-later
//
// The socket and its connections. A few threads serve everybody: each connection is a strand, so
// its requests stay in order while connections do not wait for each other. Commits have a thread of
// their own (commit_thread.h).
#pragma once

#include <filesystem>
#include <memory>

#include "server/connection.h"

namespace millrace::server {

struct ServerOptions {
  std::filesystem::path socket = "/run/millrace/configd.socket";
  unsigned threads = 8;  // a show command holds one while it waits for the system
  Limits limits;
  std::filesystem::path archive = "/var/lib/millrace/archive";  // of copies on their way
};

class Server {
 public:
  // Binds the socket: mode 0660 and group millrace when that group exists, else 0600. A dead socket
  // in the way is replaced. Errors: Io.
  static base::Result<std::unique_ptr<Server>> listen(Services& services, ServerOptions options);
  ~Server();

  // Serves until stop(), from any thread, or SIGTERM or SIGINT. Lets a commit that has begun end.
  void run();
  void stop();

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace millrace::server
