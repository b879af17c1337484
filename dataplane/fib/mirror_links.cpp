// SPDX-License-Identifier: GPL-2.0-or-later
//
// The mirror's links, units, neighbours and settings; routes are in mirror_routes.cpp.
#include <algorithm>
#include <utility>

#include "fib/grace.h"
#include "fib/mirror_state.h"

namespace millrace::fib {
namespace {

constexpr std::uint32_t kMaxMtu = 65535;

}  // namespace

Mirror::Mirror(Memory memory, Hashes& hashes, IsPort is_port)
    : memory_(memory),
      hashes_(hashes),
      is_port_(std::move(is_port)),
      trie_(memory),
      adjacencies_(
          memory.adjacencies, [this](const HopKey& key) { return describe(key); },
          wait_for_programs),
      paths_(memory.groups, adjacencies_) {
  rib_of(kMainTable, Family::Inet, true);
  rib_of(kMainTable, Family::Inet6, true);
}

Mirror::~Mirror() = default;

const Link* Mirror::link(std::uint32_t ifindex) const {
  const auto found = links_.find(ifindex);
  return found == links_.end() ? nullptr : &found->second.link;
}

std::uint32_t Mirror::unit_of(std::uint32_t ifindex) const {
  const auto found = links_.find(ifindex);
  return found == links_.end() ? 0 : found->second.unit;
}

// The port that a device sends through: itself, or what its VLANs stand on.
const Mirror::LinkState* Mirror::port_below(const Link& link) const {
  const Link* at = &link;
  for (int depth = 0; depth < 3; ++depth) {
    const auto state = links_.find(at->ifindex);
    if (state != links_.end() && state->second.port != 0) {
      return &state->second;
    }
    const auto parent = links_.find(at->parent);
    if (at->kind != "vlan" || parent == links_.end()) {
      return nullptr;
    }
    at = &parent->second.link;
  }
  return nullptr;
}

std::optional<std::uint64_t> Mirror::vlan_key(const Link& link) const {
  const LinkState* port = port_below(link);
  const auto parent = links_.find(link.parent);
  if (port == nullptr || link.kind != "vlan" || parent == links_.end()) {
    return std::nullopt;
  }
  const auto tag = [](const Link& vlan) -> std::uint64_t {
    return vlan.vlan | DP_TAG_PRESENT | (vlan.service_vlan ? DP_TAG_SERVICE : 0u);
  };
  const std::uint64_t where = static_cast<std::uint64_t>(port->port) << 32;
  if (parent->second.port != 0) {
    return where | tag(link) << 16;
  }
  return where | tag(parent->second.link) << 16 | tag(link);
}

// How packets to `key` leave, as things are.
dp_hop Mirror::describe(const HopKey& key) const {
  dp_hop hop = {};
  hop.kind = DP_HOP_PASS;
  hop.reason = DP_EGRESS_KERNEL;
  const auto state = links_.find(key.ifindex);
  if (state == links_.end() || state->second.unit == 0 || !state->second.link.running) {
    return hop;
  }
  const Link& link = state->second.link;
  const LinkState* port = port_below(link);
  if (port == nullptr || !port->link.running) {
    return hop;
  }
  const auto neighbour = neighbours_.find({key.ifindex, key.family, key.address});
  if (neighbour == neighbours_.end() || !neighbour->second.neighbour.usable) {
    hop.reason = DP_UNRESOLVED;
    return hop;
  }
  std::ranges::copy(neighbour->second.neighbour.mac.bytes, hop.destination);
  std::ranges::copy(link.mac.bytes, hop.source);
  hop.port = static_cast<std::uint16_t>(port->port);
  hop.unit = static_cast<std::uint16_t>(state->second.unit);
  const std::uint32_t mtu = key.mtu != 0 ? std::min(key.mtu, link.mtu) : link.mtu;
  hop.mtu = static_cast<std::uint16_t>(std::min(mtu, kMaxMtu));
  if (link.kind == "vlan") {
    const Link& parent = links_.at(link.parent).link;
    const bool stacked = parent.kind == "vlan";
    // rewrite.h writes 0x8100, or 0x88a8 and 0x8100
    if (link.service_vlan || (stacked && !parent.service_vlan)) {
      return hop;
    }
    hop.tag_count = stacked ? 2 : 1;
    hop.tags[0] = stacked ? parent.vlan : link.vlan;
    hop.tags[1] = stacked ? link.vlan : std::uint16_t{0};
  }
  hop.kind = DP_HOP_FORWARD;
  hop.reason = DP_FORWARDED;
  return hop;
}

bool Mirror::family_off(Family family) const {
  return std::ranges::any_of(
             rules_,
             [&](const auto& rule) { return rule.first.family == family && !rule.first.stock; }) ||
         std::ranges::any_of(wide_locals_,
                             [&](const auto& wide) { return std::get<0>(wide) == family; });
}

bool Mirror::forwards(Family family, std::uint32_t ifindex) const {
  const auto said = netconf_.find({family, static_cast<std::int32_t>(ifindex)});
  return said != netconf_.end() && said->second.forwarding == 1;
}

int Mirror::rp_filter(std::uint32_t ifindex) const {
  int value = 0;  // the kernel takes the larger of all and the interface's
  for (const std::int32_t which : {-1, static_cast<std::int32_t>(ifindex)}) {
    if (const auto said = netconf_.find({Family::Inet, which}); said != netconf_.end()) {
      value = std::max(value, said->second.rp_filter);
    }
  }
  return value;
}

void Mirror::refresh_unit(LinkState& state) {
  const Link& link = state.link;
  const LinkState* port = port_below(link);
  if (port == nullptr || (link.kind == "vlan" && !vlan_key(link))) {
    remove_unit(state);
    return;
  }
  bool fresh = false;
  if (state.unit == 0) {
    const auto number = unit_numbers_.take();
    if (!number) {
      return;
    }
    state.unit = *number;
    fresh = true;
  }
  std::uint32_t table = kMainTable;
  if (const auto master = links_.find(link.master); master != links_.end()) {
    table = master->second.link.vrf_table != 0 ? master->second.link.vrf_table : table;
  }
  const Rib* rib4 = rib_of(table, Family::Inet, true);
  const Rib* rib6 = rib_of(table, Family::Inet6, true);
  dp_unit wanted = {};
  std::ranges::copy(link.mac.bytes, wanted.address);
  wanted.port = static_cast<std::uint16_t>(port->port);
  wanted.ifindex = link.ifindex;
  wanted.number = state.unit;
  wanted.flags = DP_UNIT_REDIRECTS;
  if (rib4 != nullptr && forwards(Family::Inet, link.ifindex) && !family_off(Family::Inet)) {
    wanted.flags |= DP_UNIT_INET;
    wanted.root4 = static_cast<std::uint16_t>(rib4->root);
  }
  if (rib6 != nullptr && forwards(Family::Inet6, link.ifindex) && !family_off(Family::Inet6)) {
    wanted.flags |= DP_UNIT_INET6;
    wanted.root6 = static_cast<std::uint16_t>(rib6->root);
  }
  if (const int filter = rp_filter(link.ifindex); filter != 0) {
    wanted.flags |= filter == 1 ? DP_UNIT_RPF_STRICT : DP_UNIT_RPF_LOOSE;
  }
  dp_unit& unit = memory_.units[state.unit];
  if (std::memcmp(&unit, &wanted, sizeof unit) != 0) {
    if (!fresh && unit.flags != 0) {
      publish(unit.flags, 0);  // both families off while the record is neither old nor new
      wait_for_programs();
    }
    const std::uint32_t flags = wanted.flags;
    wanted.flags = 0;
    unit = wanted;
    publish(unit.flags, flags);
    changed_ = true;
  }
  if (state.port != 0) {
    memory_.ports[state.port].unit = static_cast<std::uint16_t>(state.unit);
  } else if (const auto key = vlan_key(link); key && key != state.vlan_key) {
    if (state.vlan_key) {
      hashes_.erase_vlan(*state.vlan_key);
    }
    hashes_.set_vlan(*key, state.unit);
    state.vlan_key = key;
  }
}

void Mirror::remove_unit(LinkState& state) {
  if (state.unit == 0) {
    return;
  }
  publish(memory_.units[state.unit].flags, 0);
  if (state.vlan_key) {
    hashes_.erase_vlan(*state.vlan_key);
    state.vlan_key.reset();
  }
  unit_numbers_.retire(state.unit);
  state.unit = 0;
  changed_ = true;
}

void Mirror::refresh_units() {
  for (auto& [ifindex, state] : links_) {
    refresh_unit(state);
  }
}

// Ports come before the VLANs on them; a device that becomes or ceases to be a port takes them
// along.
void Mirror::refresh_link(LinkState& state) {
  const Link& link = state.link;
  const auto master = links_.find(link.master);
  const bool enslaved =
      link.master != 0 && (master == links_.end() || master->second.link.vrf_table == 0);
  const bool wanted = link.ethernet && link.ifindex < DP_IFINDEXES && !enslaved && is_port_(link);
  if (wanted && state.port == 0) {
    if (const auto number = port_numbers_.take()) {
      state.port = *number;
      memory_.ports[*number] = {};
      memory_.ports[*number].ifindex = link.ifindex;
      publish(word_at(memory_.port_of, link.ifindex), *number);
    }
  } else if (!wanted && state.port != 0) {
    publish(word_at(memory_.port_of, link.ifindex), 0);
    memory_.ports[state.port].flags = 0;
    publish(memory_.ports[state.port].egress, DP_TIER_KERNEL);
    port_numbers_.retire(state.port);
    state.port = 0;
    changed_ = true;
  }
  refresh_unit(state);
  adjacencies_.refresh(link.ifindex);
  for (auto& [ifindex, other] : links_) {
    if (other.link.kind == "vlan" && other.link.parent == link.ifindex) {
      refresh_link(other);
    }
  }
}

void Mirror::on_link(Change change, const Link& link) {
  if (change == Change::Removed) {
    remove_link(link.ifindex);
    return;
  }
  LinkState& state = links_[link.ifindex];
  const bool went_down = state.link.admin_up && !link.admin_up;
  const bool same = state.epoch != 0 && state.link == link;
  state.epoch = epoch_;
  if (same) {
    return;
  }
  state.link = link;
  changed_ = true;
  ++link_changes_;
  refresh_link(state);
  for (auto& [ifindex, other] : links_) {
    if (other.link.master == link.ifindex) {
      refresh_unit(other);
    }
  }
  if (went_down) {
    forget_routes_through(link.ifindex);
  }
}

void Mirror::remove_link(std::uint32_t ifindex) {
  const auto found = links_.find(ifindex);
  if (found == links_.end()) {
    return;
  }
  LinkState& state = found->second;
  state.link.ethernet = false;  // no port any more
  state.link.kind = "";
  state.link.running = false;
  refresh_link(state);
  links_.erase(found);
  adjacencies_.refresh(ifindex);
  forget_routes_through(ifindex);
  changed_ = true;
  ++link_changes_;
}

void Mirror::review_links() {
  for (auto& [ifindex, state] : links_) {
    refresh_link(state);
  }
}

std::vector<Mirror::Port> Mirror::ports() const {
  std::vector<Port> ports;
  for (const auto& [ifindex, state] : links_) {
    if (state.port != 0) {
      ports.push_back({state.port, state.link});
    }
  }
  return ports;
}

std::vector<Link> Mirror::vlans_of(std::uint32_t ifindex) const {
  std::vector<Link> vlans;
  for (const auto& [index, state] : links_) {
    if (state.unit != 0 && state.link.kind == "vlan") {
      const LinkState* port = port_below(state.link);
      if (port != nullptr && port->link.ifindex == ifindex) {
        vlans.push_back(state.link);
      }
    }
  }
  return vlans;
}

void Mirror::on_address(Change change, const Address& address) {
  if (change == Change::Set) {
    const auto [place, fresh] = addresses_.try_emplace(address, epoch_);
    place->second = epoch_;
    if (!fresh) {
      return;
    }
  } else {
    if (addresses_.erase(address) == 0) {
      return;
    }
    wants_resync_ = wants_resync_ || address.family == Family::Inet;
  }
  write_own_sources();
}

void Mirror::write_own_sources() {
  std::vector<std::uint32_t> words(DP_SOURCE_BITS / 32);
  const auto number = [](const Key& key, unsigned from, unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) {
      value = value << 8 | key[from + i];
    }
    return value;
  };
  for (const auto& [address, epoch] : addresses_) {
    const std::uint32_t bit =
        address.family == Family::Inet
            ? DP_SOURCE_HASH4(static_cast<std::uint32_t>(number(address.address, 0, 4)))
            : DP_SOURCE_HASH6(number(address.address, 0, 8), number(address.address, 8, 8));
    words[bit / 32] |= 1u << bit % 32;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    publish(word_at(memory_.own_sources, i), words[i]);
  }
}

