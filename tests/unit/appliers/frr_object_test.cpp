// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/frr_object.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace millrace::appliers {
namespace {

using commit::Phase;
using Commands = std::vector<std::string>;

constexpr std::string_view kRunning = R"(frr version 10.3
frr defaults traditional
!
hostname r1
!
route-map A permit 10
 match tag 5
 set metric 6
exit
!
route-map A deny 20
exit
!
router bgp 65001
 no bgp ebgp-requires-policy
 timers bgp 30 90
 neighbor 192.0.2.2 remote-as 65002
 no neighbor 192.0.2.2 enforce-first-as
 !
 address-family ipv4 unicast
  redistribute static
  neighbor 192.0.2.2 activate
  neighbor 192.0.2.2 route-map A in
 exit-address-family
exit
!
ip prefix-list P seq 5 permit 10.0.0.0/8 ge 9
ip prefix-list P seq 10 permit any
!
bgp community-list standard C seq 5 permit 1:2
!
end
)";

FrrConfig running() {
  return parse_frr_config(kRunning);
}

TEST(FrrObject, running_configuration_becomes_objects_with_their_blocks) {
  const FrrConfig config = running();
  ASSERT_EQ(config.size(), 5U);
  EXPECT_EQ(config.at({FrrKind::PrefixList, "P"}).lines.size(), 2U);
  const std::vector<FrrLine> map = {{"", "route-map A permit 10"},
                                    {"route-map A permit 10", "match tag 5"},
                                    {"route-map A permit 10", "set metric 6"},
                                    {"", "route-map A deny 20"}};
  EXPECT_EQ(config.at({FrrKind::RouteMap, "A"}).lines, map);
  const std::string unicast = "router bgp 65001\naddress-family ipv4 unicast";
  const std::vector<FrrLine> neighbor = {
      {"router bgp 65001", "neighbor 192.0.2.2 remote-as 65002"},
      {"router bgp 65001", "no neighbor 192.0.2.2 enforce-first-as"},
      {unicast, "neighbor 192.0.2.2 activate"},
      {unicast, "neighbor 192.0.2.2 route-map A in"}};
  EXPECT_EQ(config.at({FrrKind::BgpNeighbor, "192.0.2.2"}).lines, neighbor);
  EXPECT_EQ(config.at({FrrKind::BgpRouter, ""}).lines.back(),
            (FrrLine{unicast, "redistribute static"}));
}

TEST(FrrObject, text_reads_back_as_the_same_objects) {
  EXPECT_EQ(parse_frr_config(to_text(running())), running());
}

TEST(FrrObject, equal_configurations_need_no_commands) {
  for (const Phase phase : {Phase::Build, Phase::Switch, Phase::Retire}) {
    EXPECT_EQ(frr_commands(running(), running(), phase), Commands());
  }
}

TEST(FrrObject, order_of_lines_is_no_difference) {
  FrrConfig other = running();
  std::ranges::reverse(other[{FrrKind::RouteMap, "A"}].lines);
  EXPECT_EQ(other, running());
}

TEST(FrrObject, policy_is_built_whole_and_retired_whole) {
  FrrConfig wanted = running();
  wanted[{FrrKind::RouteMap, "B"}].lines = {{"", "route-map B permit 10"},
                                            {"route-map B permit 10", "match tag 7"}};
  EXPECT_EQ(frr_commands(running(), wanted, Phase::Build),
            (Commands{"route-map B permit 10", "match tag 7", "exit"}));
  EXPECT_EQ(frr_commands(running(), wanted, Phase::Switch), Commands());
  EXPECT_EQ(frr_commands(wanted, FrrConfig(), Phase::Retire),
            (Commands{"no route-map B", "no route-map A", "no bgp community-list standard C",
                      "no ip prefix-list P"}));
}

TEST(FrrObject, new_route_map_of_a_neighbor_takes_the_place_of_the_old_in_one_command) {
  FrrConfig wanted = running();
  wanted[{FrrKind::BgpNeighbor, "192.0.2.2"}].lines.back().text =
      "neighbor 192.0.2.2 route-map B in";
  EXPECT_EQ(frr_commands(running(), wanted, Phase::Switch),
            (Commands{"router bgp 65001", "address-family ipv4 unicast",
                      "neighbor 192.0.2.2 route-map B in", "exit-address-family", "exit"}));
}

