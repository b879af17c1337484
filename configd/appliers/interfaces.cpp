// SPDX-License-Identifier: GPL-2.0-or-later
//
// Interfaces, their VLAN units and addresses. The whole applier is three functions: what the
// configuration wants of a device (link_state.h), what the kernel has (the same form), and the way
// from one to the other (link_plan.h). A commit goes from the state of the tree before to that of
// the tree after, for the interfaces that differ; reconcile goes from what the kernel has.
//
// An interface that does not exist is no error: its configuration takes effect when the facts have
// it, since a device that appears is the same function with equal trees. When an interface leaves
// the configuration, its device goes back to what it came as: no addresses, no alias, its default
// MTU, down. One that never was in it is never touched.
#include <algorithm>
#include <charconv>
#include <format>
#include <set>

#include "appliers/link_plan.h"
#include "appliers/link_state.h"
#include "base/interface_name.h"
#include "commit/applier.h"
#include "tree/view.h"

namespace millrace::appliers {
namespace {

using base::Code;
using base::Diagnostics;
using commit::World;
using tree::View;

constexpr std::size_t kLongestAlias = 255;  // bytes: IFALIASZ - 1

std::set<std::string> touched_interfaces(const World& before, const World& after,
                                         const tree::Delta& delta) {
  const schema::Schema& schema = after.tree.schema();
  const schema::Node* const interfaces = schema.find("interfaces");
  const schema::Node* const list = schema.find("interfaces interface");
  const tree::Path path{{{interfaces, {}, false}, {list, {}, false}}};
  const auto changed = delta.changed_keys(path);
  std::set<std::string> touched(changed.begin(), changed.end());
  if (before.facts->links != after.facts->links) {
    for (const auto& [key, interface] : View(after.tree)["interfaces"].entries()) {
      const std::string name = base::kernel_parent(key);
      const auto old = before.facts->links.find(name);
      const auto now = after.facts->links.find(name);
      const bool was = old != before.facts->links.end();
      const bool is = now != after.facts->links.end();
      if (was != is || (is && !(old->second == now->second))) {
        touched.emplace(key);
      }
    }
  }
  return touched;
}

// Hardware that comes is taken to be as new; what goes took everything along, and so did what went
// and came again.
void match_hardware(const commit::Facts& old, const commit::Facts& facts, LinkStates& before,
                    const LinkStates& after) {
  std::erase_if(before, [&](const auto& entry) {
    const LinkState& state = entry.second;
    const std::string& device = state.is_vlan() ? state.parent : state.name;
    const auto was = old.links.find(device);
    const auto is = facts.links.find(device);
    return was == old.links.end() || is == facts.links.end() ||
           was->second.index != is->second.index;
  });
  for (const auto& [name, state] : after) {
    if (!state.is_vlan() && !before.contains(name)) {
      before.emplace(name, unconfigured(facts, name));
    }
  }
}

// A device that was given another name takes along what it had, its VLANs too, and is to give it
// back or to become what the new name says.
void follow_renames(const World& before, const World& after, LinkStates& old_states,
                    LinkStates& new_states) {
  for (const auto& [name, link] : after.facts->links) {
    const auto old = std::ranges::find_if(before.facts->links, [&](const auto& entry) {
      return entry.second.index == link.index && link.index != 0;
    });
    if (old == before.facts->links.end() || old->first == name) {
      continue;
    }
    LinkStates taken_along;
    add_wanted(before, old->first, taken_along);
    for (auto& [device, state] : taken_along) {
      if (state.is_vlan()) {
        state.parent = name;
        old_states.insert_or_assign(device, state);
      } else if (state.managed) {
        state.name = name;
        old_states.insert_or_assign(name, state);
        new_states.emplace(name, unconfigured(*after.facts, name));
      }
    }
  }
}

// --- check ---

void check_hardware(const commit::Facts& facts, std::string_view name, const View& interface,
                    Diagnostics& out) {
  const std::string level = std::format("interfaces {}", name);
  const auto fact = facts.links.find(base::kernel_parent(name));
  if (fact == facts.links.end()) {
    out.warning("interfaces", std::string(name),
                std::format("{} does not exist: takes effect when it appears", name));
    return;
  }
  const auto mtu = interface["mtu"].number();
  const std::int64_t header = interface["vlan-tagging"] ? 18 : 14;
  const std::int64_t low = fact->second.min_mtu;
  const std::int64_t high = fact->second.max_mtu;
  if (mtu && high != 0 && *mtu - header > high) {
    out.error(Code::Constraint, level, std::format("mtu {}", *mtu),
              std::format("{} carries at most {} bytes", name, high + header));
  }
  if (mtu && *mtu - header < low) {
    out.error(Code::Constraint, level, std::format("mtu {}", *mtu),
              std::format("{} carries at least {} bytes", name, low + header));
  }
}

// What no router can have as its own address. Nothing when it can.
std::string_view why_not(const base::InterfaceAddress& address, bool loopback) {
  const base::IpAddress& ip = address.address;
  if (ip.is_unspecified()) {
    return "the unspecified address cannot be that of an interface";
  }
  if (ip.is_multicast()) {
    return "a multicast address cannot be that of an interface";
  }
  if (ip.is_v4_mapped()) {
    return "an IPv4-mapped address cannot be that of an interface";
  }
  if (address.length == 0) {
    return "a prefix length of 0 would make every destination a neighbour";
  }
  if (ip.family() == base::Family::Inet6 || loopback) {
    return {};
  }
  const auto bytes = ip.bytes();
  if (bytes[0] == 127 || bytes[0] == 0 || bytes[0] >= 240) {
    return "a reserved address cannot be that of an interface";
  }
  if (address.length >= 31) {  // RFC 3021: both addresses of a /31 are hosts
    return {};
  }
  if (base::Prefix(ip, address.length).address() == ip) {
    return "the address of the network cannot be that of an interface";
  }
  std::uint32_t value = 0;
  for (const std::uint8_t byte : bytes) {
    value = value << 8 | byte;
  }
  const std::uint32_t host = 0xffffffffU >> address.length;
  return (value & host) == host
             ? "the broadcast address of the network cannot be that of an interface"
             : std::string_view();
}

// The unit of a device, and the facts of the machine.
void check_unit(const World& world, std::string_view interface, std::string_view key,
                const View& unit, std::string_view device, Diagnostics& out) {
  for (const char* const family : {"inet", "inet6"}) {
    const std::string level =
        std::format("interfaces {} unit {} family {}", interface, key, family);
    for (const auto& [text, entry] : unit["family"][family]["address"].entries()) {
      const auto address = base::InterfaceAddress::parse(text);
      const std::string statement = std::format("address {}", text);
      if (const auto why = why_not(*address, interface == "lo0"); !why.empty()) {
        out.error(Code::BadValue, level, statement, std::string(why));
      }
      if (world.facts->foreign_addresses.contains({std::string(device), *address})) {
        out.error(Code::Constraint, level, statement,
                  std::format("{} is on {} already and was not put there by the configuration",
                              text, device));
      }
    }
  }
}

void check_interface(const World& world, std::string_view name, const View& interface,
                     Diagnostics& out) {
  const auto check_alias = [&](std::string level, const View& description) {
    if (description.text().size() > kLongestAlias) {
      out.error(Code::BadValue, std::move(level), "description",
                std::format("the description has {} bytes: the kernel keeps {}",
                            description.text().size(), kLongestAlias));
    }
  };
  check_alias(std::format("interfaces {}", name), interface["description"]);
  const bool tagged = interface["vlan-tagging"].exists();
  for (const auto& [key, unit] : interface["unit"].entries()) {
    check_alias(std::format("interfaces {} unit {}", name, key), unit["description"]);
    unsigned number = 0;
    std::from_chars(key.data(), key.data() + key.size(), number);
    const auto device = base::kernel_name(name, number, tagged);
    if (!device) {
      out.error(device.error().code, std::format("interfaces {}", name),
                std::format("unit {}", key), device.error().message, device.error().hint);
    } else if (tagged && world.facts->links.contains(*device)) {
      out.error(Code::Constraint, std::format("interfaces {}", name), std::format("unit {}", key),
                std::format("its device {} exists already and was not made by the configuration",
                            *device),
                "remove the device or choose another unit");
    }
    check_unit(world, name, key, unit, device.value_or(std::string()), out);
  }
}

class Interfaces final : public commit::Applier {
 public:
  std::string_view name() const override { return "interfaces"; }
  std::vector<std::string> owns() const override { return {"interfaces"}; }

