// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/bgp_peers.h"

#include <format>

#include "ops/frr_json.h"
#include "ops/layout.h"

namespace millrace::ops {

using base::Family;
using base::Prefix;
using base::Result;
using nlohmann::json;
using system::FrrDaemon;

bool bgp_is_running(Context& context) {
  return context.system.frr.answers(FrrDaemon::Bgpd).has_value();
}

std::unexpected<base::Error> bgp_not_running() {
  return base::fail(base::Code::UnknownPath, "BGP is not running");
}

Result<std::vector<PeerCount>> peers_of(Context& context, Family family) {
  const auto summary = ask_json(context.system.frr, FrrDaemon::Bgpd,
                                std::format("show bgp {} summary json", bgp_family(family)));
  if (!summary) {
    return std::unexpected(summary.error());
  }
  std::vector<PeerCount> peers;
  const json& list = part_of(*summary, "peers");
  if (!list.is_object()) {
    return peers;
  }
  for (const auto& [peer, state] : list.items()) {
    // What is put into commands is an address, whatever a name of a neighbour could be.
    if (base::IpAddress::parse(peer)) {
      peers.push_back({peer, text_of(state, "state") == "Established", number_of(state, "pfxRcd")});
    }
  }
  return peers;
}

Result<Resolved> resolved_next_hops(Context& context) {
  const auto known = ask_json(context.system.frr, FrrDaemon::Bgpd, "show bgp nexthop json");
  if (!known) {
    return std::unexpected(known.error());
  }
  Resolved out;
  for (const auto& [family, hops] : known->items()) {
    if (!hops.is_object()) {
      continue;
    }
    for (const auto& [address, state] : hops.items()) {
      const json& ways = part_of(state, "nexthops");
      if (flag_of(state, "valid") && ways.is_array() && !ways.empty()) {
        if (const std::string name = text_of(ways.front(), "interfaceName"); !name.empty()) {
          out.emplace(address, logical_name(name));
        }
      }
    }
  }
  return out;
}

Route listed_route(const Prefix& prefix, const json& entry, const std::string& peer) {
  Route route;
  route.prefix = prefix;
  route.protocol = "BGP";
  BgpPath& bgp = route.bgp.emplace();
  bgp.peer = peer;
  bgp.as_path = text_of(entry, "path");
  const std::string origin = text_of(entry, "origin");
  bgp.origin = origin == "IGP" ? 'I' : origin == "EGP" ? 'E' : '?';
  if (part_of(entry, "metric").is_number_integer()) {
    bgp.med = number_of(entry, "metric");
  }
  bgp.local_preference = number_of(entry, "locPrf", 100);
  bgp.protocol_next_hop = text_of(entry, "nextHop");
  if (bgp.protocol_next_hop.empty()) {
    bgp.protocol_next_hop = text_of(entry, "nextHopGlobal");
  }
  route.next_hops.push_back({"", bgp.protocol_next_hop, "", false});
  return route;
}

Result<RejectedRoutes> rejected_routes(Context& context, Family family) {
  RejectedRoutes rejected;
  if (!bgp_is_running(context)) {
    return rejected;
  }
  const auto peers = peers_of(context, family);
  if (!peers) {
    return std::unexpected(peers.error());
  }
  const auto resolved = resolved_next_hops(context);
  if (!resolved) {
    return std::unexpected(resolved.error());
  }
  for (const PeerCount& peer : *peers) {
    if (!peer.established) {
      continue;
    }
    auto list = members(
        context.system.frr, FrrDaemon::Bgpd,
        std::format("show bgp {} neighbors {} filtered-routes json", bgp_family(family), peer.peer),
        2);
    if (!list) {
      return std::unexpected(std::move(list.error()));
    }
    while (true) {
      auto member = list->next();
      if (!member) {
        return std::unexpected(std::move(member.error()));
      }
      if (!*member) {
        break;
      }
      if (const auto prefix = Prefix::parse((*member)->key)) {
        Route route = listed_route(*prefix, (*member)->value, peer.peer);
        route.hidden = true;
        route.rejected = true;
        NextHop& hop = route.next_hops.front();
        if (const auto via = resolved->find(hop.to); via != resolved->end()) {
          hop.via = via->second;
          hop.selected = true;
        }
        rejected[*prefix].push_back(std::move(route));
      }
    }
  }
  return rejected;
}

}  // namespace millrace::ops
