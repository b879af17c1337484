// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/static_lines.h"

#include <charconv>
#include <format>

#include "base/check.h"
#include "base/interface_name.h"

namespace millrace::appliers {
namespace {

using base::Family;
using tree::ConfigTree;
using tree::View;

// "eth0.5" of the configuration as the kernel calls it. The unit has no device of its own without
// vlan-tagging.
std::string device_of(const ConfigTree& tree, std::string_view logical) {
  const std::size_t dot = logical.find('.');
  const std::string_view interface = logical.substr(0, dot);
  unsigned unit = 0;
  const std::string_view number = logical.substr(dot + 1);
  std::from_chars(number.data(), number.data() + number.size(), unit);
  const bool tagged = View(tree)["interfaces"].entry(interface)["vlan-tagging"].exists();
  // check() refuses units without a device; a route that nobody can use is still a line.
  return base::kernel_name(interface, unit, tagged).value_or(std::string(logical));
}

tree::Path path_of_routes(const schema::Schema& schema, Family family) {
  const auto step = [&](std::string_view path, std::string key = {}) {
    const bool keyed = !key.empty();
    return schema::PathStep{schema.find(path), std::move(key), keyed};
  };
  if (family == Family::Inet) {
    return {{step("routing-options"), step("routing-options static"),
             step("routing-options static route")}};
  }
  return {{step("routing-options"), step("routing-options rib", "inet6.0"),
           step("routing-options rib static"), step("routing-options rib static route")}};
}

}  // namespace

std::string static_line(const base::Prefix& prefix, std::string_view next_hop, std::int64_t tag,
                        std::int64_t distance) {
  std::string line = std::format("{} route {} {}", prefix.family() == Family::Inet ? "ip" : "ipv6",
                                 prefix.to_string(), next_hop);
  if (tag != 0) {
    line += std::format(" tag {}", tag);
  }
  if (distance != 1) {  // FRR's default, which it does not print
    line += std::format(" {}", distance);
  }
  return line;
}

View static_routes(const ConfigTree& tree, Family family) {
  const View options = View(tree)["routing-options"];
  return family == Family::Inet ? options["static"]["route"]
                                : options["rib"].entry("inet6.0")["static"]["route"];
}

Lines lines_of_route(const ConfigTree& tree, const base::Prefix& prefix, const View& route) {
  Lines lines;
  if (!route) {
    return lines;
  }
  const auto preference = route["preference"].number();
  const auto tag = route["tag"].number();
  const auto add = [&](std::string_view next_hop, std::int64_t distance) {
    lines.insert(static_line(prefix, next_hop, tag.value_or(0), distance));
  };
  const std::int64_t distance = preference.value_or(5);
  for (const auto& [next_hop, entry] : route["next-hop"].entries()) {
    const bool is_address = base::IpAddress::parse(next_hop).has_value();
    add(is_address ? std::string(next_hop) : device_of(tree, next_hop), distance);
  }
  for (const auto& [address, hop] : route["qualified-next-hop"].entries()) {
    std::string next_hop(address);
    if (const auto interface = hop["interface"].value()) {
      next_hop += " " + device_of(tree, *interface);
    }
    add(next_hop, hop["preference"].number().value_or(distance));
  }
  if (route["discard"]) {
    add("blackhole", distance);
  }
  if (route["reject"]) {
    add("reject", distance);
  }
  return lines;
}

std::vector<std::string> touched_static_routes(const tree::Delta& delta, Family family) {
  if (!delta.touches("interfaces interface vlan-tagging")) {
    return delta.changed_keys(path_of_routes(delta.after().schema(), family));
  }
  std::set<std::string> keys;
  for (const auto* const tree : {&delta.before(), &delta.after()}) {
    for (const auto& [key, route] : static_routes(*tree, family).entries()) {
      keys.emplace(key);
    }
  }
  return {keys.begin(), keys.end()};
}

StaticRoutes all_static_routes(const ConfigTree& tree) {
  StaticRoutes routes;
  for (const Family family : {Family::Inet, Family::Inet6}) {
    for (const auto& [key, route] : static_routes(tree, family).entries()) {
      const auto prefix = base::Prefix::parse(key);
      base::check(prefix.has_value(), "a prefix in the tree has been checked by its type");
      routes.emplace(*prefix, lines_of_route(tree, *prefix, route));
    }
  }
  return routes;
}

StaticRoutes parse_static_routes(std::string_view running_config) {
  StaticRoutes routes;
  while (!running_config.empty()) {
    const std::size_t end = std::min(running_config.find('\n'), running_config.size());
    const std::string_view line = running_config.substr(0, end);
    running_config.remove_prefix(std::min(end + 1, running_config.size()));
    for (const std::string_view head : {"ip route ", "ipv6 route "}) {
      if (line.starts_with(head)) {
        const std::string_view rest = line.substr(head.size());
        if (const auto prefix = base::Prefix::parse(rest.substr(0, rest.find(' ')))) {
          routes[*prefix].emplace(line);
        }
      }
    }
  }
  return routes;
}

}  // namespace millrace::appliers