  void check(const World& before, const World& after, const tree::Delta& delta,
             Diagnostics& out) const override {
    for (const std::string& name : touched_interfaces(before, after, delta)) {
      if (const View interface = View(after.tree)["interfaces"].entry(name)) {
        check_hardware(*after.facts, name, interface, out);
        check_interface(after, name, interface, out);
      }
    }
  }

  commit::Plan plan(const World& before, const World& after,
                    const tree::Delta& delta) const override {
    LinkStates old_states;
    LinkStates new_states;
    for (const std::string& name : touched_interfaces(before, after, delta)) {
      add_wanted(before, name, old_states);
      add_wanted(after, name, new_states);
    }
    match_hardware(*before.facts, *after.facts, old_states, new_states);
    if (before.facts->links != after.facts->links) {
      follow_renames(before, after, old_states, new_states);
    }
    return plan_links(old_states, new_states);
  }

  base::Result<commit::Plan> reconcile(const World& wanted, system::System& system) const override {
    LinkStates target = all_wanted(wanted);
    auto actual = read_actual(system.kernel, target);
    if (!actual) {
      return std::unexpected(actual.error());
    }
    // What the configuration does not name goes back to how it came.
    for (const auto& [name, state] : *actual) {
      if (!state.is_vlan() && !target.contains(name) && wanted.facts->links.contains(name)) {
        target.emplace(name, unconfigured(*wanted.facts, name));
      }
    }
    // The facts may be older than the kernel: what vanished since is no error.
    std::erase_if(target, [&](const auto& entry) {
      const LinkState& state = entry.second;
      return !actual->contains(state.is_vlan() ? state.parent : state.name);
    });
    std::erase_if(*actual, [&](const auto& entry) {
      return !entry.second.is_vlan() && !target.contains(entry.first);
    });
    return plan_links(*actual, target);
  }
};

}  // namespace

std::unique_ptr<commit::Applier> make_interfaces() {
  return std::make_unique<Interfaces>();
}

}  // namespace millrace::appliers
