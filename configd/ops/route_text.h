// SPDX-License-Identifier: GPL-2.0-or-later
//
// Routes as they are printed: the columns that people and scripts know.
#pragma once

#include "ops/routes.h"

namespace millrace::ops {

enum class RouteForm : std::uint8_t { Brief, Terse, Detail, Extensive };

// "inet.0: 3 destinations, 3 routes (3 active, 0 holddown, 0 hidden)" and the legend.
std::string route_header(base::Family family, const Totals& totals, RouteForm form);

// One destination, with all lines ended.
void append_routes(std::string& out, const Destination& routes, RouteForm form,
                   std::int64_t local_as);

nlohmann::json route_json(const Route& route);

// "65001 65002 I"; "I" alone for a route of the own AS.
std::string as_path_text(const BgpPath& bgp);

}  // namespace millrace::ops
