// SPDX-License-Identifier: GPL-2.0-or-later
//
// The mirror told by hand, and what packets find in its tables: the decision of the packet path
// itself.
#include "fib/mirror.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <ranges>

#include "bpf/decide.h"
#include "support/fib_tables.h"

namespace millrace::fib {
namespace {

constexpr std::uint32_t kMain = 254;
constexpr std::uint32_t kLocal = 255;

Key key_of(const char* text) {
  Key key = {};
  const auto address = base::IpAddress::parse(text);
  std::ranges::copy(address->bytes(), key.begin());
  return key;
}

base::MacAddress mac(std::uint8_t last) {
  return {{2, 0, 0, 0, 0, last}};
}

class MirrorTest : public testing::Test, protected test::FibTables {
 protected:
  explicit MirrorTest(std::size_t node_count = 512)
      : FibTables({.roots = 4, .nodes = node_count, .adjacencies = 256, .groups = 16}),
        mirror(std::make_unique<Mirror>(
            memory(), static_cast<Hashes&>(*this),
            [](const Link& link) { return link.kind.empty() && link.name.starts_with("eth"); })) {}

  // Two ports with forwarding, 198.51.100.1/24 on the first and 10.0.0.1/24 on the second.
  void SetUp() override { tell_links(); }

  void tell_links() {
    link(1, "eth0");
    link(2, "eth1");
    for (const Family family : {Family::Inet, Family::Inet6}) {
      for (const int ifindex : {1, 2, 3, 4}) {
        mirror->on_netconf({family, ifindex, 1, 0});
      }
    }
    for (const char* own : {"198.51.100.1", "10.0.0.1"}) {
      mirror->on_address(Change::Set, {1, Family::Inet, key_of(own)});
      route(Change::Set, own, 32, {.table = kLocal, .type = RouteType::Local});
    }
    route(Change::Set, "198.51.100.0", 24, {}, {{.ifindex = 1}});
    route(Change::Set, "10.0.0.0", 24, {}, {{.ifindex = 2}});
    mirror->commit();
    ports[1].flags = DP_PORT_ON;
  }

  static Link make_link(std::uint32_t ifindex, const std::string& name) {
    Link link;
    link.ifindex = ifindex;
    link.name = name;
    link.mac = mac(static_cast<std::uint8_t>(ifindex));
    link.mtu = 1500;
    link.admin_up = link.running = link.ethernet = true;
    return link;
  }
  void link(std::uint32_t ifindex, const std::string& name) {
    mirror->on_link(Change::Set, make_link(ifindex, name));
  }
  void neighbour(const char* address, std::uint8_t last, bool usable = true,
                 std::uint32_t ifindex = 2) {
    mirror->on_neighbour(
        Change::Set,
        {.ifindex = ifindex,
         .family = std::string_view(address).contains(':') ? Family::Inet6 : Family::Inet,
         .address = key_of(address),
         .mac = mac(last),
         .usable = usable});
  }
  static Hop via(const char* gateway, std::uint32_t ifindex = 2) {
    const Family family = std::string_view(gateway).contains(':') ? Family::Inet6 : Family::Inet;
    return {.ifindex = ifindex, .family = family, .gateway = key_of(gateway)};
  }
  void route(Change change, const char* prefix, unsigned length, Route rest,
             std::vector<Hop> hops = {}) {
    rest.family = std::string_view(prefix).contains(':') ? Family::Inet6 : Family::Inet;
    rest.table = rest.table != 0 ? rest.table : kMain;
    rest.prefix = key_of(prefix);
    rest.length = static_cast<std::uint8_t>(length);
    rest.hops = std::move(hops);
    mirror->on_route(change, rest);
  }

