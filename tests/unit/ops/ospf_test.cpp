// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include "unit/ops/captured_frr.h"

namespace millrace::ops {
namespace {

using ::testing::HasSubstr;

class ShowOspf : public CapturedRouter {};

TEST_F(ShowOspf, Neighbors) {
  expect_golden("ospf-neighbor", text(ospf_neighbor));
  expect_golden("ospf-neighbor-detail", text(ospf_neighbor, {{"detail", ""}}));
  const auto one = show(ospf_neighbor, {{"address", "10.0.12.2"}}).data["ospf-neighbor"];
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0]["neighbor-id"], "198.51.100.1");
  EXPECT_EQ(show(ospf_neighbor, {{"address", "198.51.100.1"}}).data["ospf-neighbor"].size(), 1U);
  EXPECT_EQ(text(ospf_neighbor, {{"address", "10.9.9.9"}}), "ERROR no OSPF neighbor 10.9.9.9");
}

TEST_F(ShowOspf, Interfaces) {
  expect_golden("ospf-interface", text(ospf_interface));
  expect_golden("ospf-interface-detail", text(ospf_interface, {{"detail", ""}}));
}

TEST_F(ShowOspf, Says_that_it_is_not_running) {
  frr.stop_ospfd();
  EXPECT_EQ(text(ospf_neighbor), "ERROR OSPF instance is not running");
  EXPECT_EQ(text(ospf_interface), "ERROR OSPF instance is not running");
}

TEST_F(ShowOspf, Takes_any_shape_of_an_answer) {
  for (const char* const strange :
       {R"({})", R"({"neighbors":[],"interfaces":7})",
        R"({"neighbors":{"x":{"y":[1]},"1.1.1.1":[{"ifaceName":5,"nbrState":null}]},
            "interfaces":{"eth0":{"ospfEnabled":true,"cost":"much"},"eth1":[]}})"}) {
    frr.answer("ospfd show ip ospf neighbor detail json") = nlohmann::ordered_json::parse(strange);
    frr.answer("ospfd show ip ospf interface json") = nlohmann::ordered_json::parse(strange);
    EXPECT_THAT(text(ospf_neighbor), ::testing::Not(HasSubstr("ERROR"))) << strange;
    EXPECT_THAT(text(ospf_interface), ::testing::Not(HasSubstr("ERROR"))) << strange;
  }
}

}  // namespace
}  // namespace millrace::ops
