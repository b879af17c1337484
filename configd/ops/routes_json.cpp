// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/routes_json.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <utility>

#include "base/words.h"
#include "ops/layout.h"

namespace millrace::ops {
namespace {

using nlohmann::json;

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

NextHop next_hop(const json& hop) {
  NextHop out;
  if (flag_of(hop, "blackhole")) {
    out.type = "Discard";
  } else if (flag_of(hop, "reject") || flag_of(hop, "unreachable")) {
    const bool nowhere = part_of(hop, "interfaceName").is_null();
    out.type = flag_of(hop, "reject") || nowhere ? "Reject" : "Unusable";
  }
  out.to = text_of(hop, "ip");
  if (const std::string name = text_of(hop, "interfaceName"); !name.empty()) {
    out.via = logical_name(name);
  }
  out.selected = flag_of(hop, "fib") || flag_of(hop, "active");
  return out;
}

// A next hop that zebra resolved through another route stands beside what it came to.
bool is_resolved_elsewhere(const json& hop) {
  return flag_of(hop, "recursive") && part_of(hop, "interfaceName").is_null();
}

char origin_letter(const std::string& origin) {
  return origin == "IGP" ? 'I' : origin == "EGP" ? 'E' : '?';
}

}  // namespace

std::string protocol_name(std::string_view frr) {
  constexpr std::array kNames = {
      std::pair<std::string_view, std::string_view>{"connected", "Direct"},
      std::pair<std::string_view, std::string_view>{"local", "Local"},
      std::pair<std::string_view, std::string_view>{"static", "Static"},
      std::pair<std::string_view, std::string_view>{"bgp", "BGP"},
      std::pair<std::string_view, std::string_view>{"ebgp", "BGP"},
      std::pair<std::string_view, std::string_view>{"ibgp", "BGP"},
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

Route zebra_route(const base::Prefix& prefix, const json& entry) {
  Route route;
  route.prefix = prefix;
  route.protocol = protocol_name(text_of(entry, "protocol"));
  route.preference = number_of(entry, "distance");
  route.metric = number_of(entry, "metric");
  route.tag = number_of(entry, "tag");
  route.age = shown_age(text_of(entry, "uptime"));
  route.active = flag_of(entry, "selected");
  for (const auto& hop : part_of(entry, "nexthops")) {
    if (!is_resolved_elsewhere(hop)) {
      route.next_hops.push_back(next_hop(hop));
    }
  }
  return route;
}

Route bgp_route(const base::Prefix& prefix, const json& path, const Resolved& resolved) {
  Route route;
  route.prefix = prefix;
  route.protocol = "BGP";
  const std::int64_t since = number_of(part_of(path, "lastUpdate"), "epoch");
  if (const std::int64_t now = std::time(nullptr); since > 0 && now >= since) {
    route.age = age(static_cast<std::uint64_t>(now - since));
  }
  route.active = flag_of(part_of(path, "bestpath"), "overall");
  route.hidden = !flag_of(path, "valid");
  BgpPath& bgp = route.bgp.emplace();
  const json& peer = part_of(path, "peer");
  bgp.peer = text_of(peer, "peerId");
  bgp.peer_id = text_of(peer, "routerId");
  bgp.internal = text_of(peer, "type") == "internal";
  bgp.as_path = text_of(part_of(path, "aspath"), "string");
  if (bgp.as_path == "Local") {
    bgp.as_path.clear();
  }
  const std::string first = bgp.as_path.substr(0, bgp.as_path.find(' '));
  if (!bgp.internal && !first.empty() &&
      std::ranges::all_of(first, [](char c) { return c >= '0' && c <= '9'; }) &&
      first.size() <= 10) {
    bgp.peer_as = std::stoll(first);
  }
  bgp.origin = origin_letter(text_of(path, "origin"));
  if (part_of(path, "metric").is_number_integer()) {
    bgp.med = number_of(path, "metric");
  }
  bgp.local_preference = number_of(path, "locPrf", 100);
  for (const char* const kind : {"community", "largeCommunity", "extendedCommunity"}) {
    const std::string head = kind == std::string_view("largeCommunity") ? "large:" : "";
    for (std::string word : base::split_words(text_of(part_of(path, kind), "string"))) {
      // FRR writes RT:65000:1 and SoO:65000:1 (RFC 4360).
      if (word.starts_with("RT:")) {
        word.replace(0, 3, "target:");
      } else if (word.starts_with("SoO:")) {
        word.replace(0, 4, "origin:");
      }
      bgp.communities.push_back(head + word);
    }
  }
  bgp.originator = text_of(path, "originatorId");
  for (const auto& id : part_of(part_of(path, "clusterList"), "list")) {
    bgp.cluster_list += (bgp.cluster_list.empty() ? "" : " ") +
                        (id.is_string() ? base::one_line(id.get<std::string>()) : "?");
  }
  if (const std::int64_t as = number_of(path, "aggregatorAs"); as != 0) {
    bgp.aggregator = std::to_string(as) + " " + text_of(path, "aggregatorId");
  }
  bgp.why_best = text_of(part_of(path, "bestpath"), "selectionReason");
  std::string used;  // over a link-local address, where the neighbour gave one
  for (const auto& hop : part_of(path, "nexthops")) {
    const std::string address = text_of(hop, "ip");
    if (bgp.protocol_next_hop.empty() || address == bgp.peer) {
      bgp.protocol_next_hop = address;
    }
    if (used.empty() || flag_of(hop, "used")) {
      used = address;
    }
  }
  NextHop hop{route.hidden ? "Unusable" : "", used, "", false};
  if (const auto via = resolved.find(used); via != resolved.end() && !route.hidden) {
    hop.via = via->second;
    hop.selected = true;
  }
  route.next_hops.push_back(std::move(hop));
  return route;
}

bool says_nothing_new(const Route& kept, const Route& next) {
  const auto via = [](const Route& route) {
    return route.next_hops.empty() ? std::string() : route.next_hops[0].via;
  };
  return kept.prefix == next.prefix && kept.protocol == "Direct" && via(kept) == via(next) &&
         (next.protocol == "Local" || next.protocol == "Kernel");
}

Destination joined_routes(std::vector<Route> zebra, std::vector<Route> paths) {
  if (!paths.empty()) {
    const auto used =
        std::ranges::find_if(zebra, [](const Route& route) { return route.protocol == "BGP"; });
    for (Route& path : paths) {
      path.preference = used == zebra.end() ? 170 : used->preference;
      // zebra has not resolved what it does not use.
      if (path.active && used != zebra.end() && used->active) {
        path.next_hops = used->next_hops;
        path.metric = used->metric;
      }
      // The best one of BGP is not active where another protocol's route is.
      path.active = path.active && used != zebra.end() && used->active;
    }
    std::erase_if(zebra, [](const Route& route) { return route.protocol == "BGP"; });
    std::ranges::move(paths, std::back_inserter(zebra));
  }
  std::ranges::stable_sort(zebra, [](const Route& left, const Route& right) {
    return std::tuple(!left.active, left.hidden, left.preference) <
           std::tuple(!right.active, right.hidden, right.preference);
  });
  const auto repeated = std::ranges::unique(zebra, says_nothing_new);
  zebra.erase(repeated.begin(), repeated.end());
  return zebra;
}

}  // namespace millrace::ops
