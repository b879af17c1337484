// SPDX-License-Identifier: GPL-2.0-or-later
#include "fib/netlink_parse.h"

#include <linux/fib_rules.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/if_vlan.h>
#include <linux/lwtunnel.h>
#include <linux/neighbour.h>
#include <linux/netconf.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace millrace::fib {
namespace {

// Attributes by type, each as its payload.
template <std::size_t N>
class Attributes {
 public:
  explicit Attributes(std::span<const std::uint8_t> bytes) {
    while (bytes.size() >= sizeof(nlattr)) {
      nlattr header;
      std::memcpy(&header, bytes.data(), sizeof header);
      if (header.nla_len < sizeof header || header.nla_len > bytes.size()) {
        return;
      }
      const unsigned type = header.nla_type & NLA_TYPE_MASK;
      if (type < N) {
        known_[type] = bytes.subspan(sizeof header, header.nla_len - sizeof header);
        there_[type] = true;
      }
      bytes = bytes.subspan(std::min<std::size_t>(NLA_ALIGN(header.nla_len), bytes.size()));
    }
  }
  bool has(unsigned type) const { return there_[type]; }
  std::span<const std::uint8_t> bytes(unsigned type) const { return known_[type]; }
  template <class Number>
  Number number(unsigned type, Number otherwise = 0) const {
    Number value = otherwise;
    if (known_[type].size() >= sizeof value) {
      std::memcpy(&value, known_[type].data(), sizeof value);
    }
    return value;
  }
  std::string text(unsigned type) const {
    const auto& bytes = known_[type];
    return {bytes.begin(), std::find(bytes.begin(), bytes.end(), 0)};
  }

 private:
  std::array<std::span<const std::uint8_t>, N> known_ = {};
  std::array<bool, N> there_ = {};
};

template <class Header>
std::optional<std::pair<Header, std::span<const std::uint8_t>>> split(const nlmsghdr& message) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&message);
  constexpr std::size_t kSize = NLMSG_ALIGN(sizeof(Header));
  if (message.nlmsg_len < NLMSG_HDRLEN + kSize) {
    return std::nullopt;
  }
  Header header;
  std::memcpy(&header, bytes + NLMSG_HDRLEN, sizeof header);
  return std::pair(
      header, std::span(bytes + NLMSG_HDRLEN + kSize, message.nlmsg_len - NLMSG_HDRLEN - kSize));
}

std::optional<Family> family_of(unsigned char family) {
  if (family == AF_INET) {
    return Family::Inet;
  }
  return family == AF_INET6 ? std::optional(Family::Inet6) : std::nullopt;
}

Key key_of(std::span<const std::uint8_t> bytes) {
  Key key = {};
  std::copy_n(bytes.begin(), std::min(bytes.size(), key.size()), key.begin());
  return key;
}

base::MacAddress mac_of(std::span<const std::uint8_t> bytes) {
  base::MacAddress mac;
  if (bytes.size() == mac.bytes.size()) {
    std::ranges::copy(bytes, mac.bytes.begin());
  }
  return mac;
}

Change change_of(const nlmsghdr& message, int removed) {
  return message.nlmsg_type == removed ? Change::Removed : Change::Set;
}

using RouteAttributes = Attributes<RTA_MAX + 1>;

void read_gateway(const RouteAttributes& attributes, Family family, Hop& hop) {
  hop.family = family;
  if (attributes.has(RTA_GATEWAY)) {
    hop.gateway = key_of(attributes.bytes(RTA_GATEWAY));
  } else if (attributes.has(RTA_VIA) && attributes.bytes(RTA_VIA).size() > 2) {
    // struct rtvia: two bytes of address family, then the address
    const auto via = attributes.bytes(RTA_VIA);
    hop.family = via[0] == AF_INET6 ? Family::Inet6 : Family::Inet;
    hop.gateway = key_of(via.subspan(2));
  }
  hop.encapsulated = attributes.has(RTA_ENCAP);
}

