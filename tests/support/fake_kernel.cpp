// SPDX-License-Identifier: GPL-2.0-or-later
#include "support/fake_kernel.h"

#include <algorithm>
#include <array>
#include <format>

#include "base/check.h"

namespace millrace::test {
namespace {

using base::Code;
using base::Family;
using base::InterfaceAddress;
using base::Result;
using system::Link;
using system::LinkAddress;

constexpr std::uint32_t kInet6MinMtu = 1280;  // RFC 8200 §5

struct Default {
  std::string_view name;
  std::string_view value;
};
constexpr std::array kGlobalSysctls = {
    Default{"net/ipv4/ip_forward", "0"},
    Default{"net/ipv4/fib_multipath_hash_policy", "0"},
    Default{"net/ipv4/icmp_echo_ignore_broadcasts", "1"},
    Default{"net/ipv6/route/max_size", "2147483647"},
    Default{"net/ipv6/fib_multipath_hash_policy", "0"},
    Default{"net/mpls/platform_labels", "0"},
};
// Below net/FAMILY/conf/LINK, where LINK may be "all" or "default".
constexpr std::array kInetSysctls = {
    Default{"forwarding", "0"},       Default{"rp_filter", "0"},
    Default{"arp_ignore", "0"},       Default{"arp_announce", "0"},
    Default{"accept_redirects", "1"}, Default{"send_redirects", "1"},
    Default{"proxy_arp", "0"},        Default{"ignore_routes_with_linkdown", "0"},
    Default{"accept_local", "0"},     Default{"promote_secondaries", "1"},
};
constexpr std::array kInet6Sysctls = {
    Default{"forwarding", "0"},       Default{"accept_ra", "1"},
    Default{"autoconf", "1"},         Default{"disable_ipv6", "0"},
    Default{"accept_dad", "1"},       Default{"addr_gen_mode", "0"},
    Default{"accept_redirects", "1"}, Default{"keep_addr_on_down", "0"},
    Default{"use_tempaddr", "0"},     Default{"ignore_routes_with_linkdown", "0"},
};

std::string with_slashes(std::string_view name) {
  std::string result(name);
  if (result.find('/') == std::string::npos) {
    std::ranges::replace(result, '.', '/');
  }
  return result;
}

std::unexpected<base::Error> refuse(std::string message) {
  return base::fail(Code::ApplyFailed, std::move(message));
}

base::Prefix network_of(const InterfaceAddress& address) {
  return base::Prefix(address.address, address.length);
}

// RFC 4291 appendix A: the interface identifier is the EUI-64 of the MAC address.
InterfaceAddress link_local(const base::MacAddress& mac) {
  const auto& m = mac.bytes;
  const std::array<std::uint8_t, 16> bytes = {
      0xfe, 0x80, 0,    0,    0,    0,    0,   0, static_cast<std::uint8_t>(m[0] ^ 2),
      m[1], m[2], 0xff, 0xfe, m[3], m[4], m[5]};
  return {base::IpAddress(Family::Inet6, bytes), 64};
}

}  // namespace

FakeKernel::FakeKernel(const ChangeHook& hook) : hook_(hook) {
  reboot();
}

void FakeKernel::plug(std::string_view name, std::uint32_t mtu, std::uint32_t min_mtu,
                      std::uint32_t max_mtu) {
  const Plugged plugged{next_index_++, mtu, min_mtu, max_mtu};
  plugged_.insert_or_assign(std::string(name), plugged);
  add_link(name, plugged);
}

void FakeKernel::unplug(std::string_view name) {
  if (const auto found = plugged_.find(name); found != plugged_.end()) {
    plugged_.erase(found);
    erase_link(name);
  }
}

void FakeKernel::rename(std::string_view name, std::string_view to) {
  const std::string old(name);
  const std::string now(to);
  auto link = links_.extract(old);
  base::check(!link.empty(), "rename of a device that is there");
  link.key() = now;
  link.mapped().name = now;
  links_.insert(std::move(link));
  if (auto plugged = plugged_.extract(old)) {
    plugged.key() = now;
    plugged_.insert(std::move(plugged));
  }
  for (auto& [other, device] : links_) {
    if (device.parent == old) {
      device.parent = now;
    }
  }
  for (LinkAddress& address : addresses_) {
    if (address.link == old) {
      address.link = now;
    }
  }
}

void FakeKernel::add_foreign_address(std::string_view link, std::string_view address) {
  addresses_.push_back({std::string(link), InterfaceAddress::parse(address).value(), false});
}

void FakeKernel::reboot() {
  links_.clear();
  addresses_.clear();
  sysctls_.clear();
  host_name_ = "localhost";
  Link loopback;
  loopback.name = "lo";
  loopback.index = 1;
  loopback.mtu = 65536;
  loopback.admin_up = loopback.running = true;
  links_.emplace("lo", loopback);
  add_foreign_address("lo", "127.0.0.1/8");
  add_foreign_address("lo", "::1/128");
  for (const auto& [name, plugged] : plugged_) {
    add_link(name, plugged);
  }
}

void FakeKernel::add_link(std::string_view name, const Plugged& plugged) {
  Link link;
  link.name = std::string(name);
  link.index = plugged.index;
  link.mtu = plugged.mtu;
  link.min_mtu = plugged.min_mtu;
  link.max_mtu = plugged.max_mtu;
  // Of the device, wherever and whenever it is plugged in.
  unsigned number = 0;
  for (const char c : name) {
    number = c >= '0' && c <= '9' ? number * 10 + static_cast<unsigned>(c - '0') : 0;
  }
  number += 2;
  link.mac.bytes = {
      0x02, 0, 0, 0, static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)};
  links_.insert_or_assign(link.name, link);
}

