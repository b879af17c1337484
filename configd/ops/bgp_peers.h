// SPDX-License-Identifier: GPL-2.0-or-later
//
// What bgpd knows of the neighbours and of what they sent.
#pragma once

#include "ops/routes.h"

namespace millrace::ops {

// One neighbour in one family, of bgpd's summary.
struct PeerCount {
  std::string peer;
  bool established = false;
  std::int64_t accepted = 0;
};

// The neighbours of a family; none where BGP is not running or has no such family.
base::Result<std::vector<PeerCount>> peers_of(Context& context, base::Family family);

// Routes that an import policy keeps out, by prefix. What is known of them is what the neighbour
// said; since when, bgpd does not tell.
using RejectedRoutes = std::map<base::Prefix, std::vector<Route>>;
base::Result<RejectedRoutes> rejected_routes(Context& context, base::Family family);

// One route as bgpd lists it for `received-routes`, `filtered-routes` and `advertised-routes`.
Route listed_route(const base::Prefix& prefix, const nlohmann::json& entry,
                   const std::string& peer);

// "% BGP is not running" as an error for commands that need it.
std::unexpected<base::Error> bgp_not_running();

}  // namespace millrace::ops
