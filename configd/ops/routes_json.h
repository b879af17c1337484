// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of routes*.cpp: FRR's JSON as routes.
#pragma once

#include "ops/frr_json.h"
#include "ops/routes.h"

namespace millrace::ops {

// One entry of zebra's table.
Route zebra_route(const base::Prefix& prefix, const nlohmann::json& entry);

// Puts the paths of bgpd in the places of zebra's routes of BGP, leaves out repetitions, and sorts:
// the active one first, then by preference. Without paths zebra's routes of BGP stay.
Destination joined_routes(std::vector<Route> zebra, std::vector<Route> paths);

// Whether `next` says nothing beside `kept`: the kernel's own route to the network of an address,
// or the host route of an address that is a whole prefix.
bool says_nothing_new(const Route& kept, const Route& next);

}  // namespace millrace::ops
