// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel as configd uses it: links, addresses, host name, sysctls. A seam: KernelNetlink speaks
// to the real one (netlink.cpp), tests use a fake. What we own is marked (kLinkGroup on links that
// we created, kManagedGroup on hardware that the configuration names, kAddressProtocol on
// addresses), so that reconcile never touches a foreign object.
//
// Functions are idempotent in the direction they name: adding what is there and removing what is
// gone succeed, since recovery repeats steps. A change keeps every attribute it does not name.
// Removing leaves alone what carries no mark of ours, and succeeds: the undo of an addition that
// was refused because somebody else's object is in its place must not remove that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "base/error.h"

namespace millrace::system {

constexpr std::uint32_t kLinkGroup = 0x4d52;     // IFLA_GROUP of links we created
constexpr std::uint32_t kManagedGroup = 0x4d53;  // … of links that we configure but did not create
constexpr std::uint8_t kAddressProtocol = 0x4d;  // IFA_PROTO (linux/if_addr.h) of our addresses

struct Link {
  std::string name;
  std::uint32_t index = 0;
  std::string kind;    // IFLA_INFO_KIND: "vlan", "veth"; empty for hardware
  std::string parent;  // of a VLAN device
  std::uint16_t vlan_id = 0;
  std::uint32_t mtu = 0;
  std::uint32_t min_mtu = 0;  // 0: unknown
  std::uint32_t max_mtu = 0;
  bool admin_up = false;
  bool running = false;  // IFF_LOWER_UP
  std::string alias;
  base::MacAddress mac;
  bool ours = false;     // we created it
  bool managed = false;  // it exists without us and we configure it
  bool operator==(const Link&) const = default;
};

struct LinkAddress {
  std::string link;
  base::InterfaceAddress address;
  bool ours = false;
  auto operator<=>(const LinkAddress&) const = default;
};

class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual base::Result<std::vector<Link>> links() = 0;
  virtual base::Result<std::vector<LinkAddress>> addresses() = 0;

  // IEEE 802.1Q device `name` on `parent`, group kLinkGroup, administratively down.
  virtual base::Result<void> add_vlan(std::string_view name, std::string_view parent,
                                      std::uint16_t vlan_id) = 0;
  virtual base::Result<void> delete_link(std::string_view name) = 0;
  virtual base::Result<void> set_mtu(std::string_view link, std::uint32_t mtu) = 0;
  virtual base::Result<void> set_admin_up(std::string_view link, bool up) = 0;
  virtual base::Result<void> set_alias(std::string_view link, std::string_view alias) = 0;
  // Marks or unmarks a link that exists without us. Requires: not one that we created.
  virtual base::Result<void> set_managed(std::string_view link, bool managed) = 0;
  // Adds with kAddressProtocol. An equal address without our mark is an error (Conflict).
  virtual base::Result<void> add_address(std::string_view link,
                                         const base::InterfaceAddress& address) = 0;
  virtual base::Result<void> delete_address(std::string_view link,
                                            const base::InterfaceAddress& address) = 0;

  virtual base::Result<std::string> host_name() = 0;
  virtual base::Result<void> set_host_name(std::string_view name) = 0;

  // `name` with dots or slashes: "net/ipv4/ip_forward".
  virtual base::Result<std::string> sysctl(std::string_view name) = 0;
  virtual base::Result<void> set_sysctl(std::string_view name, std::string_view value) = 0;
};

}  // namespace millrace::system
