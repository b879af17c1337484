// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many routes there are. zebra counts its own; of BGP it has only the best routes, so bgpd says
// for each neighbour how many paths came from it, how many of them cannot be used, and how many
// were kept out. Only where some were kept out is it asked which, since a loop of AS numbers keeps
// routes out without hiding them.
#include <algorithm>
#include <format>

#include "ops/bgp_peers.h"
#include "ops/frr_json.h"
#include "ops/routes_json.h"

namespace millrace::ops {
namespace {

using base::Family;
using base::Prefix;
using base::Result;
using nlohmann::json;
using system::FrrDaemon;

std::string_view zebra_table(Family family) {
  return family == Family::Inet ? "show ip route" : "show ipv6 route";
}

// Entries of zebra that joined_routes() leaves out, by protocol. They stand beside Direct routes,
// so only prefixes of interfaces are asked for.
Result<void> leave_out_repetitions(Context& context, Family family, Totals& totals) {
  const auto connected = ask_json(context.system.frr, FrrDaemon::Zebra,
                                  std::format("{} connected json", zebra_table(family)));
  if (!connected) {
    return std::unexpected(connected.error());
  }
  std::vector<std::string> commands;
  for (const auto& [key, entries] : connected->items()) {
    if (const auto prefix = Prefix::parse(key)) {
      commands.push_back(std::format("{} {} json", zebra_table(family), prefix->to_string()));
    }
  }
  const auto answers = context.system.frr.show_each(FrrDaemon::Zebra, commands);
  if (!answers) {
    return std::unexpected(answers.error());
  }
  for (const std::string& answer : *answers) {
    const json table = parsed(answer);
    for (const auto& [key, entries] : table.items()) {
      const auto prefix = Prefix::parse(key);
      std::vector<Route> direct;
      std::vector<std::pair<Route, bool>> others;  // with whether it is installed
      for (const json& entry : prefix ? entries : json()) {
        Route route = zebra_route(*prefix, entry);
        const bool installed = flag_of(entry, "installed");
        if (route.protocol != "Direct") {
          others.emplace_back(std::move(route), installed);
          continue;
        }
        // Link-local addresses make every interface a Direct route to one prefix.
        totals.protocols[route.protocol].active -= !direct.empty() && installed ? 1 : 0;
        direct.push_back(std::move(route));
      }
      for (const auto& [route, installed] : others) {
        if (std::ranges::any_of(direct,
                                [&](const Route& kept) { return says_nothing_new(kept, route); })) {
          auto& protocol = totals.protocols[route.protocol];
          --protocol.routes;
          protocol.active -= installed ? 1 : 0;
        }
      }
    }
  }
  return {};
}

Result<void> count_bgp(Context& context, Family family, Totals& totals) {
  const auto instance = ask_json(context.system.frr, FrrDaemon::Bgpd,
                                 std::format("show bgp {} summary json", bgp_family(family)));
  if (!instance) {
    return std::unexpected(instance.error());
  }
  totals.local_as = number_of(*instance, "as");
  totals.router_id = text_of(*instance, "routerId");
  const auto peers = peers_of(context, family);
  if (!peers) {
    return std::unexpected(peers.error());
  }
  auto& bgp = totals.protocols["BGP"];
  bgp.routes = 0;
  bool some_kept_out = false;
  std::int64_t unusable = 0;
  for (const PeerCount& peer : *peers) {
    if (!peer.established) {
      continue;
    }
    const auto answer = ask_json(
        context.system.frr, FrrDaemon::Bgpd,
        std::format("show bgp {} neighbors {} prefix-counts json", bgp_family(family), peer.peer));
    if (!answer) {
      return std::unexpected(answer.error());
    }
    const json& counts = part_of(*answer, "ribTableWalkCounters");
    const auto all = number_of(counts, "All RIB");
    unusable += all - number_of(counts, "Valid");
    some_kept_out = some_kept_out || number_of(counts, "Adj-in") > all;
    bgp.routes += all;
  }
  totals.hidden = unusable;
  totals.destinations += unusable;
  if (!some_kept_out) {
    return {};
  }
  const auto rejected = rejected_routes(context, family);
  if (!rejected) {
    return std::unexpected(rejected.error());
  }
  for (const auto& [prefix, routes] : *rejected) {
    totals.hidden += static_cast<std::int64_t>(routes.size());
    bgp.routes += static_cast<std::int64_t>(routes.size());
    const auto other = ask_json(context.system.frr, FrrDaemon::Zebra,
                                std::format("{} {} json", zebra_table(family), prefix.to_string()));
    if (!other) {
      return std::unexpected(other.error());
    }
    totals.destinations += other->empty() ? 1 : 0;
  }
  return {};
}

}  // namespace

Result<Totals> totals(Context& context, Family family) {
  const auto summary = ask_json(context.system.frr, FrrDaemon::Zebra,
                                std::format("{} summary json", zebra_table(family)));
  if (!summary) {
    return std::unexpected(summary.error());
  }
  Totals totals;
  for (const json& source : part_of(*summary, "routes")) {
    auto& protocol = totals.protocols[protocol_name(text_of(source, "type"))];
    protocol.routes += number_of(source, "rib");
    protocol.active += number_of(source, "fib");
  }
  if (auto left = leave_out_repetitions(context, family, totals); !left) {
    return std::unexpected(std::move(left.error()));
  }
  if (bgp_is_running(context)) {
    if (auto counted = count_bgp(context, family, totals); !counted) {
      return std::unexpected(std::move(counted.error()));
    }
  }
  std::erase_if(totals.protocols, [](const auto& entry) { return entry.second.routes == 0; });
  for (const auto& [name, protocol] : totals.protocols) {
    totals.routes += protocol.routes;
    totals.active += protocol.active;
  }
  // A destination without an active route has nothing but hidden ones: what zebra cannot use is not
  // in its table.
  totals.destinations += totals.active;
  return totals;
}

}  // namespace millrace::ops