std::vector<std::string> FakeKernel::dump() const {
  std::vector<std::string> lines;
  for (const auto& [name, link] : links_) {
    std::string line = std::format("link {}", name);
    if (link.kind == "vlan") {
      line += std::format(" vlan {} on {}", link.vlan_id, link.parent);
    }
    line += std::format(" mtu {} {}", link.mtu, link.admin_up ? "up" : "down");
    line += link.alias.empty() ? "" : std::format(" alias \"{}\"", link.alias);
    lines.push_back(line + (link.ours ? " ours" : link.managed ? " managed" : ""));
  }
  for (auto address = addresses_.begin(); address != addresses_.end(); ++address) {
    const bool secondary =
        address->address.address.family() == Family::Inet &&
        std::any_of(addresses_.begin(), address, [&](const LinkAddress& earlier) {
          return earlier.link == address->link &&
                 earlier.address.length == address->address.length &&
                 network_of(earlier.address) == network_of(address->address);
        });
    lines.push_back(std::format("address {} {}{}{}", address->link, address->address.to_string(),
                                address->ours ? " ours" : "", secondary ? " secondary" : ""));
  }
  for (const auto& [name, value] : sysctls_) {
    lines.push_back(std::format("sysctl {} {}", name, value));
  }
  lines.push_back("host-name " + host_name_);
  std::ranges::sort(lines);
  return lines;
}

Result<std::vector<Link>> FakeKernel::links() {
  std::vector<Link> result;
  for (const auto& [name, link] : links_) {
    result.push_back(link);
    result.back().running = link.admin_up;
  }
  std::ranges::sort(result, {}, &Link::index);
  return result;
}

Result<std::vector<LinkAddress>> FakeKernel::addresses() {
  return addresses_;
}

Result<void> FakeKernel::changing(const std::string& what) {
  return hook_ ? hook_("kernel: " + what) : Result<void>();
}

Result<Link*> FakeKernel::need(std::string_view name) {
  const auto found = links_.find(name);
  if (found == links_.end()) {
    return refuse(std::format("no such device: {}", name));
  }
  return &found->second;
}

std::vector<std::string> FakeKernel::vlans_on(std::string_view parent) const {
  std::vector<std::string> result;
  for (const auto& [name, link] : links_) {
    if (link.kind == "vlan" && link.parent == parent) {
      result.push_back(name);
    }
  }
  return result;
}

