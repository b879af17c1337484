// SPDX-License-Identifier: GPL-2.0-or-later
#include "client/client.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace millrace::client {
namespace {

using base::Code;
using base::Result;
using nlohmann::json;

// The daemon may answer with more than it takes; this only guards against reading garbage.
constexpr std::size_t kMaxAnswer = std::size_t{1} << 30;

std::string frame(std::string_view payload) {
  std::string out;
  out.reserve(4 + payload.size());
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    out += static_cast<char>(payload.size() >> shift & 0xff);
  }
  out += payload;
  return out;
}

Code code_of(std::string_view name) {
  for (const auto code :
       {Code::Syntax, Code::UnknownPath, Code::BadValue, Code::Constraint, Code::Conflict,
        Code::Locked, Code::Denied, Code::ApplyFailed, Code::Io}) {
    if (base::to_string(code) == name) {
      return code;
    }
  }
  return Code::Internal;
}

std::string text_of(const json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

base::Error to_error(const json& error) {
  const auto data = error.find("data");
  const json details = data != error.end() && data->is_object() ? *data : json::object();
  return {code_of(text_of(details, "code")), text_of(error, "message"), text_of(details, "path"),
          text_of(details, "hint")};
}

}  // namespace

Result<Client> Client::connect(const std::filesystem::path& socket) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string& name = socket.native();
  if (name.size() >= sizeof(address.sun_path)) {
    return base::fail(Code::Io, "the socket's path is longer than 107 bytes", name);
  }
  std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
  base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd ||
      ::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    return base::fail(Code::Io, std::string("cannot connect: ") + std::strerror(errno), name);
  }
  return Client(std::move(fd));
}

Result<void> Client::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return base::fail(Code::Io,
                        std::string("configd ended the connection: ") + std::strerror(errno));
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<void> Client::read_all(char* data, std::size_t size) {
  while (size > 0) {
    const auto count = ::recv(socket_.get(), data, size, 0);
    if (count < 0 && errno == EINTR) {
      if (give_up && give_up()) {
        socket_ = base::Fd();
        return base::fail(Code::Conflict, "interrupted while waiting for configd");
      }
      continue;
    }
    if (count <= 0) {
      return base::fail(Code::Io, count == 0 ? std::string("configd ended the connection")
                                             : std::string("configd ended the connection: ") +
                                                   std::strerror(errno));
    }
    data += count;
    size -= static_cast<std::size_t>(count);
  }
  return {};
}

Result<json> Client::read_message() {
  std::array<char, 4> header{};
  if (auto outcome = read_all(header.data(), header.size()); !outcome) {
    return std::unexpected(std::move(outcome.error()));
  }
  std::size_t size = 0;
  for (const char byte : header) {
    size = size << 8 | static_cast<unsigned char>(byte);
  }
  if (size > kMaxAnswer) {
    return base::fail(Code::Io, "the answer does not speak the protocol of configd");
  }
  std::string payload(size, '\0');
  if (auto outcome = read_all(payload.data(), size); !outcome) {
    return std::unexpected(std::move(outcome.error()));
  }
  auto message = json::parse(payload, nullptr, false);
  if (!message.is_object()) {
    return base::fail(Code::Io, "the answer does not speak the protocol of configd");
  }
  return message;
}

void Client::notify(const json& message) const {
  const auto params = message.find("params");
  if (on_notification) {
    on_notification(text_of(message, "method"), params != message.end() ? *params : json::object());
  }
}

Result<json> Client::call(std::string_view method, json params) {
  if (!socket_) {
    return base::fail(Code::Io, "the connection to configd has ended");
  }
  const auto id = ++last_id_;
  const json request = {
      {"jsonrpc", "2.0"}, {"id", id}, {"method", method}, {"params", std::move(params)}};
  std::string text;
  try {
    text = request.dump();
  } catch (const json::type_error&) {
    return base::fail(Code::Syntax, "the request is not UTF-8 text");
  }
  // A failed write is followed by a read all the same: the daemon may have said why it left.
  const auto written = write_all(frame(text));
  for (;;) {
    auto message = read_message();
    if (!message) {
      socket_ = base::Fd();
      return std::unexpected(written || message.error().code != Code::Io ? message.error()
                                                                         : written.error());
    }
    if (message->contains("method")) {
      notify(*message);
      continue;
    }
    const auto answered = message->find("id");
    if (const auto error = message->find("error"); error != message->end()) {
      // An error without an id is about the connection: the daemon refuses us.
      return std::unexpected(to_error(*error));
    }
    const auto result = message->find("result");
    if (answered == message->end() || *answered != json(id) || result == message->end()) {
      return base::fail(Code::Io, "the answer does not speak the protocol of configd");
    }
    return std::move(*result);
  }
}

Result<void> Client::read_notifications() {
  pollfd waiting{socket_.get(), POLLIN, 0};
  while (socket_ && poll(&waiting, 1, 0) > 0) {
    auto message = read_message();
    if (!message) {
      socket_ = base::Fd();
      return std::unexpected(std::move(message.error()));
    }
    notify(*message);
    waiting = {socket_.get(), POLLIN, 0};
  }
  return {};
}

}  // namespace millrace::client
