// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include "unit/ops/captured_frr.h"

namespace millrace::ops {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ShowBgp : public CapturedRouter {};

TEST_F(ShowBgp, Summary_has_sums_and_a_line_for_each_neighbor) {
  expect_golden("bgp-summary", text(bgp_summary));
  const auto data = show(bgp_summary).data;
  EXPECT_EQ(data["peer-count"], 5);
  EXPECT_EQ(data["down-peer-count"], 2);
  EXPECT_EQ(data["bgp-peer"][0]["bgp-rib"][0]["received-prefix-count"], 7);
}

TEST_F(ShowBgp, Neighbors_up_and_down) {
  expect_golden("bgp-neighbor", text(bgp_neighbor));
  EXPECT_THAT(text(bgp_neighbor, {{"address", "10.0.1.3"}}), HasSubstr("Type: Internal"));
  EXPECT_EQ(text(bgp_neighbor, {{"address", "10.9.9.9"}}), "ERROR no BGP neighbor 10.9.9.9");
}

TEST_F(ShowBgp, Groups) {
  expect_golden("bgp-group", text(bgp_group));
  EXPECT_EQ(text(bgp_group, {{"name", "NONE"}}), "ERROR no BGP group 'NONE'");
}

TEST_F(ShowBgp, Routes_that_came_and_went) {
  expect_golden("receive-protocol", text(received_routes, {{"neighbor", "10.0.0.2"}}));
  expect_golden("receive-protocol-hidden",
                text(received_routes, {{"neighbor", "10.0.0.2"}, {"hidden", ""}, {"detail", ""}}));
  expect_golden("advertising-protocol", text(advertised_routes, {{"neighbor", "10.0.1.3"}}));
  expect_golden(
      "advertising-protocol-external",
      text(advertised_routes,
           {{"neighbor", "10.0.0.2"}, {"destination", "172.16.0.0/12"}, {"extensive", ""}}));
  EXPECT_EQ(text(received_routes, {{"neighbor", "10.9.9.9"}}), "ERROR no BGP neighbor 10.9.9.9");
}

TEST_F(ShowBgp, Clearing_says_how_many_and_names_the_way) {
  EXPECT_EQ(text(clear_bgp_neighbor), "Cleared 5 connections\n");
  EXPECT_EQ(text(clear_bgp_neighbor, {{"address", "10.0.0.2"}, {"soft", ""}}),
            "Cleared 1 connections\n");
  EXPECT_EQ(text(clear_bgp_neighbor, {{"all", ""}, {"soft-inbound", ""}}),
            "Cleared 5 connections\n");
  EXPECT_EQ(text(clear_bgp_neighbor, {{"address", "10.9.9.9"}}), "ERROR no BGP neighbor 10.9.9.9");
  EXPECT_EQ(text(clear_bgp_neighbor, {{"address", "10.0.0.2"}, {"all", ""}}),
            "ERROR all and an address exclude each other");
  EXPECT_EQ(text(clear_bgp_neighbor, {{"soft", ""}, {"soft-inbound", ""}}),
            "ERROR soft and soft-inbound exclude each other");
  EXPECT_THAT(frr.cleared,
              ElementsAre("clear bgp *", "clear bgp 10.0.0.2 soft", "clear bgp * soft in"));
}

TEST_F(ShowBgp, Without_bgpd_every_command_says_so) {
  frr.stop_bgpd();
  for (const Builtin command : {bgp_summary, bgp_neighbor, bgp_group, clear_bgp_neighbor}) {
    EXPECT_EQ(text(command), "ERROR BGP is not running");
  }
  for (const Builtin command : {received_routes, advertised_routes}) {
    EXPECT_EQ(text(command, {{"neighbor", "10.0.0.2"}}), "ERROR BGP is not running");
  }
  EXPECT_THAT(frr.cleared, IsEmpty());
}

}  // namespace
}  // namespace millrace::ops
