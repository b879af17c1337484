// SPDX-License-Identifier: GPL-2.0-or-later
//
// `show forwarding dataplane …`: asks dataplaned over the socket of dataplane/abi/control.h and
// lays out what it says. Where no daemon listens, the dataplane is off.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "abi/control.h"
#include "base/fd.h"
#include "base/file.h"
#include "ops/builtins.h"
#include "ops/layout.h"

namespace millrace::ops {
namespace {

using base::Result;
using nlohmann::json;

constexpr timeval kPatience = {10, 0};  // it may be reading a million routes

base::Error unreachable(const std::string& why) {
  return {base::Code::Io, "the dataplane does not answer: " + why};
}

// The daemon's answer; {"enabled": false} when there is none.
Result<json> ask(const char* what) {
  const base::Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  abi::kControlSocket.copy(address.sun_path, sizeof address.sun_path - 1);
  ::setsockopt(socket.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
  if (::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
    if (errno == ENOENT || errno == ECONNREFUSED) {
      return json{{"enabled", false}};
    }
    return std::unexpected(unreachable(std::strerror(errno)));
  }
  if (const int error = base::write_all(socket.get(), json{{"request", what}}.dump()); error != 0) {
    return std::unexpected(unreachable(std::strerror(error)));
  }
  ::shutdown(socket.get(), SHUT_WR);
  std::string text;
  char bytes[65536];
  ssize_t size = 0;
  while ((size = ::read(socket.get(), bytes, sizeof bytes)) > 0) {
    text.append(bytes, static_cast<std::size_t>(size));
  }
  json reply = json::parse(text, nullptr, false);
  if (!reply.is_object()) {
    return std::unexpected(unreachable("found no JSON object, expected an answer"));
  }
  if (reply.contains("error")) {
    return std::unexpected(unreachable(reply.value("error", "")));
  }
  return reply;
}

// Lays out an answer, whose fields are the daemon's: what is missing shows as nothing.
Result<Reply> reply_with(const char* what, std::string (*layout)(const json&)) {
  auto answer = ask(what);
  if (!answer) {
    return std::unexpected(std::move(answer.error()));
  }
  if (!answer->value("enabled", true)) {
    return Reply{"Dataplane: off, all packets go through the kernel\n", std::move(*answer)};
  }
  try {
    std::string text = layout(*answer);
    return Reply{std::move(text), std::move(*answer)};
  } catch (const json::exception& error) {
    return std::unexpected(unreachable(error.what()));
  }
}

std::string number(const json& object, const char* field) {
  return std::to_string(object.value(field, std::uint64_t{0}));
}

std::string summary(const json& answer) {
  std::string out = "Dataplane: on\n";
  for (const json& alarm : answer.at("alarms")) {
    out += "Alarm: " + alarm.get<std::string>() + "\n";
  }
  out += "Routes: inet " + number(answer.at("routes"), "inet") + ", inet6 " +
         number(answer.at("routes"), "inet6") + "\n\n";
  out += row({{0, "Table"}, {18, "Used"}, {30, "Size"}});
  for (const auto& [name, table] : answer.at("tables").items()) {
    out += row({{0, name}, {18, number(table, "used")}, {30, number(table, "limit")}});
  }
  return out;
}

std::string interfaces(const json& answer) {
  std::string out = row({{0, "Interface"}, {12, "Receives"}, {22, "Sent to"}, {31, "Reason"}});
  for (const json& port : answer.at("interfaces")) {
    const std::string receiving = port.value("mode-reason", "");
    const std::string sending = port.value("tier-reason", "");
    const std::string between = receiving.empty() || sending.empty() ? "" : "; ";
    out += row({{0, port.value("name", "")},
                {12, port.value("mode", "")},
                {22, port.value("tier", "")},
                {31, receiving + between + sending}});
  }
  return out;
}

std::string routes(const json& answer) {
  std::string out = row({{0, "Prefix"}, {44, "Table"}, {51, "Leads to"}});
  for (const json& route : answer.at("routes")) {
    const std::string kind = route.value("kind", "");
    const std::string to = kind == "kernel"    ? "kernel (" + route.value("reason", "") + ")"
                           : kind == "discard" ? kind
                                               : kind + " " + number(route, "index");
    out += row({{0, route.value("prefix", "")}, {44, number(route, "table")}, {51, to}});
  }
  const std::uint64_t total = answer.value("total", std::uint64_t{0});
  if (total > answer.at("routes").size()) {
    out += "… of " + std::to_string(total) + "\n";
  }
  return out;
}

std::string adjacencies(const json& answer) {
  std::string out =
      row({{0, "Index"}, {8, "Interface"}, {20, "Address"}, {48, "Link address"}, {67, "State"}});
  for (const json& one : answer.at("adjacencies")) {
    out += row({{0, number(one, "index")},
                {8, one.value("interface", "")},
                {20, one.value("address", "")},
                {48, one.value("mac", "")},
                {67, one.value("state", "")}});
  }
  return out;
}

bool is_accelerated(std::string_view reason) {
  return reason == "forwarded" || reason == "forwarded-queued" || reason == "discard-route";
}

std::string counts(const json& answer, bool all) {
  std::string out = row({{0, "Interface"}, {12, "What"}, {32, "Packets"}, {48, "Bytes"}});
  for (const json& port : answer.at("interfaces")) {
    for (const auto& [reason, count] : port.at("counters").items()) {
      if (all || !is_accelerated(reason)) {
        out += row({{0, port.value("name", "")},
                    {12, reason},
                    {32, number(count, "packets")},
                    {48, number(count, "bytes")}});
      }
    }
    for (const auto& [unit, count] : port.at("sent").items()) {
      if (all) {
        out += row({{0, unit},
                    {12, "sent"},
                    {32, number(count, "packets")},
                    {48, number(count, "bytes")}});
      }
    }
  }
  return out;
}

}  // namespace

Result<Reply> forwarding_dataplane(const Match& /*match*/, Context& /*context*/) {
  return reply_with("show", summary);
}
Result<Reply> forwarding_dataplane_interfaces(const Match& /*match*/, Context& /*context*/) {
  return reply_with("show", interfaces);
}
Result<Reply> forwarding_dataplane_routes(const Match& /*match*/, Context& /*context*/) {
  return reply_with("routes", routes);
}
Result<Reply> forwarding_dataplane_adjacencies(const Match& /*match*/, Context& /*context*/) {
  return reply_with("adjacencies", adjacencies);
}
Result<Reply> forwarding_dataplane_counters(const Match& /*match*/, Context& /*context*/) {
  return reply_with("show", [](const json& answer) { return counts(answer, true); });
}
Result<Reply> forwarding_dataplane_exceptions(const Match& /*match*/, Context& /*context*/) {
  return reply_with("show", [](const json& answer) { return counts(answer, false); });
}
Result<Reply> clear_forwarding_dataplane(const Match& /*match*/, Context& /*context*/) {
  return reply_with("clear", [](const json&) { return std::string(); });
}

}  // namespace millrace::ops