void read_hops(const RouteAttributes& attributes, Route& route) {
  if (!attributes.has(RTA_MULTIPATH)) {
    Hop hop;
    hop.ifindex = attributes.number<std::uint32_t>(RTA_OIF);
    read_gateway(attributes, route.family, hop);
    if (hop.ifindex != 0) {
      route.hops.push_back(hop);
    }
    return;
  }
  auto rest = attributes.bytes(RTA_MULTIPATH);
  while (rest.size() >= sizeof(rtnexthop)) {
    rtnexthop header;
    std::memcpy(&header, rest.data(), sizeof header);
    if (header.rtnh_len < sizeof header || header.rtnh_len > rest.size()) {
      return;
    }
    Hop hop;
    hop.ifindex = static_cast<std::uint32_t>(header.rtnh_ifindex);
    hop.weight = header.rtnh_hops + 1u;
    read_gateway(RouteAttributes(rest.subspan(sizeof header, header.rtnh_len - sizeof header)),
                 route.family, hop);
    route.hops.push_back(hop);
    rest = rest.subspan(std::min<std::size_t>(RTNH_ALIGN(header.rtnh_len), rest.size()));
  }
}

RouteType type_of(unsigned char type) {
  switch (type) {
    case RTN_UNICAST:
      return RouteType::Unicast;
    case RTN_LOCAL:
    case RTN_BROADCAST:
    case RTN_ANYCAST:
    case RTN_MULTICAST:
      return RouteType::Local;
    case RTN_BLACKHOLE:
      return RouteType::Discard;
    case RTN_UNREACHABLE:
    case RTN_PROHIBIT:
      return RouteType::Reject;
    default:
      return RouteType::Other;
  }
}

void parse_route(const nlmsghdr& message, Sink& sink) {
  const auto parts = split<rtmsg>(message);
  const auto family = parts ? family_of(parts->first.rtm_family) : std::nullopt;
  if (!family || (parts->first.rtm_flags & RTM_F_CLONED) != 0) {
    return;
  }
  const rtmsg& header = parts->first;
  const RouteAttributes attributes(parts->second);
  Route route;
  route.family = *family;
  route.table = attributes.number<std::uint32_t>(RTA_TABLE, header.rtm_table);
  route.prefix = key_of(attributes.bytes(RTA_DST));
  route.length = header.rtm_dst_len;
  route.tos = header.rtm_tos;
  route.type = type_of(header.rtm_type);
  route.metric = attributes.number<std::uint32_t>(RTA_PRIORITY);
  route.nexthop = attributes.number<std::uint32_t>(RTA_NH_ID);
  route.replaces = (message.nlmsg_flags & NLM_F_REPLACE) != 0;
  if (header.rtm_src_len != 0) {
    route.type = RouteType::Other;  // IPv6 by source as well
  }
  if (attributes.has(RTA_METRICS)) {
    const Attributes<RTAX_MAX + 1> metrics(attributes.bytes(RTA_METRICS));
    route.mtu = metrics.template number<std::uint32_t>(RTAX_MTU);
  }
  if (route.length > base::bits(*family)) {
    return;
  }
  read_hops(attributes, route);
  sink.on_route(change_of(message, RTM_DELROUTE), route);
}

