// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the kernel says of its forwarding, one object a message, as far as the dataplane needs it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/address.h"
#include "fib/trie.h"

namespace millrace::fib {

using base::Family;

struct Hop {
  std::uint32_t ifindex = 0;
  Family family =
      Family::Inet;  // of the gateway, which may differ from that of the route (RFC 8950)
  Key gateway = {};  // all zero: none, the destination is on the link
  std::uint32_t weight = 1;
  bool encapsulated = false;  // MPLS, SRv6, …: the kernel's

  bool has_gateway() const { return gateway != Key{}; }
  bool operator==(const Hop&) const = default;
};

enum class RouteType : std::uint8_t { Unicast, Local, Discard, Reject, Other };

struct Route {
  std::uint32_t table = 0;
  Family family = Family::Inet;
  Key prefix = {};
  std::uint8_t length = 0;
  std::uint8_t tos = 0;
  RouteType type = RouteType::Unicast;
  std::uint32_t metric = 0;
  std::uint32_t nexthop = 0;  // id of a next-hop object; 0: `hops` are its own
  std::uint32_t mtu = 0;      // 0: the link's
  bool replaces = false;      // takes the place of others of its prefix, TOS and metric
  std::vector<Hop> hops = {};
};

struct Nexthop {
  std::uint32_t id = 0;
  Hop hop = {};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> group = {};  // ids and weights
  bool discard = false;
  bool other = false;  // a kind that only the kernel follows
};

struct Neighbour {
  std::uint32_t ifindex = 0;
  Family family = Family::Inet;
  Key address = {};
  base::MacAddress mac = {};
  bool usable = false;
  bool stale = false;  // usable, but the kernel would ask again if it forwarded
};

struct Link {
  std::uint32_t ifindex = 0;
  std::string name;
  std::string kind;  // "", "veth", "vlan", "vrf", …
  std::string qdisc;
  base::MacAddress mac = {};
  std::uint32_t mtu = 0;
  std::uint32_t parent = 0;  // of a VLAN device
  std::uint32_t master = 0;
  std::uint32_t vrf_table = 0;  // of a VRF device
  std::uint16_t vlan = 0;
  bool service_vlan = false;  // 802.1ad
  bool admin_up = false;
  bool running = false;
  bool ethernet = false;
  bool operator==(const Link&) const = default;
};

struct Address {
  std::uint32_t ifindex = 0;
  Family family = Family::Inet;
  Key address = {};
  auto operator<=>(const Address&) const = default;
};

// Settings of a family on a link, `ifindex` -1 for all and -2 for the default.
struct Netconf {
  Family family = Family::Inet;
  std::int32_t ifindex = 0;
  int forwarding = -1;  // -1: not said
  int rp_filter = -1;
};

struct Rule {
  Family family = Family::Inet;
  std::uint32_t priority = 0;
  bool stock = false;  // one of those that every kernel begins with
  auto operator<=>(const Rule&) const = default;
};

}  // namespace millrace::fib
