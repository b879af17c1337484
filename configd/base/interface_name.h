// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one place where names of the configuration become names of the kernel. A kernel name has at
// most 15 characters and no slash (net/core/dev.c: dev_valid_name), so `ethN.U` bounds the unit.
//
//   configuration                       kernel
//   eth0, unit 0, no vlan-tagging       eth0
//   eth0, any unit, with vlan-tagging   eth0.U   (a VLAN device; U is the unit, not the vlan-id)
//   lo0, unit 0                         lo
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace millrace::base {

// Requires: `interface` passed the schema's interface-name type.
// Errors: BadValue when there is no such device (a unit other than 0 without vlan-tagging, a name
// that would be too long).
Result<std::string> kernel_name(std::string_view interface, unsigned unit, bool vlan_tagging);

// The parent device of an interface: "eth0" → "eth0", "lo0" → "lo".
std::string kernel_parent(std::string_view interface);

}  // namespace millrace::base
