// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "appliers/link_state.h"
#include "commit/step.h"

namespace millrace::appliers {

// The IPs that come to a device, from nowhere or from another one, or with another length. They
// must be gone where they were before they come.
using Incoming = std::set<base::IpAddress>;
Incoming incoming_addresses(const LinkStates& before, const LinkStates& after);

// The steps for the addresses of one device, which is there before and after: removals that are in
// the way of an incoming one in Teardown, additions in Build, the other removals in Retire.
void plan_addresses(const LinkState& before, const LinkState& after, const Incoming& incoming,
                    commit::Plan& plan);

}  // namespace millrace::appliers
