// SPDX-License-Identifier: GPL-2.0-or-later
//
// BGP as objects of bgpd's configuration, in the canonical form of FRR 10.3.
#pragma once

#include "appliers/frr_object.h"
#include "base/diagnostics.h"
#include "tree/config_tree.h"

namespace millrace::appliers {

// Whether bgpd has anything to do.
bool runs_bgp(const tree::ConfigTree& tree);

// Everything that bgpd has to have, policies too; empty when it has nothing to do. Adds what FRR
// cannot express to `findings`. Pure. O(neighbours, and the policies that they use).
FrrConfig bgp_config(const tree::ConfigTree& tree, base::Diagnostics& findings);

}  // namespace millrace::appliers
