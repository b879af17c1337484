// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a kernel device should look like, as a value: made from the configuration or read from the
// kernel, and then one function plans the way from one to the other (link_plan.h).
//
// A device that the configuration does not name, but that exists, has a state as well: the one in
// which it came out of its box. Taking the configuration of an interface away therefore is a change
// like any other.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "commit/world.h"
#include "system/kernel.h"

namespace millrace::appliers {

struct LinkState {
  std::string name;
  std::string parent;         // of a VLAN device, which is ours to create and delete
  std::uint16_t vlan_id = 0;  // likewise
  bool managed = false;       // hardware that the configuration names; always false for a VLAN
  std::uint32_t mtu = 0;      // the kernel's: without the Ethernet header
  bool up = false;
  std::string alias;
  std::vector<base::InterfaceAddress>
      addresses;  // ours; in order: the first of a subnet is primary

  bool is_vlan() const { return !parent.empty(); }
  bool operator==(const LinkState&) const = default;
};

using LinkStates = std::map<std::string, LinkState, std::less<>>;

// Adds the devices of `interface`, a key of the configuration, to `into`: its hardware and its
// VLANs. Adds nothing when the hardware is not there.
void add_wanted(const commit::World& world, std::string_view interface, LinkStates& into);

// Every device that the configuration names, and lo, which is always up.
LinkStates all_wanted(const commit::World& world);

// The kernel's state of the devices in `wanted` and of all that carry a mark of ours.
base::Result<LinkStates> read_actual(system::Kernel& kernel, const LinkStates& wanted);

// As it came: what a device in `facts` is when nothing names it. Requires: it is in `facts`.
LinkState unconfigured(const commit::Facts& facts, std::string_view link);

}  // namespace millrace::appliers
