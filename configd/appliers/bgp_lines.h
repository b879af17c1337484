// SPDX-License-Identifier: GPL-2.0-or-later
//
// BGP as objects of bgpd's configuration, in the canonical form of FRR 10.3.
#pragma once

#include "appliers/frr_object.h"
#include "tree/config_tree.h"

namespace millrace::appliers {

// Whether bgpd has anything to do.
bool runs_bgp(const tree::ConfigTree& tree);

// Everything that bgpd has to have; empty when it has nothing to do. Pure. O(neighbours).
FrrConfig bgp_config(const tree::ConfigTree& tree);

}  // namespace millrace::appliers
