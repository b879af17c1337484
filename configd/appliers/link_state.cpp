// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/link_state.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "base/interface_name.h"
#include "tree/view.h"

namespace millrace::appliers {
namespace {

using base::InterfaceAddress;
using tree::View;

constexpr std::string_view kLoopback = "lo";
// As in Junos, `mtu` is the largest frame without its checksum; the kernel's is the packet in it.
constexpr std::uint32_t kEthernetHeader = 14;
constexpr std::uint32_t kVlanTag = 4;

unsigned number_of(std::string_view key) {
  unsigned number = 0;
  std::from_chars(key.data(), key.data() + key.size(), number);
  return number;
}

// IPv4 before IPv6, each in order of configuration, which is by value.
std::vector<InterfaceAddress> addresses_of(const View& unit) {
  std::vector<InterfaceAddress> addresses;
  for (const char* const family : {"inet", "inet6"}) {
    for (const auto& [text, entry] : unit["family"][family]["address"].entries()) {
      const auto address = InterfaceAddress::parse(text);
      base::check(address.has_value(), "an address in the tree has been checked by its type");
      addresses.push_back(*address);
    }
  }
  return addresses;
}

void add_vlans(const View& interface, const LinkState& parent, std::string_view name,
               LinkStates& into) {
  for (const auto& [key, unit] : interface["unit"].entries()) {
    const auto device = base::kernel_name(name, number_of(key), true);
    const auto vlan_id = unit["vlan-id"].number();
    if (!device || !vlan_id) {
      continue;  // check() has said so
    }
    LinkState vlan;
    vlan.name = *device;
    vlan.parent = parent.name;
    vlan.vlan_id = static_cast<std::uint16_t>(*vlan_id);
    vlan.mtu = parent.mtu;
    // A VLAN cannot be up on a parent that is down (net/8021q/vlan_dev.c: vlan_dev_open).
    vlan.up = parent.up && !unit["disable"];
    vlan.alias = unit["description"].text();
    vlan.addresses = addresses_of(unit);
    into.insert_or_assign(vlan.name, std::move(vlan));
  }
}

}  // namespace

LinkState unconfigured(const commit::Facts& facts, std::string_view link) {
  const auto fact = facts.links.find(link);
  base::check(fact != facts.links.end(), "only devices that exist have a state");
  LinkState state;
  state.name = std::string(link);
  state.mtu = fact->second.default_mtu;
  state.up = link == kLoopback;  // every service of the router stands on it
  return state;
}

void add_wanted(const commit::World& world, std::string_view interface, LinkStates& into) {
  const std::string name = base::kernel_parent(interface);
  if (!world.facts->links.contains(name)) {
    return;
  }
  LinkState state = unconfigured(*world.facts, name);
  const View view = View(world.tree)["interfaces"].entry(interface);
  if (!view) {
    into.insert_or_assign(name, std::move(state));
    return;
  }
  const bool tagged = view["vlan-tagging"].exists();
  const View unit = view["unit"].entry("0");
  state.managed = true;
  if (const auto mtu = view["mtu"].number()) {
    state.mtu = static_cast<std::uint32_t>(*mtu) - kEthernetHeader - (tagged ? kVlanTag : 0);
  }
  state.alias = view["description"].text();
  if (name != kLoopback) {
    state.up = !view["disable"] && (tagged || !unit["disable"]);
  }
  if (tagged) {
    add_vlans(view, state, interface, into);
  } else {
    state.addresses = addresses_of(unit);
    if (state.alias.empty()) {
      state.alias = unit["description"].text();
    }
  }
  into.insert_or_assign(name, std::move(state));
}

LinkStates all_wanted(const commit::World& world) {
  LinkStates wanted;
  if (world.facts->links.contains(kLoopback)) {
    wanted.emplace(kLoopback, unconfigured(*world.facts, kLoopback));
  }
  for (const auto& [key, interface] : View(world.tree)["interfaces"].entries()) {
    add_wanted(world, key, wanted);
  }
  return wanted;
}

base::Result<LinkStates> read_actual(system::Kernel& kernel, const LinkStates& wanted) {
  const auto links = kernel.links();
  if (!links) {
    return std::unexpected(links.error());
  }
  const auto addresses = kernel.addresses();
  if (!addresses) {
    return std::unexpected(addresses.error());
  }
  std::map<std::string_view, std::vector<InterfaceAddress>> ours;
  for (const system::LinkAddress& entry : *addresses) {
    if (entry.ours) {
      ours[entry.link].push_back(entry.address);
    }
  }
  LinkStates actual;
  for (const system::Link& link : *links) {
    const auto own = ours.find(link.name);
    const auto target = wanted.find(link.name);
    // A device of somebody else with the name of one that we shall create is left alone; creating
    // ours then fails and says so.
    const bool foreign = target != wanted.end() && target->second.is_vlan() && !link.ours;
    const bool named = target != wanted.end() && !foreign;
    if (!named && !link.ours && !link.managed && own == ours.end()) {
      continue;
    }
    LinkState state;
    state.name = link.name;
    state.parent = link.ours ? link.parent : std::string();
    state.vlan_id = link.ours ? link.vlan_id : std::uint16_t{0};
    state.managed = link.managed;
    state.mtu = link.mtu;
    state.up = link.admin_up;
    state.alias = link.alias;
    if (own != ours.end()) {
      state.addresses = own->second;
    }
    actual.emplace(state.name, std::move(state));
  }
  return actual;
}

}  // namespace millrace::appliers
