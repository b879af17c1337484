// SPDX-License-Identifier: GPL-2.0-or-later
//
// The functions that `runner builtin` may name. The list is explicit: a template that names
// anything else is refused at start (unknown_builtins).
#pragma once

#include "ops/run.h"

namespace millrace::ops {

using Builtin = base::Result<Reply> (*)(const Match& match, Context& context);

base::Result<Reply> version(const Match& match, Context& context);
base::Result<Reply> interfaces_terse(const Match& match, Context& context);
base::Result<Reply> interfaces(const Match& match, Context& context);
base::Result<Reply> policy(const Match& match, Context& context);
base::Result<Reply> route(const Match& match, Context& context);
base::Result<Reply> route_summary(const Match& match, Context& context);
base::Result<Reply> forwarding_table(const Match& match, Context& context);
base::Result<Reply> received_routes(const Match& match, Context& context);
base::Result<Reply> advertised_routes(const Match& match, Context& context);
base::Result<Reply> bgp_summary(const Match& match, Context& context);
base::Result<Reply> bgp_neighbor(const Match& match, Context& context);
base::Result<Reply> bgp_group(const Match& match, Context& context);
base::Result<Reply> ospf_neighbor(const Match& match, Context& context);
base::Result<Reply> ospf_interface(const Match& match, Context& context);
base::Result<Reply> test_policy(const Match& match, Context& context);
base::Result<Reply> clear_bgp_neighbor(const Match& match, Context& context);
base::Result<Reply> log(const Match& match, Context& context);
base::Result<Reply> clear_log(const Match& match, Context& context);
base::Result<Reply> clear_system_commit(const Match& match, Context& context);
base::Result<Reply> system_commit(const Match& match, Context& context);
base::Result<Reply> forwarding_dataplane(const Match& match, Context& context);
base::Result<Reply> forwarding_dataplane_interfaces(const Match& match, Context& context);
base::Result<Reply> forwarding_dataplane_routes(const Match& match, Context& context);
base::Result<Reply> forwarding_dataplane_adjacencies(const Match& match, Context& context);
base::Result<Reply> forwarding_dataplane_counters(const Match& match, Context& context);
base::Result<Reply> forwarding_dataplane_exceptions(const Match& match, Context& context);
base::Result<Reply> clear_forwarding_dataplane(const Match& match, Context& context);
base::Result<Reply> system_memory(const Match& match, Context& context);
base::Result<Reply> system_storage(const Match& match, Context& context);
base::Result<Reply> system_uptime(const Match& match, Context& context);
base::Result<Reply> system_schema(const Match& match, Context& context);

// Null when there is none of that name.
Builtin find_builtin(std::string_view name);
// "show x (file:line): no builtin 'y'", one for each command that cannot run.
std::vector<std::string> unknown_builtins(const Commands& commands);

}  // namespace millrace::ops
