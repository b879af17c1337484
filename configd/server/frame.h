// SPDX-License-Identifier: GPL-2.0-or-later
//
// Messages on the wire: a 4-byte length in network byte order, then JSON. Pure; the connection
// feeds it what arrives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/error.h"

namespace millrace::server {

inline constexpr std::size_t kHeaderSize = 4;
inline constexpr std::size_t kMaxMessage = std::size_t{64} << 20;
inline constexpr int kMaxJsonDepth = 32;

std::size_t payload_size(const std::array<unsigned char, kHeaderSize>& header);
// Requires: `payload` is shorter than 4 GiB.
std::string frame(std::string_view payload);
// `message` on the wire; bytes that are not UTF-8 become U+FFFD.
std::string frame(const nlohmann::json& message);

struct Request {
  nlohmann::json id;  // null for a notification, which gets no answer
  std::string method;
  nlohmann::json params = nlohmann::json::object();
  bool notification = false;
};

// JSON-RPC 2.0 codes of their own; everything else is kOurs.
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kOurs = -32000;

struct RpcError {
  int code = kOurs;
  std::string message;
  nlohmann::json data = nullptr;
  nlohmann::json id = nullptr;
};

// Any bytes are allowed; what is no request is an error. Never throws, depth is limited.
std::expected<Request, RpcError> parse_request(std::string_view payload);

RpcError to_rpc(const base::Error& error);
nlohmann::json to_json(const base::Diagnostic& diagnostic);
nlohmann::json to_json(const base::Diagnostics& diagnostics);

nlohmann::json response(const nlohmann::json& id, nlohmann::json result);
nlohmann::json response(const RpcError& error);
nlohmann::json notification(std::string_view method, nlohmann::json params);

}  // namespace millrace::server
