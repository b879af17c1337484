// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/static_readback.h"

#include <format>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace millrace::appliers {
namespace {

using base::Family;
using base::Result;
using system::FrrDaemon;
using system::System;
using Json = nlohmann::json;

// Beyond this many, everything is read at once: it is cheaper unless there are very many more.
constexpr std::size_t kMostSingleReads = 500;

std::string data_command(const base::Prefix& prefix) {
  // All keys, or mgmtd searches the list from its beginning.
  return std::format(
      "show mgmt datastore-contents running xpath "
      "/frr-routing:routing/control-plane-protocols/control-plane-protocol"
      "[type='frr-staticd:staticd'][name='staticd'][vrf='default']/frr-staticd:staticd/route-list"
      "[prefix='{}'][src-prefix='::/0'][afi-safi='frr-routing:{}-unicast'] json",
      prefix.to_string(), prefix.family() == Family::Inet ? "ipv4" : "ipv6");
}

bool has_only(const Json& object, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : object.items()) {
    if (std::ranges::find(known, name) == known.end()) {
      return false;
    }
  }
  return true;
}

std::string text(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// "192.0.2.9 eth0", "blackhole"; nothing when it is not understood.
std::optional<std::string> next_hop(const Json& hop) {
  if (!hop.is_object() ||
      !has_only(hop, {"nh-type", "vrf", "gateway", "interface", "bh-type", "onlink"}) ||
      text(hop, "vrf") != "default" || hop.value("onlink", false)) {
    return std::nullopt;
  }
  const std::string type = text(hop, "nh-type");
  const std::string gateway = text(hop, "gateway");
  const std::string interface = text(hop, "interface");
  if (type == "ip4" || type == "ip6") {
    return gateway;
  }
  if (type == "ip4-ifindex" || type == "ip6-ifindex") {
    return gateway + " " + interface;
  }
  if (type == "ifindex") {
    return interface;
  }
  if (type == "blackhole") {
    const std::string kind = text(hop, "bh-type");
    return kind == "unspec"   ? std::optional<std::string>("blackhole")
           : kind == "reject" ? std::optional<std::string>("reject")
           : kind.empty()     ? std::optional<std::string>("Null0")
                              : std::nullopt;
  }
  return std::nullopt;
}

// The lines of one path list, which has a distance and a tag.
bool add_lines(const base::Prefix& prefix, const Json& path, Lines& lines) {
  if (!path.is_object() || !has_only(path, {"table-id", "distance", "tag", "frr-nexthops"}) ||
      path.value("table-id", 0U) != 0) {
    return false;
  }
  const auto tag = path.value("tag", 0U);
  const auto distance = path.value("distance", 0U);
  const auto hops = path.value("/frr-nexthops/nexthop"_json_pointer, Json::array());
  for (const Json& hop : hops) {
    const auto where = next_hop(hop);
    if (!where) {
      return false;
    }
    lines.insert(static_line(prefix, *where, tag, distance));
  }
  return true;
}

}  // namespace

std::optional<Lines> parse_static_data(const base::Prefix& prefix, std::string_view json) {
  if (json.starts_with("(null)")) {
    return Lines();
  }
  try {
    const Json data = Json::parse(json);
    const Json& routes = data.at("frr-staticd:route-list");
    Lines lines;
    for (const Json& route : routes) {
      for (const Json& path : route.value("path-list", Json::array())) {
        if (!add_lines(prefix, path, lines)) {
          return std::nullopt;
        }
      }
    }
    return lines;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

Result<StaticRoutes> read_static_routes(System& system) {
  const auto text = system.frr.show(FrrDaemon::Mgmtd, "show running-config");
  if (!text) {
    return std::unexpected(text.error());
  }
  return parse_static_routes(*text);
}

Result<StaticRoutes> read_static_routes(System& system, const StaticRoutes& wanted) {
  if (wanted.size() > kMostSingleReads) {
    return read_static_routes(system);
  }
  std::vector<std::string> commands;
  for (const auto& [prefix, lines] : wanted) {
    commands.push_back(data_command(prefix));
  }
  const auto texts = system.frr.show_each(FrrDaemon::Mgmtd, commands);
  if (!texts) {
    return std::unexpected(texts.error());
  }
  StaticRoutes routes;
  auto text = texts->begin();
  for (const auto& [prefix, lines] : wanted) {
    auto present = parse_static_data(prefix, *text++);
    if (!present) {
      return read_static_routes(system);  // somebody typed what we never send
    }
    if (!present->empty()) {
      routes.emplace(prefix, std::move(*present));
    }
  }
  return routes;
}

}  // namespace millrace::appliers