// An adjacency and the entry that leads from the destination to it. The adjacency is written anew
// first: what has become unusable passes from that moment on.
void Mirror::hang_neighbour(NeighbourState& state) {
  const Neighbour& neighbour = state.neighbour;
  adjacencies_.refresh(neighbour.ifindex, neighbour.family, neighbour.address);
  if (neighbour.usable && state.adjacency == 0) {
    state.adjacency =
        adjacencies_.take({neighbour.ifindex, neighbour.family, neighbour.address, 0});
    dp_neighbour key = {{}, neighbour.ifindex};
    std::ranges::copy(neighbour.address, key.address);
    neighbours_overflowed_ = state.adjacency == 0 || !hashes_.set_neighbour(key, state.adjacency) ||
                             neighbours_overflowed_;
  } else if (!neighbour.usable && state.adjacency != 0) {
    drop_neighbour(state);
  }
  changed_ = true;
}

void Mirror::drop_neighbour(NeighbourState& state) {
  if (state.adjacency != 0) {
    dp_neighbour key = {{}, state.neighbour.ifindex};
    std::ranges::copy(state.neighbour.address, key.address);
    hashes_.erase_neighbour(key);
    adjacencies_.release(state.adjacency);
    state.adjacency = 0;
    changed_ = true;
  }
}

