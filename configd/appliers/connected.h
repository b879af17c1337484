// SPDX-License-Identifier: GPL-2.0-or-later
//
// The networks that interfaces of the configuration are on: where a next hop can be reached without
// asking another route. Junos uses a static route only if its next hop is on one of them, unless
// the route says `resolve`.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/address.h"
#include "tree/config_tree.h"

namespace millrace::appliers {

// "eth0.5" of the configuration as the kernel calls it. The unit has no device of its own without
// vlan-tagging; a unit that cannot have a device at all keeps its name.
std::string device_of(const tree::ConfigTree& tree, std::string_view logical);

class Connected {
 public:
  // O(addresses).
  explicit Connected(const tree::ConfigTree& tree);

  // The device, as the kernel calls it, on the smallest network with this address; nullptr when
  // there is none. O(lengths of prefixes).
  const std::string* device_to(const base::IpAddress& address) const;

  bool operator==(const Connected&) const = default;

 private:
  std::map<base::Prefix, std::string> networks_;
};

}  // namespace millrace::appliers
