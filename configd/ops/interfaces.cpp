// SPDX-License-Identifier: GPL-2.0-or-later
//
// `show interfaces`: what the kernel has, named as the configuration names it. Units come from both
// sides: the ones that the running configuration names, and devices or addresses that are there
// without it, so that a foreign address is seen rather than hidden.
#include <algorithm>
#include <cstdlib>
#include <map>

#include "base/glob.h"
#include "ops/builtins.h"
#include "ops/layout.h"
#include "tree/view.h"

namespace millrace::ops {
namespace {

using base::Result;
using nlohmann::json;

struct Unit {
  std::string name;  // "eth0.0"
  std::string description;
  const system::Link* link = nullptr;
  std::map<std::string, std::vector<std::string>> families;  // "inet" → addresses
};

struct Physical {
  std::string name;
  std::string description;
  const system::Link* link = nullptr;
  std::vector<Unit> units;
};

struct Snapshot {
  std::vector<system::Link> links;
  std::vector<system::LinkAddress> addresses;
  std::vector<Physical> interfaces;
};

std::string_view family_name(const base::IpAddress& address) {
  return address.family() == base::Family::Inet ? "inet" : "inet6";
}

// The kernel's own loopback addresses are on every router and say nothing.
bool is_built_in(const system::LinkAddress& address) {
  static const auto loopback = base::IpAddress::parse("::1");
  const auto& value = address.address.address;
  return address.link == "lo" &&
         ((value.family() == base::Family::Inet && value.bytes()[0] == 127) ||
          (loopback && value == *loopback));
}

bool is_unit_device(const system::Link& link) {
  return link.kind == "vlan" && !link.parent.empty();
}

void add_family(Unit& unit, const tree::View& configured, std::string_view family) {
  if (configured.schema().child("family") && configured["family"].schema().child(family) &&
      configured["family"][family].exists()) {
    unit.families.try_emplace(std::string(family));
  }
}

std::string text_of(const tree::View& view, std::string_view leaf) {
  return view.exists() && view.schema().child(leaf) ? view[leaf].text() : std::string();
}

Unit make_unit(const Snapshot& snapshot, const system::Link& link, const tree::View& configured) {
  Unit unit;
  unit.name = logical_name(link.name);
  unit.link = &link;
  if (configured.exists()) {
    unit.description = text_of(configured, "description");
    add_family(unit, configured, "inet");
    add_family(unit, configured, "inet6");
  }
  for (const auto& address : snapshot.addresses) {
    if (address.link == link.name && !is_built_in(address)) {
      unit.families[std::string(family_name(address.address.address))].push_back(
          address.address.to_string());
    }
  }
  return unit;
}

void add_units(Physical& physical, const Snapshot& snapshot, const tree::View& interface) {
  const auto configured_unit = [&](std::string_view number) {
    return interface.exists() && interface.schema().child("unit")
               ? std::optional(interface["unit"].entry(number))
               : std::nullopt;
  };
  std::map<unsigned, Unit> units;
  const auto zero = configured_unit("0");
  const bool tagged = interface.exists() && interface.schema().child("vlan-tagging") &&
                      interface["vlan-tagging"].exists();
  const bool has_address = std::ranges::any_of(snapshot.addresses, [&](const auto& address) {
    return address.link == physical.link->name && !is_built_in(address);
  });
  if ((zero && zero->exists() && !tagged) || has_address) {
    units.emplace(0, make_unit(snapshot, *physical.link, zero ? *zero : interface));
  }
  for (const auto& link : snapshot.links) {
    if (!is_unit_device(link) || link.parent != physical.link->name) {
      continue;
    }
    const auto dot = link.name.rfind('.');
    const std::string number = dot == std::string::npos ? "" : link.name.substr(dot + 1);
    const auto view = configured_unit(number);
    const auto order = static_cast<unsigned>(std::strtoul(number.c_str(), nullptr, 10));
    units.insert_or_assign(order, make_unit(snapshot, link, view ? *view : interface));
  }
  for (auto& [number, unit] : units) {
    physical.units.push_back(std::move(unit));
  }
}

// `wanted` is a name or a pattern of names.
bool is_meant(const std::string& wanted, std::string_view name) {
  return wanted == name || (base::is_glob(wanted) && base::glob_matches(wanted, name));
}

Result<std::unique_ptr<Snapshot>> take_snapshot(Context& context, const std::string* only) {
  auto snapshot = std::make_unique<Snapshot>();
  auto links = context.system.kernel.links();
  if (!links) {
    return std::unexpected(std::move(links.error()));
  }
  auto addresses = context.system.kernel.addresses();
  if (!addresses) {
    return std::unexpected(std::move(addresses.error()));
  }
  snapshot->links = std::move(*links);
  snapshot->addresses = std::move(*addresses);
  std::ranges::sort(snapshot->links, [](const auto& left, const auto& right) {
    return schema::natural_less(interface_name(left.name), interface_name(right.name));
  });
  const tree::ConfigTree running = context.engine.running();
  const bool known = running.schema().root().child("interfaces") != nullptr;
  for (const auto& link : snapshot->links) {
    if (is_unit_device(link)) {
      continue;
    }
    Physical physical;
    physical.name = interface_name(link.name);
    physical.link = &link;
    const tree::View root(running);
    const tree::View interface = known ? root["interfaces"].entry(physical.name) : root;
    physical.description = known ? text_of(interface, "description") : std::string();
    add_units(physical, *snapshot, interface);
    if (!only || is_meant(*only, physical.name)) {
      snapshot->interfaces.push_back(std::move(physical));
      continue;
    }
    std::erase_if(physical.units, [&](const Unit& unit) { return !is_meant(*only, unit.name); });
    if (!physical.units.empty()) {
      snapshot->interfaces.push_back(std::move(physical));
    }
  }
  if (only && snapshot->interfaces.empty()) {
    return base::fail(base::Code::UnknownPath, "device " + *only + " not found");
  }
  return snapshot;
}

std::string_view admin(const system::Link& link) {
  return link.admin_up ? "up" : "down";
}
std::string_view state(const system::Link& link) {
  return link.admin_up && link.running ? "up" : "down";
}

// The configuration's mtu counts the Ethernet header, the kernel's does not.
std::uint32_t frame_size(const system::Link& link) {
  constexpr std::uint32_t kEthernetHeader = 14;
  return link.name == "lo" ? link.mtu : link.mtu + kEthernetHeader;
}

json to_json(const Snapshot& snapshot) {
  json list = json::array();
  for (const auto& physical : snapshot.interfaces) {
    json units = json::array();
    for (const auto& unit : physical.units) {
      json families = json::array();
      for (const auto& [family, addresses] : unit.families) {
        families.push_back({{"name", family}, {"addresses", addresses}});
      }
      units.push_back({{"name", unit.name},
                       {"description", unit.description},
                       {"admin", admin(*unit.link)},
                       {"link", state(*unit.link)},
                       {"mtu", unit.link->mtu},
                       {"vlan-id", unit.link->vlan_id},
                       {"families", std::move(families)}});
    }
    list.push_back({{"name", physical.name},
                    {"description", physical.description},
                    {"admin", admin(*physical.link)},
                    {"link", state(*physical.link)},
                    {"mtu", frame_size(*physical.link)},
                    {"mac", physical.link->mac.to_string()},
                    {"index", physical.link->index},
                    {"units", std::move(units)}});
  }
  return {{"interfaces", std::move(list)}};
}

void terse_unit(std::string& out, const Unit& unit) {
  const auto lead = [&](bool first) { return first ? std::string_view(unit.name) : ""; };
  bool first = true;
  for (const auto& [family, addresses] : unit.families) {
    std::string_view shown = family;
    for (std::size_t index = 0; index < std::max<std::size_t>(addresses.size(), 1); ++index) {
      const std::string address = addresses.empty() ? "" : addresses[index];
      const bool host = unit.link->name == "lo" && address.ends_with("/32");
      const std::string local = host ? address.substr(0, address.size() - 3) : address;
      out += row({{0, lead(first)},
                  {24, first ? admin(*unit.link) : ""},
                  {30, first ? state(*unit.link) : ""},
                  {35, shown},
                  {44, local},
                  {66, host ? "--> 0/0" : ""}});
      first = false;
      shown = "";
    }
  }
  if (first) {
    out += row({{0, unit.name}, {24, admin(*unit.link)}, {30, state(*unit.link)}});
  }
}

std::string to_terse(const Snapshot& snapshot) {
  std::string out = row({{0, "Interface"},
                         {24, "Admin"},
                         {30, "Link"},
                         {35, "Proto"},
                         {44, "Local"},
                         {66, "Remote"}});
  for (const auto& physical : snapshot.interfaces) {
    out += row({{0, physical.name}, {24, admin(*physical.link)}, {30, state(*physical.link)}});
    for (const auto& unit : physical.units) {
      terse_unit(out, unit);
    }
  }
  return out;
}

void long_unit(std::string& out, const Unit& unit) {
  out +=
      "\n  Logical interface " + unit.name + " (Index " + std::to_string(unit.link->index) + ")\n";
  if (!unit.description.empty()) {
    out += "    Description: " + unit.description + "\n";
  }
  out += std::string("    Flags: ") + (unit.link->admin_up ? "Up" : "Down");
  if (unit.link->vlan_id != 0) {
    out += " VLAN-Tag [ 0x8100." + std::to_string(unit.link->vlan_id) + " ]";
  }
  out += '\n';
  for (const auto& [family, addresses] : unit.families) {
    out += "    Protocol " + family + ", MTU: " + std::to_string(unit.link->mtu) + "\n";
    for (const auto& address : addresses) {
      out += "      Addresses\n";
      const auto parsed = base::InterfaceAddress::parse(address);
      if (parsed && parsed->length < base::bits(parsed->address.family())) {
        out += "        Destination: " + base::Prefix(parsed->address, parsed->length).to_string() +
               ", Local: " + parsed->address.to_string() + "\n";
      } else {
        out += "        Local: " + address.substr(0, address.find('/')) + "\n";
      }
    }
  }
}

std::string to_long(const Snapshot& snapshot) {
  std::string out;
  for (const auto& physical : snapshot.interfaces) {
    const auto& link = *physical.link;
    out += out.empty() ? "" : "\n";
    out += "Physical interface: " + physical.name + ", " +
           (link.admin_up ? "Enabled" : "Administratively down") + ", Physical link is " +
           (link.running ? "Up" : "Down") + "\n";
    out += "  Interface index: " + std::to_string(link.index) + "\n";
    if (!physical.description.empty()) {
      out += "  Description: " + physical.description + "\n";
    }
    out += link.name == "lo"
               ? std::string("  Link-level type: Loopback, MTU: Unlimited\n")
               : "  Link-level type: Ethernet, MTU: " + std::to_string(frame_size(link)) + "\n";
    if (link.name != "lo") {
      out += "  Current address: " + link.mac.to_string() + "\n";
    }
    for (const auto& unit : physical.units) {
      long_unit(out, unit);
    }
  }
  return out;
}

Result<Reply> show(const Match& match, Context& context, std::string (*text)(const Snapshot&)) {
  const auto snapshot = take_snapshot(context, match.argument("interface"));
  if (!snapshot) {
    return std::unexpected(snapshot.error());
  }
  return Reply{text(**snapshot), to_json(**snapshot)};
}

}  // namespace

Result<Reply> interfaces_terse(const Match& match, Context& context) {
  return show(match, context, to_terse);
}

Result<Reply> interfaces(const Match& match, Context& context) {
  return show(match, context, to_long);
}

}  // namespace millrace::ops