bool FakeKernel::flag(std::string_view family, std::string_view link, std::string_view leaf) const {
  const auto found = sysctls_.find(std::format("net/{}/conf/{}/{}", family, link, leaf));
  if (found != sysctls_.end()) {
    return found->second != "0";
  }
  const auto fallback = default_sysctl(std::format("net/{}/conf/default/{}", family, leaf));
  return fallback && *fallback != "0";
}

bool FakeKernel::has_inet6(const Link& link) const {
  return link.mtu >= kInet6MinMtu && !flag("ipv6", link.name, "disable_ipv6");
}

Result<void> FakeKernel::add_vlan(std::string_view name, std::string_view parent,
                                  std::uint16_t vlan_id) {
  if (const auto found = links_.find(name); found != links_.end()) {
    const Link& link = found->second;
    if (link.kind == "vlan" && link.parent == parent && link.vlan_id == vlan_id && link.ours) {
      return {};
    }
    return base::fail(Code::Conflict, std::format("{}: a different device has that name", name));
  }
  if (auto done = changing(std::format("add vlan {} id {} on {}", name, vlan_id, parent)); !done) {
    return done;
  }
  auto below = need(parent);
  if (!below) {
    return std::unexpected(below.error());
  }
  if (name.size() > 15) {
    return refuse(std::format("{}: numerical result out of range", name));
  }
  for (const std::string& other : vlans_on(parent)) {
    if (links_.at(other).vlan_id == vlan_id) {
      return refuse(std::format("{}: file exists", name));
    }
  }
  Link link;
  link.name = std::string(name);
  link.index = next_index_++;
  link.kind = "vlan";
  link.parent = std::string(parent);
  link.vlan_id = vlan_id;
  link.mtu = (*below)->mtu;
  link.max_mtu = 65535;
  link.mac = (*below)->mac;
  link.ours = true;
  links_.emplace(link.name, link);
  return {};
}

Result<void> FakeKernel::delete_link(std::string_view name) {
  const auto found = links_.find(name);
  if (found == links_.end() || !found->second.ours) {
    return {};
  }
  if (auto done = changing(std::format("delete link {}", name)); !done) {
    return done;
  }
  erase_link(std::string(name));
  return {};
}

void FakeKernel::erase_link(std::string_view name) {
  for (const std::string& vlan : vlans_on(name)) {
    erase_link(vlan);
  }
  std::erase_if(addresses_, [&](const LinkAddress& address) { return address.link == name; });
  drop_sysctls(std::format("net/ipv4/conf/{}/", name));
  drop_sysctls(std::format("net/ipv6/conf/{}/", name));
  links_.erase(links_.find(name));
}

Result<void> FakeKernel::set_mtu(std::string_view name, std::uint32_t mtu) {
  auto link = need(name);
  if (!link) {
    return std::unexpected(link.error());
  }
  if ((*link)->mtu == mtu) {
    return {};
  }
  if (auto done = changing(std::format("set mtu of {} to {}", name, mtu)); !done) {
    return done;
  }
  if (mtu < (*link)->min_mtu || ((*link)->max_mtu != 0 && mtu > (*link)->max_mtu)) {
    return refuse(std::format("{}: mtu {}: invalid argument", name, mtu));
  }
  // 8021q/vlan_dev.c: vlan_dev_change_mtu
  if ((*link)->kind == "vlan" && mtu > links_.at((*link)->parent).mtu) {
    return refuse(std::format("{}: mtu {}: numerical result out of range", name, mtu));
  }
  const bool had_inet6 = has_inet6(**link);
  (*link)->mtu = mtu;
  if (mtu < kInet6MinMtu) {
    drop_inet6(name, false);
    drop_sysctls(std::format("net/ipv6/conf/{}/", name));
  } else if (!had_inet6) {
    make_link_local(**link);
  }
  for (const std::string& vlan : vlans_on(name)) {
    if (links_.at(vlan).mtu > mtu) {
      links_.at(vlan).mtu = mtu;
      if (mtu < kInet6MinMtu) {
        drop_inet6(vlan, false);
        drop_sysctls(std::format("net/ipv6/conf/{}/", vlan));
      }
    }
  }
  return {};
}