void parse_link(const nlmsghdr& message, Sink& sink) {
  const auto parts = split<ifinfomsg>(message);
  if (!parts || parts->first.ifi_family != AF_UNSPEC) {
    return;
  }
  const ifinfomsg& header = parts->first;
  const Attributes<IFLA_MAX + 1> attributes(parts->second);
  Link link;
  link.ifindex = static_cast<std::uint32_t>(header.ifi_index);
  link.name = attributes.text(IFLA_IFNAME);
  link.qdisc = attributes.text(IFLA_QDISC);
  link.mac = mac_of(attributes.bytes(IFLA_ADDRESS));
  link.mtu = attributes.number<std::uint32_t>(IFLA_MTU);
  link.parent = attributes.number<std::uint32_t>(IFLA_LINK);
  link.master = attributes.number<std::uint32_t>(IFLA_MASTER);
  link.admin_up = (header.ifi_flags & IFF_UP) != 0;
  link.running = link.admin_up && (header.ifi_flags & IFF_RUNNING) != 0;
  link.ethernet = header.ifi_type == ARPHRD_ETHER && attributes.bytes(IFLA_ADDRESS).size() == 6;
  if (attributes.has(IFLA_LINKINFO)) {
    const Attributes<IFLA_INFO_MAX + 1> info(attributes.bytes(IFLA_LINKINFO));
    link.kind = info.text(IFLA_INFO_KIND);
    if (link.kind == "vlan") {
      const Attributes<IFLA_VLAN_MAX + 1> vlan(info.bytes(IFLA_INFO_DATA));
      link.vlan = vlan.template number<std::uint16_t>(IFLA_VLAN_ID);
      link.service_vlan =
          vlan.template number<std::uint16_t>(IFLA_VLAN_PROTOCOL) == __builtin_bswap16(0x88a8);
    } else if (link.kind == "vrf") {
      const Attributes<IFLA_VRF_MAX + 1> vrf(info.bytes(IFLA_INFO_DATA));
      link.vrf_table = vrf.template number<std::uint32_t>(IFLA_VRF_TABLE);
    }
  }
  sink.on_link(change_of(message, RTM_DELLINK), link);
}

void parse_address(const nlmsghdr& message, Sink& sink) {
  const auto parts = split<ifaddrmsg>(message);
  const auto family = parts ? family_of(parts->first.ifa_family) : std::nullopt;
  if (!family) {
    return;
  }
  const Attributes<IFA_MAX + 1> attributes(parts->second);
  const int own = attributes.has(IFA_LOCAL) ? IFA_LOCAL : IFA_ADDRESS;
  sink.on_address(
      change_of(message, RTM_DELADDR),
      {parts->first.ifa_index, *family, key_of(attributes.bytes(static_cast<unsigned>(own)))});
}

void parse_neighbour(const nlmsghdr& message, Sink& sink) {
  const auto parts = split<ndmsg>(message);
  const auto family = parts ? family_of(parts->first.ndm_family) : std::nullopt;
  if (!family || (parts->first.ndm_flags & NTF_PROXY) != 0) {
    return;
  }
  const ndmsg& header = parts->first;
  const Attributes<NDA_MAX + 1> attributes(parts->second);
  Neighbour neighbour;
  neighbour.ifindex = static_cast<std::uint32_t>(header.ndm_ifindex);
  neighbour.family = *family;
  neighbour.address = key_of(attributes.bytes(NDA_DST));
  neighbour.mac = mac_of(attributes.bytes(NDA_LLADDR));
  constexpr unsigned kUsable =
      NUD_REACHABLE | NUD_STALE | NUD_DELAY | NUD_PROBE | NUD_PERMANENT | NUD_NOARP;
  const bool group = (neighbour.mac.bytes[0] & 1) != 0;
  neighbour.usable =
      (header.ndm_state & kUsable) != 0 && neighbour.mac != base::MacAddress{} && !group;
  neighbour.stale = (header.ndm_state & NUD_STALE) != 0;
  sink.on_neighbour(change_of(message, RTM_DELNEIGH), neighbour);
}

