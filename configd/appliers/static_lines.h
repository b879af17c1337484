// SPDX-License-Identifier: GPL-2.0-or-later
//
// Static routes as lines of FRR's configuration, in the canonical form of FRR 10.3, so that what
// was rendered compares equal to what `show running-config` prints. Each pair of next hop and
// distance is a line of its own:
//
//   ip route 203.0.113.0/24 192.0.2.9 tag 7 5
//   ipv6 route 2001:db8::/32 fe80::1 eth0 5
//   ip route 198.51.100.0/24 blackhole 5
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "appliers/connected.h"
#include "base/address.h"
#include "tree/delta.h"
#include "tree/view.h"

namespace millrace::appliers {

using Lines = std::set<std::string, std::less<>>;
using StaticRoutes = std::map<base::Prefix, Lines>;

// One line. `tag` 0: none.
std::string static_line(const base::Prefix& prefix, std::string_view next_hop, std::int64_t tag,
                        std::int64_t distance);

// The list of routes of a family, existing or not.
tree::View static_routes(const tree::ConfigTree& tree, base::Family family);

// What stands at a route, or for all of the family under `static defaults`.
struct StaticAttributes {
  std::int64_t preference = 5;
  std::int64_t tag = 0;
  bool resolve = false;  // a next hop may be reached through another route
};
StaticAttributes static_attributes(const tree::ConfigTree& tree, base::Family family,
                                   const tree::View& route);

// The lines of one route, an entry of that list; empty when it does not exist. A next hop that is
// on no network of `connected` has no line, as in Junos, unless the route says `resolve`: FRR would
// resolve it.
Lines lines_of_route(const tree::ConfigTree& tree, const Connected& connected,
                     const base::Prefix& prefix, const tree::View& route);

// The keys of routes whose lines may differ: those that changed, and all when what a name of an
// interface means may have (vlan-tagging), when a network has come or gone, or the defaults
// changed.
std::vector<std::string> touched_static_routes(const tree::Delta& delta, base::Family family);

// All routes of the configuration. O(routes).
StaticRoutes all_static_routes(const tree::ConfigTree& tree);

// All routes in the text of `show running-config`. Those of VRFs are indented and not ours.
StaticRoutes parse_static_routes(std::string_view running_config);

}  // namespace millrace::appliers