Result<void> FakeKernel::set_admin_up(std::string_view name, bool up) {
  auto link = need(name);
  if (!link) {
    return std::unexpected(link.error());
  }
  if ((*link)->admin_up == up) {
    return {};
  }
  if (auto done = changing(std::format("set {} {}", name, up ? "up" : "down")); !done) {
    return done;
  }
  if (up && (*link)->kind == "vlan" && !links_.at((*link)->parent).admin_up) {
    return refuse(std::format("{}: network is down", name));
  }
  set_flag_up(**link, up);
  return {};
}

void FakeKernel::set_flag_up(Link& link, bool up) {
  link.admin_up = up;
  if (up) {
    make_link_local(link);
  } else {
    drop_inet6(link.name, flag("ipv6", link.name, "keep_addr_on_down") ||
                              flag("ipv6", "all", "keep_addr_on_down"));
  }
  for (const std::string& vlan : vlans_on(link.name)) {
    if (links_.at(vlan).admin_up != up) {
      set_flag_up(links_.at(vlan), up);
    }
  }
}

void FakeKernel::make_link_local(const Link& link) {
  if (!link.admin_up || !has_inet6(link)) {
    return;
  }
  const InterfaceAddress address =
      link.name == "lo" ? InterfaceAddress::parse("::1/128").value() : link_local(link.mac);
  const bool there = std::ranges::any_of(addresses_, [&](const LinkAddress& other) {
    return other.link == link.name && other.address.address == address.address;
  });
  if (!there) {
    addresses_.push_back({link.name, address, false});
  }
}

void FakeKernel::drop_inet6(std::string_view link, bool keep_static) {
  std::erase_if(addresses_, [&](const LinkAddress& address) {
    return address.link == link && address.address.address.family() == Family::Inet6 &&
           !(keep_static && !address.address.address.is_link_local());
  });
}

