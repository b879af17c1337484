// SPDX-License-Identifier: GPL-2.0-or-later
//
// The routes of the router as users know them, made of two tables of FRR: zebra has all protocols'
// routes and what is in use; bgpd has every path of BGP with its attributes, of which zebra only
// got the best one. Both are sorted by prefix, so they are read side by side and joined as they
// come.
//
// Preferences are FRR's distances: appliers set those to the numbers of the configuration language
// (static 5, BGP 170, …) wherever FRR lets them, so that no table of numbers is needed here. Direct
// and Local are 0 in both worlds.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "ops/run.h"

namespace millrace::ops {

struct NextHop {
  std::string type;  // "Discard", "Reject", "Unusable"; empty: to an address or interface
  std::string to;
  std::string via;  // IF.UNIT
  bool selected = false;
};

// What only routes of BGP have.
struct BgpPath {
  std::string peer;  // its address
  std::string peer_id;
  std::int64_t local_as = 0;
  std::int64_t peer_as = 0;  // 0: not known
  bool internal = false;
  std::string as_path;  // "65001 65002", empty: of the own AS
  char origin = '?';    // I, E or ?
  std::optional<std::int64_t> med;
  std::int64_t local_preference = 100;
  std::string protocol_next_hop;
  std::vector<std::string> communities;
  std::string originator;
  std::string cluster_list;
  std::string aggregator;
  std::string why_best;  // what decided, when it is the best one
};

struct Route {
  base::Prefix prefix;
  std::string protocol;  // "Direct", "Static", "BGP", …
  std::int64_t preference = 0;
  std::int64_t metric = 0;
  std::int64_t tag = 0;
  std::string age;  // "00:02:06"; empty: not known
  bool active = false;
  bool hidden = false;
  bool rejected = false;  // hidden because an import policy does not take it
  std::vector<NextHop> next_hops = {};
  std::optional<BgpPath> bgp = {};
};

// All routes of one prefix, the active one first.
using Destination = std::vector<Route>;

struct Selection {
  std::optional<base::Prefix> within;  // this prefix and what is more specific
  enum class Match : std::uint8_t { OrLonger, Longer, Exact, Best } match = Match::OrLonger;
  std::string protocol = {};  // as shown, lower case
  bool hidden = false;        // also those that are hidden; costs a walk of what peers sent
  std::function<bool(const Route&)> keep = {};  // what else a route must be; empty: nothing
};

// "inet.0", "inet6.0"
std::string_view table_name(base::Family family);
// "ipv4 unicast", "ipv6 unicast": as bgpd calls a family.
std::string_view bgp_family(base::Family family);

// bgpd is there: protocols bgp is configured and it has not died.
bool bgp_is_running(Context& context);

// Gives `take` each destination in order with those of its routes that are selected, if any.
// Memory: one destination, and the hidden routes if they are wanted. Errors: Io.
base::Result<void> for_each_destination(Context& context, base::Family family,
                                        const Selection& selection,
                                        const std::function<void(const Destination&)>& take);

struct Totals {
  std::int64_t destinations = 0;
  std::int64_t routes = 0;
  std::int64_t active = 0;
  std::int64_t hidden = 0;
  struct Protocol {
    std::int64_t routes = 0;
    std::int64_t active = 0;
  };
  std::map<std::string, Protocol> protocols = {};
  std::string router_id = {};
  std::int64_t local_as = 0;  // 0: BGP is not running
};

// Of a whole table, counted by the daemons: nothing is transferred but numbers. Every peer costs
// bgpd one walk of its table. Errors: Io.
base::Result<Totals> totals(Context& context, base::Family family);

// "Direct" for "connected": protocols as they are shown.
std::string protocol_name(std::string_view frr);

// The interface by which a next hop of BGP is reached, by its address.
using Resolved = std::map<std::string, std::string, std::less<>>;
// Of all next hops that bgpd knows. Errors: Io.
base::Result<Resolved> resolved_next_hops(Context& context);

// One path as bgpd prints it in detail.
Route bgp_route(const base::Prefix& prefix, const nlohmann::json& path, const Resolved& resolved);

}  // namespace millrace::ops
