// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include "appliers/bgp_lines.h"
#include "appliers/bgp_options.h"
#include "world.h"

namespace millrace::appliers {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kRouter = "set routing-options autonomous-system 65001\n";

std::string text(const std::string& lines) {
  base::Diagnostics findings;
  std::string text = to_text(bgp_config(test::tree_of(lines), findings));
  EXPECT_TRUE(findings.items().empty()) << findings.items().front().to_string();
  return text;
}

std::string findings(const std::string& lines) {
  const auto registry = make_registry(test::real_schema());
  const auto before = test::world_of("");
  const auto after = test::world_of(lines);
  base::Diagnostics out;
  test::applier(registry, "bgp").check(before, after, {before.tree, after.tree}, out);
  return out.to_string();
}

TEST(Bgp, the_most_specific_level_counts) {
  const std::string lines = kRouter +
                            "set protocols bgp hold-time 30\n"
                            "set protocols bgp group g hold-time 60\n"
                            "set protocols bgp group g peer-as 65002\n"
                            "set protocols bgp group g neighbor 192.0.2.2\n"
                            "set protocols bgp group g neighbor 192.0.2.3 hold-time 90\n"
                            "set protocols bgp group h neighbor 192.0.2.4 peer-as 65004\n";
  const std::string rendered = text(lines);
  EXPECT_THAT(rendered, HasSubstr("neighbor 192.0.2.2 timers 20 60\n"));
  EXPECT_THAT(rendered, HasSubstr("neighbor 192.0.2.3 timers 30 90\n"));
  EXPECT_THAT(rendered, HasSubstr("neighbor 192.0.2.4 timers 10 30\n"));
}

TEST(Bgp, families_of_a_neighbor_take_the_place_of_those_of_its_group) {
  const std::string lines = kRouter +
                            "set protocols bgp group g peer-as 65002\n"
                            "set protocols bgp group g family inet6 unicast\n"
                            "set protocols bgp group g neighbor 192.0.2.2 family inet unicast\n";
  EXPECT_THAT(text(lines), HasSubstr("address-family ipv4 unicast"));
  EXPECT_THAT(text(lines), Not(HasSubstr("address-family ipv6 unicast")));
}

TEST(Bgp, bgpd_has_nothing_to_do_without_a_group) {
  EXPECT_EQ(text(kRouter), "");
}

TEST(Bgp, what_bgpd_would_refuse_is_found) {
  const auto with = [](const std::string& statement) { return findings(kRouter + statement); };
  EXPECT_THAT(findings("set protocols bgp group g neighbor 192.0.2.2 peer-as 1\n"),
              HasSubstr("BGP needs an autonomous system"));
  EXPECT_THAT(with("set protocols bgp group g neighbor 192.0.2.2\n"),
              HasSubstr("autonomous system of the neighbor is not known"));
  EXPECT_THAT(with("set protocols bgp group g type external\n"
                   "set protocols bgp group g neighbor 192.0.2.2 peer-as 65001\n"),
              HasSubstr("is not external"));
  EXPECT_THAT(with("set protocols bgp group g type internal\n"
                   "set protocols bgp group g neighbor 192.0.2.2 peer-as 65002\n"),
              HasSubstr("an internal neighbor is in autonomous system 65001"));
  EXPECT_THAT(with("set interfaces eth0 unit 0 family inet address 192.0.2.2/24\n"
                   "set protocols bgp group g neighbor 192.0.2.2 peer-as 65002\n"),
              HasSubstr("is an address of this router"));
  EXPECT_THAT(with("set protocols bgp group g peer-as 65002\n"
                   "set protocols bgp group g neighbor 192.0.2.2 multipath\n"
                   "set protocols bgp group g neighbor 192.0.2.3\n"),
              HasSubstr("of all external neighbors or of none"));
  EXPECT_EQ(with("set protocols bgp group g neighbor 192.0.2.2 peer-as 65002\n"), "");
}

}  // namespace
}  // namespace millrace::appliers