void FakeKernel::drop_sysctls(const std::string& prefix) {
  std::erase_if(sysctls_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
}

Result<void> FakeKernel::set_alias(std::string_view name, std::string_view alias) {
  auto link = need(name);
  if (!link) {
    return std::unexpected(link.error());
  }
  if ((*link)->alias == alias) {
    return {};
  }
  if (auto done = changing(std::format("set alias of {} to \"{}\"", name, alias)); !done) {
    return done;
  }
  if (alias.size() >= 256) {  // IFALIASZ
    return refuse(std::format("{}: alias: invalid argument", name));
  }
  (*link)->alias = std::string(alias);
  return {};
}

Result<void> FakeKernel::set_managed(std::string_view name, bool managed) {
  auto link = need(name);
  if (!link) {
    return std::unexpected(link.error());
  }
  if ((*link)->managed == managed) {
    return {};
  }
  if (auto done = changing(std::format("{} {}", managed ? "manage" : "leave", name)); !done) {
    return done;
  }
  base::check(!(*link)->ours, "set_managed on a link that we created");
  (*link)->managed = managed;
  return {};
}

Result<void> FakeKernel::add_address(std::string_view name, const InterfaceAddress& address) {
  for (const LinkAddress& other : addresses_) {
    if (other.link == name && other.address == address) {
      return other.ours ? Result<void>()
                        : base::fail(Code::Conflict,
                                     std::format("{} has address {} already, from somebody else",
                                                 name, address.to_string()));
    }
  }
  if (auto done = changing(std::format("add address {} to {}", address.to_string(), name)); !done) {
    return done;
  }
  auto link = need(name);
  if (!link) {
    return std::unexpected(link.error());
  }
  if (address.address.family() == Family::Inet6) {
    if (!has_inet6(**link)) {
      return refuse(std::format("{}: IPv6 is disabled on this device", name));
    }
    // addrconf.c: ipv6_add_addr knows addresses by their 128 bits alone.
    for (const LinkAddress& other : addresses_) {
      if (other.link == name && other.address.address == address.address) {
        return refuse(std::format("{}: address already assigned", address.to_string()));
      }
    }
  }
  addresses_.push_back({std::string(name), address, true});
  return {};
}

Result<void> FakeKernel::delete_address(std::string_view name, const InterfaceAddress& address) {
  const auto found = std::ranges::find_if(addresses_, [&](const LinkAddress& other) {
    return other.link == name && other.address == address;
  });
  if (found == addresses_.end() || !found->ours) {
    return {};
  }
  if (auto done = changing(std::format("delete address {} from {}", address.to_string(), name));
      !done) {
    return done;
  }
  const auto same_subnet = [&](const LinkAddress& other) {
    return other.link == name && other.address.length == address.length &&
           other.address.address.family() == Family::Inet &&
           network_of(other.address) == network_of(address);
  };
  const bool primary = std::ranges::find_if(addresses_, same_subnet) == found;
  addresses_.erase(found);
  if (address.address.family() == Family::Inet && primary &&
      !flag("ipv4", name, "promote_secondaries")) {
    std::erase_if(addresses_, same_subnet);
  }
  return {};
}

Result<std::string> FakeKernel::host_name() {
  return host_name_;
}

Result<void> FakeKernel::set_host_name(std::string_view name) {
  if (host_name_ == name) {
    return {};
  }
  if (auto done = changing(std::format("set host name to {}", name)); !done) {
    return done;
  }
  if (name.empty() || name.size() > 64) {
    return refuse("host name: invalid argument");
  }
  host_name_ = std::string(name);
  return {};
}

Result<std::string> FakeKernel::default_sysctl(std::string_view name) const {
  const auto unknown = [&] {
    return base::fail(Code::UnknownPath, std::format("no sysctl {}", name));
  };
  for (const Default& known : kGlobalSysctls) {
    if (known.name == name) {
      return std::string(known.value);
    }
  }
  constexpr std::string_view kInet = "net/ipv4/conf/", kInet6 = "net/ipv6/conf/";
  const bool inet = name.starts_with(kInet);
  if (!inet && !name.starts_with(kInet6)) {
    return unknown();
  }
  const std::string_view rest = name.substr(kInet.size());
  const std::size_t slash = rest.rfind('/');
  if (slash == std::string_view::npos) {
    return unknown();
  }
  const std::string_view device = rest.substr(0, slash);
  if (device != "all" && device != "default") {
    const auto link = links_.find(device);
    if (link == links_.end() || (!inet && link->second.mtu < kInet6MinMtu)) {
      return unknown();
    }
  }
  const auto find = [&](const auto& table) -> Result<std::string> {
    for (const Default& known : table) {
      if (known.name == rest.substr(slash + 1)) {
        return std::string(known.value);
      }
    }
    return unknown();
  };
  return inet ? find(kInetSysctls) : find(kInet6Sysctls);
}

Result<std::string> FakeKernel::sysctl(std::string_view name) {
  const std::string key = with_slashes(name);
  const auto found = sysctls_.find(key);
  return found != sysctls_.end() ? Result<std::string>(found->second) : default_sysctl(key);
}

Result<void> FakeKernel::set_sysctl(std::string_view name, std::string_view value) {
  const std::string key = with_slashes(name);
  const auto fallback = default_sysctl(key);
  if (!fallback) {
    return std::unexpected(fallback.error());
  }
  if (*sysctl(key) == value) {
    return {};
  }
  if (auto done = changing(std::format("set sysctl {} to {}", key, value)); !done) {
    return done;
  }
  if (value == *fallback) {
    sysctls_.erase(key);
  } else {
    sysctls_.insert_or_assign(key, std::string(value));
  }
  if (key.ends_with("/disable_ipv6")) {
    for (const auto& [link_name, link] : links_) {
      if (key == std::format("net/ipv6/conf/{}/disable_ipv6", link_name)) {
        value == "0" ? make_link_local(link) : drop_inet6(link_name, false);
      }
    }
  }
  return {};
}

}  // namespace millrace::test
