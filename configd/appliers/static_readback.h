// SPDX-License-Identifier: GPL-2.0-or-later
//
// Static routes as FRR has them, read from mgmtd. Its `show running-config` costs as much as there
// are routes (0.6 s for 10,000 on FRR 10.3), one route of its data tree costs a lookup (0.2 ms), so
// what a commit has touched is read route by route.
#pragma once

#include <optional>
#include <string_view>

#include "appliers/static_lines.h"
#include "system/system.h"

namespace millrace::appliers {

// All of them. O(routes).
base::Result<StaticRoutes> read_static_routes(system::System& system);

// Those whose prefixes are keys of `wanted`; an entry for each that exists. O(wanted).
base::Result<StaticRoutes> read_static_routes(system::System& system, const StaticRoutes& wanted);

// The lines that `show running-config` would print for the route that `show mgmt
// datastore-contents running xpath … json` printed; nothing when it has something that this
// function does not know.
std::optional<Lines> parse_static_data(const base::Prefix& prefix, std::string_view json);

}  // namespace millrace::appliers
