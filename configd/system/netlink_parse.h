// SPDX-License-Identifier: GPL-2.0-or-later
//
// rtnetlink messages as values. Internal to this folder. Messages of another kind, and objects that
// configd has no use for, parse to nothing.
#pragma once

#include <linux/netlink.h>

#include <cstdint>
#include <optional>

#include "system/kernel.h"

namespace millrace::system {

struct ParsedLink {
  Link link;                 // `parent` is still empty
  std::uint32_t parent = 0;  // its index, of a VLAN device
};
std::optional<ParsedLink> parse_link(const nlmsghdr& message);

struct ParsedAddress {
  std::uint32_t link = 0;  // index
  base::InterfaceAddress address;
  bool ours = false;
};
std::optional<ParsedAddress> parse_address(const nlmsghdr& message);

}  // namespace millrace::system
