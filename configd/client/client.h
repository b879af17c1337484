// SPDX-License-Identifier: GPL-2.0-or-later
//
// The other end of the socket protocol (docs/reference/protocol.md), synchronous: one call at a
// time. Used by the CLI, by tests and by whatever else speaks to configd. Not thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/fd.h"

namespace millrace::client {

class Client {
 public:
  // Errors: Io, when nobody listens there or we may not connect.
  static base::Result<Client> connect(const std::filesystem::path& socket);

  // The result of `method`. Errors: what the daemon answered; Io when the connection ended, after
  // which every further call fails; Conflict when `give_up` said so.
  base::Result<nlohmann::json> call(std::string_view method,
                                    nlohmann::json params = nlohmann::json::object());

  // Called for every notification that arrives during a call or read_notifications.
  std::function<void(const std::string& method, const nlohmann::json& params)> on_notification;
  // Asked whenever a signal interrupts the wait for an answer; true abandons the connection.
  std::function<bool()> give_up;

  // For poll(2): readable means read_notifications has something to do.
  int descriptor() const { return socket_.get(); }
  base::Result<void> read_notifications();

 private:
  explicit Client(base::Fd socket) : socket_(std::move(socket)) {}
  base::Result<void> write_all(std::string_view bytes);
  base::Result<nlohmann::json> read_message();
  base::Result<void> read_all(char* data, std::size_t size);
  void notify(const nlohmann::json& message) const;

  base::Fd socket_;
  std::uint64_t last_id_ = 0;
};

}  // namespace millrace::client