  struct Way {
    std::uint32_t reason;
    int last = -1;  // of the next hop's address
    bool operator==(const Way&) const = default;
  };
  // Where a packet goes that comes in on eth0.
  Way way(const char* to, std::uint16_t source_port = 1000) {
    const auto address = *base::IpAddress::parse(to);
    const bool inet = address.family() == Family::Inet;
    std::vector<__u8> frame(14 + (inet ? 20u : 40u) + 20);
    frame[0] = 2;
    frame[5] = 1;
    frame[6] = 2;
    dp_put16(&frame[12], inet ? 0x0800 : 0x86dd);
    __u8* ip = &frame[14];
    if (inet) {
      ip[0] = 0x45;
      ip[3] = 40;
      ip[8] = 64;
      ip[9] = DP_UDP;
      std::ranges::copy(key_of("198.51.100.7") | std::views::take(4), ip + 12);
      std::ranges::copy(address.bytes(), ip + 16);
      DP_STORE(16, ip + 10, static_cast<__u16>(~dp_fold(dp_sum(ip, 5))));
      dp_put16(ip + 20, source_port);
    } else {
      ip[0] = 0x60;
      ip[5] = 20;
      ip[6] = DP_UDP;
      ip[7] = 64;
      std::ranges::copy(key_of("2001:db8:ff::7"), ip + 8);
      std::ranges::copy(address.bytes(), ip + 24);
      dp_put16(ip + 40, source_port);
    }
    dp_frame in = {};
    in.data = frame.data();
    in.end = frame.data() + frame.size();
    in.length = static_cast<__u32>(frame.size());
    dp_verdict verdict = {};
    dp_decide(&in, 1, &verdict);
    return {verdict.reason, verdict.reason == DP_FORWARDED ? verdict.hop->destination[5] : -1};
  }
  Way now(const char* to) {
    mirror->commit();
    return way(to);
  }

  static Way by(int last) { return {DP_FORWARDED, last}; }
  static Way pass(dp_reason reason) { return {static_cast<std::uint32_t>(reason)}; }

