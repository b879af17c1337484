// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/static_lines.h"

#include <format>

#include "base/check.h"

namespace millrace::appliers {
namespace {

using base::Family;
using tree::ConfigTree;
using tree::View;

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

StaticAttributes static_attributes(const ConfigTree& tree, Family family, const View& route) {
  const View options = View(tree)["routing-options"];
  const View defaults = family == Family::Inet
                            ? options["static"]["defaults"]
                            : options["rib"].entry("inet6.0")["static"]["defaults"];
  StaticAttributes attributes;
  for (const View& level : {defaults, route}) {
    attributes.preference = level["preference"].number().value_or(attributes.preference);
    attributes.tag = level["tag"].number().value_or(attributes.tag);
    attributes.resolve = (attributes.resolve || level["resolve"]) && !level["no-resolve"];
  }
  return attributes;
}

Lines lines_of_route(const ConfigTree& tree, const Connected& connected, const base::Prefix& prefix,
                     const View& route) {
  Lines lines;
  if (!route) {
    return lines;
  }
  const StaticAttributes attributes = static_attributes(tree, prefix.family(), route);
  const auto add = [&](std::string_view next_hop, std::int64_t distance) {
    lines.insert(static_line(prefix, next_hop, attributes.tag, distance));
  };
  const auto add_address = [&](std::string_view text, std::int64_t distance) {
    if (attributes.resolve) {
      add(text, distance);
    } else if (const auto* device = connected.device_to(*base::IpAddress::parse(text))) {
      add(std::format("{} {}", text, *device), distance);
    }
  };
  for (const auto& [next_hop, entry] : route["next-hop"].entries()) {
    if (base::IpAddress::parse(next_hop)) {
      add_address(next_hop, attributes.preference);
    } else {
      add(device_of(tree, next_hop), attributes.preference);
    }
  }
  for (const auto& [address, hop] : route["qualified-next-hop"].entries()) {
    const auto distance = hop["preference"].number().value_or(attributes.preference);
    if (const auto interface = hop["interface"].value()) {
      add(std::format("{} {}", address, device_of(tree, *interface)), distance);
    } else {
      add_address(address, distance);
    }
  }
  if (route["discard"]) {
    add("blackhole", attributes.preference);
  }
  if (route["reject"]) {
    add("reject", attributes.preference);
  }
  return lines;
}

std::vector<std::string> touched_static_routes(const tree::Delta& delta, Family family) {
  const bool defaults =
      delta.touches(family == Family::Inet ? "routing-options static defaults"
                                           : "routing-options rib static defaults");
  const bool all = defaults || delta.touches("interfaces interface vlan-tagging") ||
                   (delta.touches("interfaces interface unit") &&
                    Connected(delta.before()) != Connected(delta.after()));
  if (!all) {
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
  const Connected connected(tree);
  for (const Family family : {Family::Inet, Family::Inet6}) {
    for (const auto& [key, route] : static_routes(tree, family).entries()) {
      const auto prefix = base::Prefix::parse(key);
      base::check(prefix.has_value(), "a prefix in the tree has been checked by its type");
      routes.emplace(*prefix, lines_of_route(tree, connected, *prefix, route));
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
