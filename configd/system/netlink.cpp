// SPDX-License-Identifier: GPL-2.0-or-later
//
// Kernel over rtnetlink. Every change names one attribute, because RTM_NEWLINK on an existing
// device changes what the message holds and nothing else (net/core/rtnetlink.c: do_setlink); that
// is what "a change keeps every attribute it does not name" rests on.
#include "system/netlink.h"

#include <linux/if_addr.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <format>
#include <map>

#include "system/host_state.h"
#include "system/netlink_parse.h"
#include "system/netlink_socket.h"

namespace millrace::system {
namespace {

using base::Code;
using base::fail;
using base::Result;

constexpr std::uint16_t kCreate = NLM_F_CREATE | NLM_F_EXCL;

class KernelNetlink final : public Kernel {
 public:
  explicit KernelNetlink(NetlinkSocket socket) : socket_(std::move(socket)) {}

  Result<std::vector<Link>> links() override;
  Result<std::vector<LinkAddress>> addresses() override;

  Result<void> add_vlan(std::string_view name, std::string_view parent,
                        std::uint16_t vlan_id) override;
  Result<void> delete_link(std::string_view name) override;
  Result<void> set_mtu(std::string_view link, std::uint32_t mtu) override;
  Result<void> set_admin_up(std::string_view link, bool up) override;
  Result<void> set_alias(std::string_view link, std::string_view alias) override;
  Result<void> set_managed(std::string_view link, bool managed) override;
  Result<void> add_address(std::string_view link, const base::InterfaceAddress& address) override;
  Result<void> delete_address(std::string_view link,
                              const base::InterfaceAddress& address) override;

  Result<std::string> host_name() override { return read_host_name(); }
  Result<void> set_host_name(std::string_view name) override { return write_host_name(name); }
  Result<std::string> sysctl(std::string_view name) override { return read_sysctl(name); }
  Result<void> set_sysctl(std::string_view name, std::string_view value) override {
    return write_sysctl(name, value);
  }

 private:
  Result<void> change_link(std::string_view link, std::string_view what, NetlinkMessage& message);
  Result<std::vector<ParsedAddress>> dump_addresses(const ifaddrmsg& filter);
  Result<std::optional<ParsedLink>> find_link(unsigned index);
  Result<std::optional<ParsedAddress>> find_address(unsigned index,
                                                    const base::InterfaceAddress& address);

