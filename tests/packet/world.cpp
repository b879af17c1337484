// SPDX-License-Identifier: GPL-2.0-or-later
#include "packet/world.h"

#include <cstring>
#include <map>

#include "base/address.h"
#include "bpf/access.h"

namespace millrace::packet {
namespace {

constexpr std::uint32_t kRoot4 = 0;
constexpr std::uint32_t kRoot6 = 1;

fib::Key key_of(const base::IpAddress& address) {
  fib::Key key = {};
  std::ranges::copy(address.bytes(), key.begin());
  return key;
}

void add_unit(fib::Memory& memory, std::uint32_t number, std::uint16_t port,
              std::uint32_t flags = 0) {
  dp_unit& unit = memory.units[number];
  unit.address[0] = 2;
  unit.address[5] = static_cast<std::uint8_t>(port);
  unit.port = port;
  unit.ifindex = number < 3 ? port : 100 + number;
  unit.root4 = kRoot4;
  unit.root6 = kRoot6;
  unit.number = number;
  unit.flags = DP_UNIT_INET | DP_UNIT_INET6 | DP_UNIT_REDIRECTS | flags;
}

struct Hop {
  std::uint16_t unit;
  std::uint8_t last;  // of the next hop's Ethernet address
  std::uint16_t mtu = 1500;
  std::vector<std::uint16_t> tags = {};
};

void add_adjacency(fib::Memory& memory, std::uint32_t index, const Hop& hop) {
  dp_hop& half = memory.adjacencies[index].half[0];
  const std::uint8_t destination[6] = {2, 0, 0, 0, 1, hop.last};
  std::memcpy(half.destination, destination, 6);
  std::memcpy(half.source, memory.units[hop.unit].address, 6);
  half.unit = hop.unit;
  half.port = memory.units[hop.unit].port;
  half.mtu = hop.mtu;
  half.kind = DP_HOP_FORWARD;
  half.tag_count = static_cast<std::uint8_t>(hop.tags.size());
  std::ranges::copy(hop.tags, half.tags);
}

void add_neighbour(fib::Hashes& hashes, std::string_view address, std::uint32_t adjacency) {
  dp_neighbour key = {};
  std::ranges::copy(key_of(*base::IpAddress::parse(address)), key.address);
  key.ifindex = kPortTwo;
  hashes.set_neighbour(key, adjacency);
}

std::uint64_t vlan_key(std::uint32_t port, unsigned outer, unsigned inner = 0) {
  const std::uint64_t service = inner != 0 ? DP_TAG_SERVICE : 0;
  return static_cast<std::uint64_t>(port) << 32 | (outer | DP_TAG_PRESENT | service) << 16 |
         (inner != 0 ? inner | DP_TAG_PRESENT : 0);
}

}  // namespace

void build_world(fib::Memory memory, fib::Hashes& hashes) {
  for (const std::uint32_t port : {kPortOne, kPortTwo}) {
    memory.ports[port] = {};
    memory.ports[port].ifindex = port;
    memory.ports[port].egress = DP_TIER_XDP;
    memory.ports[port].unit = static_cast<std::uint16_t>(port);
    memory.ports[port].flags = DP_PORT_ON;
    fib::word_at(memory.port_of, port) = port;
  }
  memory.ports[kPortOne].flags |= DP_PORT_UNFINISHED;
  add_unit(memory, 1, 1);
  add_unit(memory, 2, 2);
  add_unit(memory, 3, 1);
  add_unit(memory, 4, 1);
  add_unit(memory, 5, 2);
  add_unit(memory, 6, 1, DP_UNIT_RPF_STRICT);
  add_unit(memory, 7, 2);
  hashes.set_vlan(vlan_key(1, 100), 3);
  hashes.set_vlan(vlan_key(1, 200, 30), 4);
  hashes.set_vlan(vlan_key(1, 101), 6);

  add_adjacency(memory, 1, {.unit = 2, .last = 1});
  add_adjacency(memory, 2, {.unit = 5, .last = 2, .tags = {300}});
  add_adjacency(memory, 3, {.unit = 7, .last = 3, .tags = {400, 40}});
  add_adjacency(memory, 4, {.unit = 2, .last = 9});
  add_adjacency(memory, 6, {.unit = 1, .last = 6});
  add_adjacency(memory, 7, {.unit = 2, .last = 7, .mtu = 1400});
  memory.adjacencies[5].half[0].kind = DP_HOP_PASS;
  memory.adjacencies[5].half[0].reason = DP_UNRESOLVED;
  for (unsigned bucket = 0; bucket < DP_BUCKETS; ++bucket) {
    memory.groups[0].bucket[bucket] = 1 + bucket % 2;
  }
  add_neighbour(hashes, "10.5.0.9", 4);
  add_neighbour(hashes, "2001:db8:5::9", 4);

  fib::Trie trie(memory);
  const std::pair<const char*, std::uint32_t> routes[] = {
      {"10.1.0.0/24", DP_MAKE_LEAF(DP_KIND_ADJACENCY, 1)},
      {"10.2.0.0/24", DP_MAKE_LEAF(DP_KIND_GROUP, 0)},
      {"10.3.0.0/24", DP_MAKE_LEAF(DP_KIND_ADJACENCY, 2)},
      {"10.4.0.0/24", DP_MAKE_LEAF(DP_KIND_ADJACENCY, 3)},
      {"10.5.0.0/24", DP_MAKE_LEAF(DP_KIND_CONNECTED, kPortTwo)},
      {"10.6.0.0/24", DP_MAKE_LEAF(DP_KIND_DISCARD, 0)},
      {"10.7.0.0/24", DP_MAKE_LEAF(DP_KIND_PASS, DP_REJECT_ROUTE)},
      {"10.8.0.0/24", DP_MAKE_LEAF(DP_KIND_ADJACENCY, 5)},
      {"10.9.0.0/24", DP_MAKE_LEAF(DP_KIND_ADJACENCY, 6)},
      {"10.10.0.0/24", DP_MAKE_LEAF(DP_KIND_ADJACENCY, 7)},
      {"192.0.2.1/32", DP_MAKE_LEAF(DP_KIND_PASS, DP_LOCAL)},
      {"2001:db8:1::/48", DP_MAKE_LEAF(DP_KIND_ADJACENCY, 1)},
      {"2001:db8:3::/48", DP_MAKE_LEAF(DP_KIND_ADJACENCY, 2)},
      {"2001:db8:5::/48", DP_MAKE_LEAF(DP_KIND_CONNECTED, kPortTwo)},
      {"2001:db8:9::/48", DP_MAKE_LEAF(DP_KIND_ADJACENCY, 6)},
      {"2001:db8::1/128", DP_MAKE_LEAF(DP_KIND_PASS, DP_LOCAL)},
      {"198.51.100.0/24", DP_MAKE_LEAF(DP_KIND_ADJACENCY, 6)},
  };
  for (const auto& [text, leaf] : routes) {
    const auto prefix = *base::Prefix::parse(text);
    trie.set(prefix.family() == base::Family::Inet ? kRoot4 : kRoot6, key_of(prefix.address()),
             prefix.length(), leaf);
  }
  trie.publish();
  const std::uint32_t own = DP_SOURCE_HASH4(0xc0000201u);
  fib::word_at(memory.own_sources, own / 32) |= 1u << own % 32;
}

UserWorld::UserWorld() : tables_({.roots = 2, .nodes = 256, .adjacencies = 16, .groups = 4}) {
  build_world(memory(), tables_);
}

fib::Memory UserWorld::memory() {
  return tables_.memory();
}

}  // namespace millrace::packet