void Mirror::on_neighbour(Change change, const Neighbour& neighbour) {
  const std::tuple key(neighbour.ifindex, neighbour.family, neighbour.address);
  if (change == Change::Removed) {
    if (const auto found = neighbours_.find(key); found != neighbours_.end()) {
      found->second.neighbour.usable = false;
      hang_neighbour(found->second);
      neighbours_.erase(found);
    }
    return;
  }
  NeighbourState& state = neighbours_[key];
  const bool same = state.epoch != 0 && state.neighbour.usable == neighbour.usable &&
                    state.neighbour.mac == neighbour.mac;
  state.neighbour = neighbour;
  state.epoch = epoch_;
  if (!same) {
    hang_neighbour(state);
  }
  if (neighbour.usable && neighbour.stale && unit_of(neighbour.ifindex) != 0) {
    stale_.push_back(neighbour);
  }
}

std::vector<Neighbour> Mirror::take_stale() {
  return std::exchange(stale_, {});
}

void Mirror::on_rule(Change change, const Rule& rule) {
  if (change == Change::Set) {
    rules_[rule] = epoch_;
  } else {
    rules_.erase(rule);
  }
  refresh_units();
}

void Mirror::on_netconf(const Netconf& netconf) {
  Netconf& known = netconf_[{netconf.family, netconf.ifindex}];
  const Netconf before = known;
  known.forwarding = netconf.forwarding >= 0 ? netconf.forwarding : known.forwarding;
  known.rp_filter = netconf.rp_filter >= 0 ? netconf.rp_filter : known.rp_filter;
  if (before.forwarding != known.forwarding || before.rp_filter != known.rp_filter) {
    if (netconf.ifindex < 0) {
      refresh_units();
    } else if (const auto link = links_.find(static_cast<std::uint32_t>(netconf.ifindex));
               link != links_.end()) {
      refresh_unit(link->second);
    }
  }
}

}  // namespace millrace::fib