  NetlinkSocket socket_;
};

// 0 when there is no such device.
unsigned index_of(std::string_view link) {
  return ::if_nametoindex(std::string(link).c_str());
}

ifaddrmsg address_header(unsigned index, const base::InterfaceAddress& address) {
  ifaddrmsg header{};
  header.ifa_family = address.address.family() == base::Family::Inet ? AF_INET : AF_INET6;
  header.ifa_prefixlen = address.length;
  header.ifa_index = index;
  return header;
}

NetlinkMessage address_message(std::uint16_t type, std::uint16_t flags, unsigned index,
                               const base::InterfaceAddress& address) {
  NetlinkMessage message(type, flags);
  message.header(address_header(index, address))
      .bytes(IFA_LOCAL, address.address.bytes())
      .bytes(IFA_ADDRESS, address.address.bytes());
  return message;
}

NetlinkMessage link_message(std::string_view link, ifinfomsg header = {}) {
  NetlinkMessage message(RTM_NEWLINK, 0);
  message.header(header).text(IFLA_IFNAME, link);
  return message;
}

Result<std::vector<Link>> KernelNetlink::links() {
  NetlinkMessage request(RTM_GETLINK, NLM_F_DUMP);
  request.header(ifinfomsg{}).number32(IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
  std::vector<ParsedLink> parsed;
  const auto done = socket_.dump(
      request, [&] { parsed.clear(); },
      [&](const nlmsghdr& message) {
        if (auto link = parse_link(message)) {
          parsed.push_back(std::move(*link));
        }
      });
  if (!done) {
    return base::fail_because(done.error(), "cannot list the links");
  }
  std::map<std::uint32_t, std::string> names;
  for (const ParsedLink& entry : parsed) {
    names.emplace(entry.link.index, entry.link.name);
  }
  std::vector<Link> links;
  links.reserve(parsed.size());
  for (ParsedLink& entry : parsed) {
    if (const auto parent = names.find(entry.parent); parent != names.end()) {
      entry.link.parent = parent->second;
    }
    links.push_back(std::move(entry.link));
  }
  return links;
}

Result<std::vector<LinkAddress>> KernelNetlink::addresses() {
  auto known = links();
  if (!known) {
    return std::unexpected(known.error());
  }
  std::map<std::uint32_t, std::string> names;
  for (Link& link : *known) {
    names.emplace(link.index, std::move(link.name));
  }
  const auto parsed = dump_addresses({});
  if (!parsed) {
    return base::fail_because(parsed.error(), "cannot list the addresses");
  }
  std::vector<LinkAddress> addresses;
  for (const ParsedAddress& entry : *parsed) {
    // A link that appeared since has no name yet; whoever listens for links asks again.
    if (const auto name = names.find(entry.link); name != names.end()) {
      addresses.push_back({name->second, entry.address, entry.ours});
    }
  }
  return addresses;
}

// Of the device and family that `filter` names, if it names any.
Result<std::vector<ParsedAddress>> KernelNetlink::dump_addresses(const ifaddrmsg& filter) {
  NetlinkMessage request(RTM_GETADDR, NLM_F_DUMP);
  request.header(filter);
  std::vector<ParsedAddress> addresses;
  const auto done = socket_.dump(
      request, [&] { addresses.clear(); },
      [&](const nlmsghdr& message) {
        if (const auto parsed = parse_address(message)) {
          addresses.push_back(*parsed);
        }
      });
  if (!done) {
    return std::unexpected(done.error());
  }
  return addresses;
}

Result<std::optional<ParsedLink>> KernelNetlink::find_link(unsigned index) {
  ifinfomsg header{};
  header.ifi_index = static_cast<int>(index);
  NetlinkMessage request(RTM_GETLINK, 0);
  request.header(header).number32(IFLA_EXT_MASK, RTEXT_FILTER_SKIP_STATS);
  std::optional<ParsedLink> found;
  const auto done = socket_.dump(
      request, [&] { found.reset(); },
      [&](const nlmsghdr& message) {
        if (auto parsed = parse_link(message)) {
          found = std::move(parsed);
        }
      });
  if (!done) {
    return base::fail_because(done.error(), "cannot look at a link");
  }
  return found;
}

Result<std::optional<ParsedAddress>> KernelNetlink::find_address(
    unsigned index, const base::InterfaceAddress& address) {
  ifaddrmsg filter{};
  filter.ifa_family = address_header(index, address).ifa_family;
  filter.ifa_index = index;
  const auto present = dump_addresses(filter);
  if (!present) {
    return base::fail_because(present.error(), "cannot list the addresses of a link");
  }
  const auto same = std::ranges::find(*present, address, &ParsedAddress::address);
  return same == present->end() ? std::nullopt : std::optional(*same);
}

Result<void> KernelNetlink::change_link(std::string_view link, std::string_view what,
                                        NetlinkMessage& message) {
  const auto answer = socket_.request(message);
  if (!answer) {
    return std::unexpected(answer.error());
  }
  if (answer->error != 0) {
    return fail(Code::ApplyFailed,
                std::format("cannot {} {}: {}", what, link, answer->to_string()));
  }
  return {};
}

Result<void> KernelNetlink::add_vlan(std::string_view name, std::string_view parent,
                                     std::uint16_t vlan_id) {
  const unsigned parent_index = index_of(parent);
  if (parent_index == 0) {
    return fail(Code::ApplyFailed, std::format("cannot create {}: there is no {}", name, parent));
  }
  NetlinkMessage message(RTM_NEWLINK, kCreate);
  message.header(ifinfomsg{})
      .text(IFLA_IFNAME, name)
      .number32(IFLA_LINK, parent_index)
      .number32(IFLA_GROUP, kLinkGroup)
      .nested(IFLA_LINKINFO, [vlan_id](NetlinkMessage& info) {
        info.text(IFLA_INFO_KIND, "vlan").nested(IFLA_INFO_DATA, [vlan_id](NetlinkMessage& vlan) {
          vlan.number16(IFLA_VLAN_ID, vlan_id);
        });
      });
  const auto answer = socket_.request(message);
  if (!answer) {
    return std::unexpected(answer.error());
  }
  if (answer->error == EEXIST && index_of(name) != 0) {
    const auto present = links();
    if (!present) {
      return std::unexpected(present.error());
    }
    const auto same = std::ranges::find(*present, name, &Link::name);
    if (same != present->end() && same->ours && same->parent == parent &&
        same->vlan_id == vlan_id) {
      return {};
    }
    return fail(Code::Conflict, std::format("there is another device with the name {}", name));
  }
  if (answer->error != 0) {
    return fail(Code::ApplyFailed, std::format("cannot create {} with vlan-id {} on {}: {}", name,
                                               vlan_id, parent, answer->to_string()));
  }
  return {};
}

Result<void> KernelNetlink::delete_link(std::string_view name) {
  const unsigned index = index_of(name);
  if (index == 0) {
    return {};
  }
  const auto present = find_link(index);
  if (!present) {
    return std::unexpected(present.error());
  }
  if (!*present || !(*present)->link.ours) {
    return {};
  }
  NetlinkMessage message(RTM_DELLINK, 0);
  message.header(ifinfomsg{}).text(IFLA_IFNAME, name);
  const auto answer = socket_.request(message);
  if (!answer) {
    return std::unexpected(answer.error());
  }
  if (answer->error != 0 && answer->error != ENODEV) {
    return fail(Code::ApplyFailed, std::format("cannot delete {}: {}", name, answer->to_string()));
  }
  return {};
}

Result<void> KernelNetlink::set_mtu(std::string_view link, std::uint32_t mtu) {
  NetlinkMessage message = link_message(link);
  message.number32(IFLA_MTU, mtu);
  return change_link(link, std::format("set mtu {} on", mtu), message);
}

Result<void> KernelNetlink::set_admin_up(std::string_view link, bool up) {
  ifinfomsg header{};
  header.ifi_change = IFF_UP;
  header.ifi_flags = up ? IFF_UP : 0;
  NetlinkMessage message = link_message(link, header);
  return change_link(link, up ? "bring up" : "take down", message);
}

Result<void> KernelNetlink::set_alias(std::string_view link, std::string_view alias) {
  NetlinkMessage message = link_message(link);
  message.bare_text(IFLA_IFALIAS, alias);
  return change_link(link, "set the alias of", message);
}

Result<void> KernelNetlink::set_managed(std::string_view link, bool managed) {
  NetlinkMessage message = link_message(link);
  message.number32(IFLA_GROUP, managed ? kManagedGroup : 0);
  return change_link(link, "set the group of", message);
}

Result<void> KernelNetlink::add_address(std::string_view link,
                                        const base::InterfaceAddress& address) {
  const unsigned index = index_of(link);
  if (index == 0) {
    return fail(Code::ApplyFailed, std::format("cannot add address {} to {}: there is no {}",
                                               address.to_string(), link, link));
  }
  NetlinkMessage message = address_message(RTM_NEWADDR, kCreate, index, address);
  message.number8(IFA_PROTO, kAddressProtocol);
  const auto answer = socket_.request(message);
  if (!answer) {
    return std::unexpected(answer.error());
  }
  if (answer->error == EEXIST) {
    const auto same = find_address(index, address);
    if (!same) {
      return std::unexpected(same.error());
    }
    // The same address with another length is EEXIST for IPv6 only (net/ipv6/addrconf.c:
    // ipv6_add_addr compares without the length).
    if (!*same) {
      return fail(Code::Conflict, std::format("{} is on {} already, with another length",
                                              address.address.to_string(), link));
    }
    if (!(*same)->ours) {
      return fail(Code::Conflict,
                  std::format("{} is on {} already and was not put there by the configuration",
                              address.to_string(), link));
    }
    return {};
  }
  if (answer->error != 0) {
    return fail(Code::ApplyFailed, std::format("cannot add address {} to {}: {}",
                                               address.to_string(), link, answer->to_string()));
  }
  return {};
}

Result<void> KernelNetlink::delete_address(std::string_view link,
                                           const base::InterfaceAddress& address) {
  const unsigned index = index_of(link);
  if (index == 0) {
    return {};
  }
  const auto present = find_address(index, address);
  if (!present) {
    return std::unexpected(present.error());
  }
  if (!*present || !(*present)->ours) {
    return {};
  }
  const auto answer = socket_.request(address_message(RTM_DELADDR, 0, index, address));
  if (!answer) {
    return std::unexpected(answer.error());
  }
  if (answer->error != 0 && answer->error != EADDRNOTAVAIL && answer->error != ENODEV) {
    return fail(Code::ApplyFailed, std::format("cannot delete address {} from {}: {}",
                                               address.to_string(), link, answer->to_string()));
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<Kernel>> open_kernel() {
  auto socket = NetlinkSocket::open();
  if (!socket) {
    return std::unexpected(socket.error());
  }
  return std::make_unique<KernelNetlink>(std::move(*socket));
}

}  // namespace millrace::system