TEST(FrrObject, new_neighbor_stays_shut_until_it_has_its_policy) {
  FrrConfig wanted = running();
  const std::string router = "router bgp 65001";
  wanted[{FrrKind::BgpNeighbor, "192.0.2.9"}].lines = {
      {router, "neighbor 192.0.2.9 remote-as 65009"},
      {router + "\naddress-family ipv4 unicast", "neighbor 192.0.2.9 route-map A out"}};
  EXPECT_EQ(frr_commands(running(), wanted, Phase::Switch),
            (Commands{router, "neighbor 192.0.2.9 remote-as 65009", "neighbor 192.0.2.9 shutdown",
                      "address-family ipv4 unicast", "neighbor 192.0.2.9 route-map A out",
                      "exit-address-family", "no neighbor 192.0.2.9 shutdown", "exit"}));
}

TEST(FrrObject, what_resets_a_session_comes_last_and_sources_go_before_filters) {
  FrrConfig wanted = running();
  const std::string router = "router bgp 65001";
  auto& neighbor = wanted[{FrrKind::BgpNeighbor, "192.0.2.2"}].lines;
  neighbor[0].text = "neighbor 192.0.2.2 remote-as 65003";
  neighbor.erase(neighbor.begin() + 1);
  wanted[{FrrKind::BgpRouter, ""}].lines.pop_back();  // redistribute static
  EXPECT_EQ(frr_commands(running(), wanted, Phase::Switch),
            (Commands{router, "address-family ipv4 unicast", "no redistribute static",
                      "exit-address-family", "neighbor 192.0.2.2 enforce-first-as",
                      "neighbor 192.0.2.2 remote-as 65003", "exit"}));
}

// bgpd takes another hold time and leaves the session as it was negotiated.
TEST(FrrObject, what_counts_from_the_next_session_on_begins_one) {
  FrrConfig wanted = running();
  const std::string router = "router bgp 65001";
  auto& lines = wanted[{FrrKind::BgpNeighbor, "192.0.2.2"}].lines;
  lines.push_back({router, "neighbor 192.0.2.2 timers 10 30"});
  const FrrKey key{FrrKind::BgpNeighbor, "192.0.2.2"};
  EXPECT_TRUE(resets(running().at(key), wanted.at(key)));
  EXPECT_EQ(frr_commands(running(), wanted, Phase::Switch),
            (Commands{router, "neighbor 192.0.2.2 timers 10 30", "neighbor 192.0.2.2 shutdown",
                      "no neighbor 192.0.2.2 shutdown", "exit"}));
  EXPECT_EQ(frr_commands(wanted, running(), Phase::Switch),
            (Commands{router, "no neighbor 192.0.2.2 timers", "neighbor 192.0.2.2 shutdown",
                      "no neighbor 192.0.2.2 shutdown", "exit"}));
  lines.push_back({router, "neighbor 192.0.2.2 shutdown"});
  EXPECT_EQ(
      frr_commands(running(), wanted, Phase::Switch),
      (Commands{router, "neighbor 192.0.2.2 shutdown", "neighbor 192.0.2.2 timers 10 30", "exit"}));
}

// bgpd would look at routes again only when they change.
TEST(FrrObject, sending_to_the_as_of_a_path_begins_a_session) {
  FrrConfig wanted = running();
  const std::string router = "router bgp 65001";
  wanted[{FrrKind::BgpNeighbor, "192.0.2.2"}].lines.push_back(
      {router, "neighbor 192.0.2.2 sender-as-path-loop-detection"});
  const Commands renewal = {"neighbor 192.0.2.2 shutdown", "no neighbor 192.0.2.2 shutdown",
                            "exit"};
  Commands there = {router, "neighbor 192.0.2.2 sender-as-path-loop-detection"};
  Commands back = {router, "no neighbor 192.0.2.2 sender-as-path-loop-detection"};
  there.insert(there.end(), renewal.begin(), renewal.end());
  back.insert(back.end(), renewal.begin(), renewal.end());
  EXPECT_EQ(frr_commands(running(), wanted, Phase::Switch), there);
  EXPECT_EQ(frr_commands(wanted, running(), Phase::Switch), back);
}

TEST(FrrObject, advertising_of_routes_not_in_use_ends_sessions) {
  FrrConfig wanted = running();
  const FrrKey key{FrrKind::BgpRouter, ""};
  wanted[key].lines.push_back({"router bgp 65001", "bgp suppress-fib-pending"});
  EXPECT_TRUE(resets(running().at(key), wanted.at(key)));
  EXPECT_TRUE(resets(wanted.at(key), running().at(key)));
}

TEST(FrrObject, another_autonomous_system_is_another_router) {
  FrrConfig wanted;
  wanted[{FrrKind::BgpRouter, ""}].lines = {{"", "router bgp 65009"}};
  EXPECT_EQ(frr_commands(running(), wanted, Phase::Switch),
            (Commands{"no router bgp 65001", "router bgp 65009", "exit"}));
}

}  // namespace
}  // namespace millrace::appliers
