// SPDX-License-Identifier: GPL-2.0-or-later
//
// OSPF as objects of ospfd's configuration, in the canonical form of FRR 10.3.
#pragma once

#include "appliers/frr_object.h"
#include "base/diagnostics.h"
#include "tree/view.h"

namespace millrace::appliers {

// "0.0.0.1" of "1" and of itself.
std::string area_id(std::string_view key);

// Bits per second of "10g". Nothing when it is more than 4,294,967 megabits (FRR's end) or less
// than one.
std::optional<std::uint64_t> reference_megabits(std::string_view text);

// Everything that ospfd has to have; empty without an area. Adds what FRR cannot express to
// `findings`. Pure. O(interfaces of OSPF, and the policies that it exports by).
FrrConfig ospf_config(const tree::ConfigTree& tree, base::Diagnostics& findings);

}  // namespace millrace::appliers