void parse_nexthop(const nlmsghdr& message, Sink& sink) {
  const auto parts = split<nhmsg>(message);
  if (!parts) {
    return;
  }
  const Attributes<NHA_MAX + 1> attributes(parts->second);
  Nexthop nexthop;
  nexthop.id = attributes.number<std::uint32_t>(NHA_ID);
  nexthop.discard = attributes.has(NHA_BLACKHOLE);
  nexthop.other = attributes.has(NHA_FDB) || attributes.has(NHA_RES_GROUP);
  nexthop.hop.ifindex = attributes.number<std::uint32_t>(NHA_OIF);
  nexthop.hop.family = parts->first.nh_family == AF_INET6 ? Family::Inet6 : Family::Inet;
  nexthop.hop.gateway = key_of(attributes.bytes(NHA_GATEWAY));
  nexthop.hop.encapsulated = attributes.has(NHA_ENCAP);
  const auto members = attributes.bytes(NHA_GROUP);
  for (std::size_t at = 0; at + sizeof(nexthop_grp) <= members.size(); at += sizeof(nexthop_grp)) {
    nexthop_grp member;
    std::memcpy(&member, members.data() + at, sizeof member);
    nexthop.group.emplace_back(member.id, member.weight + 1u);
  }
  sink.on_nexthop(change_of(message, RTM_DELNEXTHOP), nexthop);
}

void parse_rule(const nlmsghdr& message, Sink& sink) {
  const auto parts = split<fib_rule_hdr>(message);
  const auto family = parts ? family_of(parts->first.family) : std::nullopt;
  if (!family) {
    return;
  }
  const fib_rule_hdr& header = parts->first;
  const Attributes<FRA_MAX + 1> attributes(parts->second);
  const auto table = attributes.number<std::uint32_t>(FRA_TABLE, header.table);
  Rule rule;
  rule.family = *family;
  rule.priority = attributes.number<std::uint32_t>(FRA_PRIORITY);
  const bool plain = header.src_len == 0 && header.dst_len == 0 && header.tos == 0 &&
                     header.action == FR_ACT_TO_TBL && !attributes.has(FRA_FWMARK) &&
                     !attributes.has(FRA_IIFNAME) && !attributes.has(FRA_OIFNAME);
  const bool stock = (rule.priority == 0 && table == RT_TABLE_LOCAL) ||
                     (rule.priority == 32766 && table == RT_TABLE_MAIN) ||
                     (rule.priority == 32767 && table == RT_TABLE_DEFAULT) ||
                     attributes.number<std::uint8_t>(FRA_L3MDEV) != 0;  // of VRFs
  rule.stock = plain && stock;
  sink.on_rule(change_of(message, RTM_DELRULE), rule);
}

void parse_netconf(const nlmsghdr& message, Sink& sink) {
  const auto parts = split<netconfmsg>(message);
  const auto family = parts ? family_of(parts->first.ncm_family) : std::nullopt;
  if (!family) {
    return;
  }
  const Attributes<NETCONFA_MAX + 1> attributes(parts->second);
  Netconf netconf;
  netconf.family = *family;
  netconf.ifindex = attributes.number<std::int32_t>(NETCONFA_IFINDEX);
  netconf.forwarding = attributes.number<std::int32_t>(NETCONFA_FORWARDING, -1);
  netconf.rp_filter = attributes.number<std::int32_t>(NETCONFA_RP_FILTER, -1);
  sink.on_netconf(netconf);
}

}  // namespace

void parse_message(const nlmsghdr& message, Sink& sink) {
  switch (message.nlmsg_type) {
    case RTM_NEWROUTE:
    case RTM_DELROUTE:
      return parse_route(message, sink);
    case RTM_NEWLINK:
    case RTM_DELLINK:
      return parse_link(message, sink);
    case RTM_NEWADDR:
    case RTM_DELADDR:
      return parse_address(message, sink);
    case RTM_NEWNEIGH:
    case RTM_DELNEIGH:
      return parse_neighbour(message, sink);
    case RTM_NEWNEXTHOP:
    case RTM_DELNEXTHOP:
      return parse_nexthop(message, sink);
    case RTM_NEWRULE:
    case RTM_DELRULE:
      return parse_rule(message, sink);
    case RTM_NEWNETCONF:
      return parse_netconf(message, sink);
    default:
      return;
  }
}

}  // namespace millrace::fib