  std::unique_ptr<Mirror> mirror;
};

TEST_F(MirrorTest, A_next_hop_forwards_once_its_neighbour_is_known) {
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.0.0.9")});
  EXPECT_EQ(now("203.0.113.1"), pass(DP_UNRESOLVED));
  neighbour("10.0.0.9", 9);
  EXPECT_EQ(now("203.0.113.1"), by(9));
  EXPECT_EQ(now("10.0.0.9"), by(9)) << "the neighbour itself";
  EXPECT_EQ(now("10.0.0.10"), pass(DP_UNRESOLVED));
  neighbour("10.0.0.9", 0, false);
  EXPECT_EQ(now("203.0.113.1"), pass(DP_UNRESOLVED));
}

TEST_F(MirrorTest, Another_address_of_a_neighbour_costs_no_route) {
  neighbour("10.0.0.9", 9);
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.0.0.9")});
  EXPECT_EQ(now("203.0.113.1"), by(9));
  const auto before = mirror->summary().trie;
  const std::uint32_t index = mirror->adjacencies().by_key().begin()->second;
  const dp_adjacency old = adjacencies[index];
  neighbour("10.0.0.9", 10);
  EXPECT_EQ(way("203.0.113.1"), by(10)) << "at once, without a commit";
  EXPECT_EQ(
      std::memcmp(&old.half[old.active], &adjacencies[index].half[old.active], sizeof(dp_hop)), 0)
      << "the half that a program may be reading was written to";
  EXPECT_EQ(mirror->summary().trie.nodes, before.nodes);
}

TEST_F(MirrorTest, The_lowest_metric_counts_and_the_next_takes_over) {
  neighbour("10.0.0.8", 8);
  neighbour("10.0.0.9", 9);
  route(Change::Set, "203.0.113.0", 24, {.metric = 20}, {via("10.0.0.9")});
  route(Change::Set, "203.0.113.0", 24, {.metric = 10}, {via("10.0.0.8")});
  EXPECT_EQ(now("203.0.113.1"), by(8));
  route(Change::Removed, "203.0.113.0", 24, {.metric = 10}, {via("10.0.0.8")});
  EXPECT_EQ(now("203.0.113.1"), by(9));
}

TEST_F(MirrorTest, Routes_that_only_the_kernel_can_choose_between_are_its) {
  neighbour("10.0.0.8", 8);
  neighbour("10.0.0.9", 9);
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.0.0.9")});
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.0.0.8")});  // `ip route append`
  EXPECT_EQ(now("203.0.113.1"), pass(DP_SLOW_ROUTE));
  route(Change::Set, "203.0.113.0", 24, {.replaces = true}, {via("10.0.0.8")});
  EXPECT_EQ(now("203.0.113.1"), by(8));
  route(Change::Set, "203.0.113.0", 24, {.tos = 16}, {via("10.0.0.9")});
  EXPECT_EQ(now("203.0.113.1"), pass(DP_SLOW_ROUTE));
}

TEST_F(MirrorTest, Verdicts_without_a_next_hop) {
  route(Change::Set, "203.0.113.0", 25, {.type = RouteType::Discard});
  route(Change::Set, "203.0.113.128", 25, {.type = RouteType::Reject});
  EXPECT_EQ(now("203.0.113.1"), pass(DP_DISCARD_ROUTE));
  EXPECT_EQ(now("203.0.113.129"), pass(DP_REJECT_ROUTE));
  EXPECT_EQ(now("10.0.0.1"), pass(DP_LOCAL));
  EXPECT_EQ(now("8.8.8.8"), pass(DP_NO_ROUTE));
}

TEST_F(MirrorTest, Multipath_spreads_by_weight) {
  neighbour("10.0.0.8", 8);
  neighbour("10.0.0.9", 9);
  Hop heavy = via("10.0.0.9");
  heavy.weight = 3;
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.0.0.8"), heavy});
  mirror->commit();
  std::map<int, int> seen;
  for (std::uint16_t port = 0; port < 2000; ++port) {
    ++seen[way("203.0.113.1", port).last];
  }
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_NEAR(seen[9], 1500, 150);
}

TEST_F(MirrorTest, A_hop_leaves_an_inet6_multipath_route_by_itself) {
  neighbour("2001:db8::8", 8);
  neighbour("2001:db8::9", 9);
  route(Change::Set, "2001:db8:1::", 48, {.metric = 1024},
        {via("2001:db8::8"), via("2001:db8::9")});
  EXPECT_EQ(now("2001:db8:1::1").reason, static_cast<std::uint32_t>(DP_FORWARDED));
  route(Change::Removed, "2001:db8:1::", 48, {.metric = 1024}, {via("2001:db8::8")});
  mirror->commit();
  for (std::uint16_t port = 0; port < 50; ++port) {
    EXPECT_EQ(way("2001:db8:1::1", port), by(9));
  }
}

TEST_F(MirrorTest, Routes_follow_their_next_hop_object) {
  neighbour("10.0.0.8", 8);
  neighbour("10.0.0.9", 9);
  mirror->on_nexthop(Change::Set, {.id = 7, .hop = via("10.0.0.8")});
  route(Change::Set, "203.0.113.0", 24, {.nexthop = 7}, {via("10.0.0.8")});
  EXPECT_EQ(now("203.0.113.1"), by(8));
  mirror->on_nexthop(Change::Set, {.id = 7, .hop = via("10.0.0.9")});
  EXPECT_EQ(now("203.0.113.1"), by(9));
  mirror->on_nexthop(Change::Set, {.id = 8, .hop = via("10.0.0.8")});
  mirror->on_nexthop(Change::Set, {.id = 9, .group = {{8, 1}}});
  route(Change::Set, "203.0.113.0", 24, {.nexthop = 9, .replaces = true});
  EXPECT_EQ(now("203.0.113.1"), by(8));
  mirror->on_nexthop(Change::Removed, {.id = 8});
  EXPECT_EQ(now("203.0.113.1"), pass(DP_SLOW_ROUTE));
}

TEST_F(MirrorTest, An_epoch_sweeps_what_the_dump_did_not_mention_and_keeps_the_rest) {
  neighbour("10.0.0.9", 9);
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.0.0.9")});
  route(Change::Set, "192.0.2.0", 24, {}, {via("10.0.0.9")});
  mirror->commit();
  mirror->begin_epoch();
  EXPECT_EQ(way("192.0.2.1"), by(9)) << "nothing is taken away before the dump is over";
  tell_links();
  neighbour("10.0.0.9", 9);
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.0.0.9")});
  mirror->end_epoch();
  EXPECT_EQ(now("203.0.113.1"), by(9));
  EXPECT_EQ(now("192.0.2.1"), pass(DP_NO_ROUTE));
  EXPECT_EQ(mirror->summary().routes4, 5U);
}

TEST_F(MirrorTest, A_link_that_goes_down_takes_the_routes_that_the_kernel_drops_in_silence) {
  neighbour("10.0.0.9", 9);
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.0.0.9")});
  EXPECT_EQ(now("203.0.113.1"), by(9));
  Link down = make_link(2, "eth1");
  down.admin_up = down.running = false;
  mirror->on_link(Change::Set, down);
  EXPECT_TRUE(mirror->wants_resync());
  EXPECT_EQ(now("203.0.113.1"), pass(DP_NO_ROUTE));
  link(2, "eth1");
  EXPECT_EQ(now("203.0.113.1"), pass(DP_NO_ROUTE)) << "the route is not back because the link is";
}

TEST_F(MirrorTest, Without_carrier_packets_are_the_kernels) {
  neighbour("10.0.0.9", 9);
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.0.0.9")});
  Link silent = make_link(2, "eth1");
  silent.running = false;
  mirror->on_link(Change::Set, silent);
  EXPECT_EQ(now("203.0.113.1"), pass(DP_EGRESS_KERNEL));
  link(2, "eth1");
  EXPECT_EQ(now("203.0.113.1"), by(9));
}

TEST_F(MirrorTest, A_vlan_is_left_by_its_tag_and_an_instance_has_routes_of_its_own) {
  Link vlan = make_link(3, "eth1.5");
  vlan.kind = "vlan";
  vlan.parent = 2;
  vlan.vlan = 77;
  mirror->on_link(Change::Set, vlan);
  neighbour("10.7.0.9", 9, true, 3);
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.7.0.9", 3)});
  mirror->commit();
  ASSERT_EQ(way("203.0.113.1"), by(9));
  const auto& by_key = mirror->adjacencies().by_key();
  const auto found =
      std::ranges::find(by_key, 3U, [](const auto& one) { return one.first.ifindex; });
  ASSERT_NE(found, by_key.end());
  EXPECT_EQ(mirror->adjacencies().hop(found->second).tags[0], 77);
  EXPECT_EQ(vlans.size(), 1U);

  Link vrf = make_link(4, "red");
  vrf.ethernet = false;
  vrf.kind = "vrf";
  vrf.vrf_table = 1001;
  mirror->on_link(Change::Set, vrf);
  Link inside = make_link(1, "eth0");
  inside.master = 4;
  mirror->on_link(Change::Set, inside);
  EXPECT_EQ(now("203.0.113.1"), pass(DP_NO_ROUTE));
  neighbour("10.0.0.8", 8);
  route(Change::Set, "203.0.113.0", 24, {.table = 1001}, {via("10.0.0.8")});
  EXPECT_EQ(now("203.0.113.1"), by(8));
}

TEST_F(MirrorTest, Rules_beyond_the_stock_turn_the_family_off) {
  neighbour("10.0.0.9", 9);
  route(Change::Set, "203.0.113.0", 24, {}, {via("10.0.0.9")});
  const Rule rule = {.family = Family::Inet, .priority = 100, .stock = false};
  mirror->on_rule(Change::Set, rule);
  EXPECT_EQ(now("203.0.113.1"), pass(DP_FAMILY_OFF));
  EXPECT_FALSE(mirror->summary().alarms.empty());
  mirror->on_rule(Change::Removed, rule);
  EXPECT_EQ(now("203.0.113.1"), by(9));
}

TEST_F(MirrorTest, Nothing_leaks_when_all_is_taken_away) {
  const auto before = mirror->summary();
  neighbour("10.0.0.8", 8);
  neighbour("10.0.0.9", 9);
  for (unsigned i = 0; i < 200; ++i) {
    const std::string prefix = "20." + std::to_string(i) + ".1.0";
    route(Change::Set, prefix.c_str(), 24, {}, {via(i % 2 != 0 ? "10.0.0.8" : "10.0.0.9")});
  }
  mirror->commit();
  for (unsigned i = 0; i < 200; ++i) {
    const std::string prefix = "20." + std::to_string(i) + ".1.0";
    route(Change::Removed, prefix.c_str(), 24, {}, {via(i % 2 != 0 ? "10.0.0.8" : "10.0.0.9")});
  }
  neighbour("10.0.0.8", 0, false);
  neighbour("10.0.0.9", 0, false);
  mirror->commit();
  const auto after = mirror->summary();
  EXPECT_EQ(after.trie.nodes, before.trie.nodes);
  EXPECT_EQ(after.trie.entries, before.trie.entries);
  EXPECT_EQ(after.adjacencies, before.adjacencies);
  EXPECT_EQ(after.paths, before.paths);
}

struct SmallMirrorTest : MirrorTest {
  SmallMirrorTest() : MirrorTest(16) {}
};

TEST_F(SmallMirrorTest, A_full_table_sends_everything_to_the_kernel_until_there_is_room) {
  neighbour("10.0.0.9", 9);
  for (unsigned i = 0; i < 20; ++i) {
    route(Change::Set, ("20." + std::to_string(i) + ".1.0").c_str(), 24, {}, {via("10.0.0.9")});
  }
  EXPECT_EQ(now("20.1.1.1"), pass(DP_PASS_ALL));
  EXPECT_FALSE(mirror->summary().alarms.empty());
  for (unsigned i = 7; i < 20; ++i) {
    route(Change::Removed, ("20." + std::to_string(i) + ".1.0").c_str(), 24, {}, {via("10.0.0.9")});
  }
  EXPECT_EQ(now("20.1.1.1"), by(9));
  EXPECT_EQ(now("20.7.1.1"), pass(DP_NO_ROUTE));
}

}  // namespace
}  // namespace millrace::fib
