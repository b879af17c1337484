// SPDX-License-Identifier: GPL-2.0-or-later
//
// `show route`: zebra's table in the layout that people read elsewhere. zebra is the only writer of
// routes, so its JSON is the truth; this file renames protocols, maps interfaces to IF.UNIT and
// counts. FRR's own distance stands for the preference except where the two worlds differ in the
// name only: connected is Direct, and Direct and Local have preference 0.
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <tuple>

#include "ops/builtins.h"
#include "ops/layout.h"

namespace millrace::ops {
namespace {

using base::Result;
using nlohmann::json;

struct Route {
  base::Prefix prefix;
  std::string protocol;
  std::int64_t preference = 0;
  std::int64_t metric = 0;
  std::string age;
  bool active = false;
  json next_hops = json::array();  // {"to", "via", "selected", "type"}
};

struct Table {
  std::string name;
  std::vector<Route> routes;  // by prefix, the active one first
};

struct Selection {
  std::optional<base::Prefix> within;  // this prefix and what is more specific
  std::optional<base::IpAddress> best_for;
  bool exact = false;
  std::string protocol;  // as shown, lower case
  std::string table;
};

std::string protocol_name(std::string_view frr) {
  constexpr std::array kNames = {
      std::pair<std::string_view, std::string_view>{"connected", "Direct"},
      std::pair<std::string_view, std::string_view>{"local", "Local"},
      std::pair<std::string_view, std::string_view>{"static", "Static"},
      std::pair<std::string_view, std::string_view>{"bgp", "BGP"},
      std::pair<std::string_view, std::string_view>{"ospf", "OSPF"},
      std::pair<std::string_view, std::string_view>{"ospf6", "OSPF3"},
      std::pair<std::string_view, std::string_view>{"isis", "IS-IS"},
      std::pair<std::string_view, std::string_view>{"kernel", "Kernel"},
  };
  for (const auto& [name, shown] : kNames) {
    if (name == frr) {
      return std::string(shown);
    }
  }
  return std::string(frr);
}

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// FRR spells ages "00:02:06", "2d03h04m" and "01w2d03h" (lib/frrstr, frrtime_to_interval).
std::string shown_age(const std::string& uptime) {
  std::uint64_t seconds = 0;
  std::uint64_t number = 0;
  bool units = false;
  for (const char c : uptime) {
    if (c >= '0' && c <= '9') {
      number = number * 10 + static_cast<std::uint64_t>(c - '0');
      continue;
    }
    const std::uint64_t factor = c == 'w'   ? 604800
                                 : c == 'd' ? 86400
                                 : c == 'h' ? 3600
                                 : c == 'm' ? 60
                                            : 0;
    units = units || factor != 0;
    seconds += number * factor;
    number = 0;
  }
  return units ? age(seconds) : uptime;
}

json next_hop(const json& hop) {
  json out = json::object();
  if (hop.value("blackhole", false)) {
    out["type"] = "Discard";
  } else if (hop.value("reject", false) || hop.value("unreachable", false)) {
    out["type"] = hop.contains("reject") || !hop.contains("interfaceName") ? "Reject" : "Unusable";
  }
  if (const auto address = hop.find("ip"); address != hop.end() && address->is_string()) {
    out["to"] = *address;
  }
  if (const auto name = hop.find("interfaceName"); name != hop.end() && name->is_string()) {
    out["via"] = logical_name(name->get_ref<const std::string&>());
  }
  out["selected"] = hop.value("fib", false) || hop.value("active", false);
  return out;
}

// A next hop that zebra resolved through another route stands beside what it came to.
bool is_resolved_elsewhere(const json& hop) {
  return hop.value("recursive", false) && !hop.contains("interfaceName");
}

// The kernel's own route to the network of an address, or the host route of an address that is a
// whole prefix: the Direct route before it has said it.
bool says_nothing_new(const Route& kept, const Route& next) {
  const auto via = [](const Route& route) {
    return route.next_hops.empty() ? json() : route.next_hops[0].value("via", json());
  };
  return kept.prefix == next.prefix && kept.protocol == "Direct" && via(kept) == via(next) &&
         (next.protocol == "Local" || next.protocol == "Kernel");
}

bool chosen(const Selection& selection, const Route& route) {
  if (!selection.protocol.empty() && lower(route.protocol) != selection.protocol) {
    return false;
  }
  if (selection.within) {
    const auto& within = *selection.within;
    return selection.exact ? route.prefix == within
                           : route.prefix.family() == within.family() &&
                                 route.prefix.length() >= within.length() &&
                                 within.contains(route.prefix.address());
  }
  return !selection.best_for || (route.prefix.family() == selection.best_for->family() &&
                                 route.prefix.contains(*selection.best_for));
}

Result<Table> read_table(Context& context, base::Family family, const Selection& selection) {
  const bool v4 = family == base::Family::Inet;
  Table table{v4 ? "inet.0" : "inet6.0", {}};
  auto text = context.system.frr.show(system::FrrDaemon::Zebra,
                                      v4 ? "show ip route json" : "show ipv6 route json");
  if (!text) {
    return std::unexpected(std::move(text.error()));
  }
  const auto data = json::parse(*text, nullptr, false);
  if (!data.is_object()) {
    return base::fail(base::Code::Io, "zebra's answer to 'show route' is not a JSON object");
  }
  try {
    for (const auto& [key, routes] : data.items()) {
      const auto prefix = base::Prefix::parse(key);
      if (!prefix || !routes.is_array()) {
        continue;
      }
      for (const auto& entry : routes) {
        Route route{*prefix,
                    protocol_name(entry.value("protocol", "")),
                    entry.value("distance", std::int64_t{0}),
                    entry.value("metric", std::int64_t{0}),
                    shown_age(entry.value("uptime", "")),
                    entry.value("selected", false)};
        for (const auto& hop : entry.value("nexthops", json::array())) {
          if (!is_resolved_elsewhere(hop)) {
            route.next_hops.push_back(next_hop(hop));
          }
        }
        if (chosen(selection, route)) {
          table.routes.push_back(std::move(route));
        }
      }
    }
  } catch (const json::exception& error) {
    return base::fail(
        base::Code::Io,
        std::string("zebra's answer to 'show route' is not understood: ") + error.what());
  }
  std::ranges::stable_sort(table.routes, [](const Route& left, const Route& right) {
    return std::tie(left.prefix, right.active) < std::tie(right.prefix, left.active);
  });
  const auto repeated = std::ranges::unique(table.routes, says_nothing_new);
  table.routes.erase(repeated.begin(), repeated.end());
  if (selection.best_for && !table.routes.empty()) {
    // Sorted by address, then length: the most specific one that covers the address is the longest.
    const auto longest = std::ranges::max(table.routes, {}, [](const Route& route) {
                           return route.prefix.length();
                         }).prefix;
    std::erase_if(table.routes, [&](const Route& route) { return route.prefix != longest; });
  }
  return table;
}

void append_route(std::string& out, const Route& route, bool first) {
  constexpr std::size_t kColumn = 19;
  const std::string prefix = first ? route.prefix.to_string() : "";
  out += prefix;
  if (prefix.size() + 1 > kColumn) {
    out += '\n';
    out.append(kColumn, ' ');
  } else {
    out.append(kColumn - prefix.size(), ' ');
  }
  out += route.active ? "*[" : " [";
  out += route.protocol + "/" + std::to_string(route.preference) + "] " + route.age;
  if (route.metric != 0) {
    out += ", metric " + std::to_string(route.metric);
  }
  out += '\n';
  for (const auto& hop : route.next_hops) {
    if (const auto type = hop.find("type"); type != hop.end()) {
      out += "                      " + type->get<std::string>() + "\n";
      continue;
    }
    if (route.protocol == "Local") {
      out += "                      Local via " + hop.value("via", "") + "\n";
      continue;
    }
    out += std::string(20, ' ') + (hop.value("selected", false) ? "> " : "  ");
    if (hop.contains("to")) {
      out += "to " + hop.value("to", "") + " ";
    }
    out += "via " + hop.value("via", "") + "\n";
  }
}

std::string to_text(const Table& table) {
  std::size_t destinations = 0;
  std::size_t active = 0;
  const Route* last = nullptr;
  for (const auto& route : table.routes) {
    destinations += !last || last->prefix != route.prefix ? 1 : 0;
    active += route.active ? 1 : 0;
    last = &route;
  }
  std::string out =
      table.name + ": " + std::to_string(destinations) + " destinations, " +
      std::to_string(table.routes.size()) + " routes (" + std::to_string(active) +
      " active, 0 holddown, 0 hidden)\n+ = Active Route, - = Last Active, * = Both\n\n";
  last = nullptr;
  for (const auto& route : table.routes) {
    append_route(out, route, !last || last->prefix != route.prefix);
    last = &route;
  }
  return out;
}

json to_json(const Table& table) {
  json routes = json::array();
  for (const auto& route : table.routes) {
    routes.push_back({{"destination", route.prefix.to_string()},
                      {"protocol", route.protocol},
                      {"preference", route.preference},
                      {"metric", route.metric},
                      {"age", route.age},
                      {"active", route.active},
                      {"next-hops", route.next_hops}});
  }
  return {{"name", table.name}, {"routes", std::move(routes)}};
}

Result<Selection> select(const Match& match) {
  Selection selection;
  if (const auto* destination = match.argument("destination")) {
    if (destination->contains('/')) {
      auto prefix = base::Prefix::parse(*destination);
      if (!prefix) {
        return std::unexpected(std::move(prefix.error()));
      }
      selection.within = *prefix;
    } else {
      auto address = base::IpAddress::parse(*destination);
      if (!address) {
        return std::unexpected(std::move(address.error()));
      }
      selection.best_for = *address;
    }
  }
  selection.exact = match.has("exact");
  if (const auto* protocol = match.argument("protocol")) {
    selection.protocol = lower(*protocol);
  }
  if (const auto* table = match.argument("table")) {
    selection.table = *table;
  }
  return selection;
}

}  // namespace

Result<Reply> route(const Match& match, Context& context) {
  const auto selection = select(match);
  if (!selection) {
    return std::unexpected(selection.error());
  }
  std::string text;
  json tables = json::array();
  for (const auto family : {base::Family::Inet, base::Family::Inet6}) {
    const std::string_view name = family == base::Family::Inet ? "inet.0" : "inet6.0";
    if (!selection->table.empty() && selection->table != name) {
      continue;
    }
    const auto table = read_table(context, family, *selection);
    if (!table) {
      return std::unexpected(table.error());
    }
    if (table->routes.empty()) {
      continue;
    }
    text += "\n" + to_text(*table);
    tables.push_back(to_json(*table));
  }
  return Reply{std::move(text), {{"tables", std::move(tables)}}};
}

}  // namespace millrace::ops
