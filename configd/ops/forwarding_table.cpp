// SPDX-License-Identifier: GPL-2.0-or-later
//
// `show route forwarding-table`: what zebra has put into the kernel.
//
//   Routing table: default.inet
//   Internet:
//   Destination        Type RtRef Next hop           Type Index    NhRef Netif
//   192.0.2.0/24       intf     0                    rslv        7     1 eth0.0
#include <format>
#include <optional>

#include "ops/builtins.h"
#include "ops/frr_json.h"
#include "ops/layout.h"
#include "ops/routes_json.h"

namespace millrace::ops {
namespace {

using base::Family;
using base::Prefix;
using base::Result;
using nlohmann::json;

std::string_view hop_type(const Route& route, const NextHop& hop) {
  if (hop.type == "Discard") {
    return "dscd";
  }
  if (!hop.type.empty()) {
    return "rjct";
  }
  if (route.protocol == "Local") {
    return "locl";
  }
  return hop.to.empty() ? "rslv" : "ucst";
}

// Junos calls the default route by name.
std::string destination(const Prefix& prefix) {
  return prefix.length() == 0 ? "default" : prefix.to_string();
}

void append(std::string& text, json& out, const Route& route, std::int64_t index) {
  const bool own = route.protocol == "Direct" || route.protocol == "Local";
  json hops = json::array();
  bool first = true;
  const auto line = [&](std::string_view to, std::string_view type, std::string_view netif) {
    const std::string name = first ? destination(route.prefix) : "";
    const std::string number = index == 0 ? "" : std::format("{:>5}", index);
    text += row({{0, name},
                 {19, first ? (own ? "intf" : "user") : ""},
                 {28, first ? "0" : ""},
                 {30, to},
                 {49, type},
                 {54, first || !netif.empty() ? number : ""},
                 {65, first || !netif.empty() ? "1" : ""},
                 {67, netif}});
    first = false;
  };
  if (route.next_hops.size() > 1) {
    line("", "ulst", "");
  }
  for (const NextHop& hop : route.next_hops) {
    const auto type = hop_type(route, hop);
    line(hop.to, type, hop.via);
    hops.push_back({{"type", type}, {"to", hop.to}, {"via", hop.via}});
  }
  out.push_back({{"destination", destination(route.prefix)},
                 {"type", own ? "intf" : "user"},
                 {"index", index},
                 {"next-hops", std::move(hops)}});
}

}  // namespace

Result<Reply> forwarding_table(const Match& match, Context& context) {
  constexpr std::size_t kMostData = 1'000;
  std::optional<Prefix> within;
  if (const auto* text = match.argument("destination")) {
    auto prefix = Prefix::parse(*text);
    if (!prefix) {
      return std::unexpected(std::move(prefix.error()));
    }
    within = *prefix;
  }
  const auto* const wanted = match.argument("family");
  Reply reply{{}, {{"tables", json::array()}}};
  std::size_t count = 0;
  for (const auto family : {Family::Inet, Family::Inet6}) {
    const bool v4 = family == Family::Inet;
    if ((wanted && *wanted != (v4 ? "inet" : "inet6")) || (within && within->family() != family)) {
      continue;
    }
    auto entries = members(context.system.frr, system::FrrDaemon::Zebra,
                           std::format("show {} fib {}json", v4 ? "ip" : "ipv6",
                                       within ? within->to_string() + " longer-prefixes " : ""),
                           1);
    if (!entries) {
      return std::unexpected(std::move(entries.error()));
    }
    reply.text += std::format(
        "Routing table: default.{}\n{}:\n"
        "Destination        Type RtRef Next hop           Type Index    NhRef Netif\n",
        v4 ? "inet" : "inet6", v4 ? "Internet" : "Internet6");
    json routes = json::array();
    while (true) {
      auto member = entries->next();
      if (!member) {
        return std::unexpected(std::move(member.error()));
      }
      if (!*member) {
        break;
      }
      const auto prefix = Prefix::parse((*member)->key);
      for (const json& entry : prefix ? (*member)->value : json()) {
        if (flag_of(entry, "selected")) {
          json ignored = json::array();
          append(reply.text, ++count <= kMostData || context.structured ? routes : ignored,
                 zebra_route(*prefix, entry), number_of(entry, "installedNexthopGroupId"));
        }
      }
    }
    reply.text += '\n';
    reply.data["tables"].push_back(
        {{"name", v4 ? "default.inet" : "default.inet6"}, {"routes", std::move(routes)}});
  }
  if (count > kMostData && !context.structured) {
    reply.data = nullptr;
  }
  return reply;
}

}  // namespace millrace::ops
