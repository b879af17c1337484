// SPDX-License-Identifier: GPL-2.0-or-later
#include "system/netlink_parse.h"

#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <span>

namespace millrace::system {
namespace {

template <int kMax>
using Attributes = std::array<nlattr*, kMax + 1>;

// libnl wants a mutable message and does not change it.
template <int kMax>
std::optional<Attributes<kMax>> parse(const nlmsghdr& message, int header) {
  Attributes<kMax> attributes{};
  if (::nlmsg_parse(const_cast<nlmsghdr*>(&message), header, attributes.data(), kMax, nullptr) <
      0) {
    return std::nullopt;
  }
  return attributes;
}

std::string text_of(const nlattr* attribute) {
  if (attribute == nullptr) {
    return {};
  }
  const std::string_view bytes(static_cast<const char*>(::nla_data(attribute)),
                               static_cast<std::size_t>(::nla_len(attribute)));
  return std::string(bytes.substr(0, bytes.find('\0')));
}

std::uint32_t number_of(const nlattr* attribute) {
  return attribute == nullptr ? 0 : ::nla_get_u32(attribute);
}

void parse_kind(nlattr* info, Link& link) {
  Attributes<IFLA_INFO_MAX> infos{};
  if (info == nullptr || ::nla_parse_nested(infos.data(), IFLA_INFO_MAX, info, nullptr) < 0) {
    return;
  }
  link.kind = text_of(infos[IFLA_INFO_KIND]);
  Attributes<IFLA_VLAN_MAX> vlan{};
  if (link.kind == "vlan" && infos[IFLA_INFO_DATA] != nullptr &&
      ::nla_parse_nested(vlan.data(), IFLA_VLAN_MAX, infos[IFLA_INFO_DATA], nullptr) >= 0 &&
      vlan[IFLA_VLAN_ID] != nullptr) {
    link.vlan_id = ::nla_get_u16(vlan[IFLA_VLAN_ID]);
  }
}

}  // namespace

std::optional<ParsedLink> parse_link(const nlmsghdr& message) {
  if (message.nlmsg_type != RTM_NEWLINK) {
    return std::nullopt;
  }
  const auto attributes = parse<IFLA_MAX>(message, sizeof(ifinfomsg));
  if (!attributes || (*attributes)[IFLA_IFNAME] == nullptr) {
    return std::nullopt;
  }
  const auto& header = *static_cast<const ifinfomsg*>(::nlmsg_data(&message));
  const auto& of = *attributes;
  ParsedLink parsed;
  Link& link = parsed.link;
  link.name = text_of(of[IFLA_IFNAME]);
  link.index = static_cast<std::uint32_t>(header.ifi_index);
  link.mtu = number_of(of[IFLA_MTU]);
  link.min_mtu = number_of(of[IFLA_MIN_MTU]);
  link.max_mtu = number_of(of[IFLA_MAX_MTU]);
  link.admin_up = (header.ifi_flags & IFF_UP) != 0;
  link.running = (header.ifi_flags & IFF_LOWER_UP) != 0;
  link.alias = text_of(of[IFLA_IFALIAS]);
  const std::uint32_t group = number_of(of[IFLA_GROUP]);
  link.ours = group == kLinkGroup;
  link.managed = group == kManagedGroup;
  if (const nlattr* mac = of[IFLA_ADDRESS];
      mac != nullptr && ::nla_len(mac) == static_cast<int>(link.mac.bytes.size())) {
    std::copy_n(static_cast<const std::uint8_t*>(::nla_data(mac)), link.mac.bytes.size(),
                link.mac.bytes.begin());
  }
  parse_kind(of[IFLA_LINKINFO], link);
  if (link.kind == "vlan" && of[IFLA_LINK_NETNSID] == nullptr) {
    parsed.parent = number_of(of[IFLA_LINK]);
  }
  return parsed;
}

std::optional<ParsedAddress> parse_address(const nlmsghdr& message) {
  if (message.nlmsg_type != RTM_NEWADDR) {
    return std::nullopt;
  }
  const auto attributes = parse<IFA_MAX>(message, sizeof(ifaddrmsg));
  if (!attributes) {
    return std::nullopt;
  }
  const auto& header = *static_cast<const ifaddrmsg*>(::nlmsg_data(&message));
  const auto& of = *attributes;
  // IFA_LOCAL is the own address of a point-to-point pair and, for IPv4, always there.
  const nlattr* const own = of[IFA_LOCAL] != nullptr ? of[IFA_LOCAL] : of[IFA_ADDRESS];
  const bool inet6 = header.ifa_family == AF_INET6;
  if (own == nullptr || (!inet6 && header.ifa_family != AF_INET) ||
      ::nla_len(own) != (inet6 ? 16 : 4)) {
    return std::nullopt;
  }
  ParsedAddress parsed;
  parsed.link = header.ifa_index;
  parsed.address.address = base::IpAddress(inet6 ? base::Family::Inet6 : base::Family::Inet,
                                           {static_cast<const std::uint8_t*>(::nla_data(own)),
                                            static_cast<std::size_t>(::nla_len(own))});
  parsed.address.length = header.ifa_prefixlen;
  parsed.ours = of[IFA_PROTO] != nullptr && ::nla_get_u8(of[IFA_PROTO]) == kAddressProtocol;
  return parsed;
}

}  // namespace millrace::system
