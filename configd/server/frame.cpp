// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/frame.h"

#include <utility>

namespace millrace::server {

using nlohmann::json;

std::size_t payload_size(const std::array<unsigned char, kHeaderSize>& header) {
  return std::size_t{header[0]} << 24 | std::size_t{header[1]} << 16 | std::size_t{header[2]} << 8 |
         std::size_t{header[3]};
}

std::string frame(std::string_view payload) {
  std::string out;
  out.reserve(kHeaderSize + payload.size());
  for (const unsigned shift : {24U, 16U, 8U, 0U}) {
    out += static_cast<char>(payload.size() >> shift & 0xff);
  }
  out += payload;
  return out;
}

std::string frame(const json& message) {
  return frame(std::string_view(message.dump(-1, ' ', false, json::error_handler_t::replace)));
}

std::expected<Request, RpcError> parse_request(std::string_view payload) {
  bool too_deep = false;
  // Deep nesting costs memory many times its text and never has a meaning here: cut it off.
  const auto limit_depth = [&](int depth, json::parse_event_t, json&) {
    too_deep = too_deep || depth > kMaxJsonDepth;
    return depth <= kMaxJsonDepth;
  };
  auto message = json::parse(payload, limit_depth, false);
  if (message.is_discarded() || too_deep) {
    return std::unexpected(RpcError{
        kParseError, too_deep ? "the message is nested too deeply" : "the message is not JSON"});
  }
  if (!message.is_object()) {
    return std::unexpected(
        RpcError{kInvalidRequest, "the message is not one JSON-RPC request object"});
  }
  Request request;
  const auto id = message.find("id");
  request.notification = id == message.end();
  if (!request.notification) {
    if (!id->is_string() && !id->is_number() && !id->is_null()) {
      return std::unexpected(RpcError{kInvalidRequest, "id is neither a string nor a number"});
    }
    request.id = *id;
  }
  const auto refuse = [&](std::string text) {
    return std::unexpected(RpcError{kInvalidRequest, std::move(text), nullptr, request.id});
  };
  if (const auto version = message.find("jsonrpc");
      version == message.end() || *version != json("2.0")) {
    return refuse("jsonrpc is not \"2.0\"");
  }
  const auto method = message.find("method");
  if (method == message.end() || !method->is_string()) {
    return refuse("method is missing or not a string");
  }
  request.method = method->get<std::string>();
  if (const auto params = message.find("params"); params != message.end()) {
    if (!params->is_object()) {
      return refuse("params is not an object");
    }
    request.params = std::move(*params);
  }
  return request;
}

RpcError to_rpc(const base::Error& error) {
  json data = {{"code", base::to_string(error.code)}};
  if (!error.path.empty()) {
    data["path"] = error.path;
  }
  if (!error.hint.empty()) {
    data["hint"] = error.hint;
  }
  std::string message = error.message;
  for (const base::Error* cause = error.cause.get(); cause; cause = cause->cause.get()) {
    message += ": " + cause->message;
  }
  return {kOurs, std::move(message), std::move(data)};
}

json to_json(const base::Diagnostic& diagnostic) {
  return {{"severity", diagnostic.severity == base::Severity::Error ? "error" : "warning"},
          {"code", base::to_string(diagnostic.code)},
          {"level", diagnostic.level},
          {"statement", diagnostic.statement},
          {"message", diagnostic.message},
          {"hint", diagnostic.hint}};
}

json to_json(const base::Diagnostics& diagnostics) {
  json out = json::array();
  for (const auto& diagnostic : diagnostics.items()) {
    out.push_back(to_json(diagnostic));
  }
  return out;
}

json response(const json& id, json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

json response(const RpcError& error) {
  json body = {{"code", error.code}, {"message", error.message}};
  if (!error.data.is_null()) {
    body["data"] = error.data;
  }
  return {{"jsonrpc", "2.0"}, {"id", error.id}, {"error", std::move(body)}};
}

json notification(std::string_view method, json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

}  // namespace millrace::server
