// SPDX-License-Identifier: GPL-2.0-or-later
#include <format>
#include <set>

#include <gmock/gmock.h>

#include "unit/ops/captured_frr.h"

namespace millrace::ops {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class ShowRoute : public CapturedRouter {};

TEST_F(ShowRoute, Joins_what_zebra_uses_with_all_paths_of_bgp) {
  expect_golden("route", text(route));
  expect_golden("route-terse", text(route, {{"terse", ""}}));
  const auto data = show(route).data;
  EXPECT_EQ(data["tables"][0]["name"], "inet.0");
  EXPECT_EQ(data["tables"][0]["routes"].size() + data["tables"][0]["hidden-routes"].get<unsigned>(),
            data["tables"][0]["total-routes"]);
}

TEST_F(ShowRoute, Attributes_in_detail) {
  expect_golden("route-detail",
                text(route, {{"destination", "198.51.100.0/24"}, {"exact", ""}, {"detail", ""}}));
  expect_golden("route-extensive",
                text(route, {{"destination", "172.20.0.0/16"}, {"exact", ""}, {"extensive", ""}}));
}

TEST_F(ShowRoute, Hidden_routes_are_those_that_policy_rejects) {
  expect_golden("route-hidden", text(route, {{"table", "inet.0"}, {"hidden", ""}}));
  expect_golden("route-hidden-detail",
                text(route, {{"table", "inet.0"}, {"hidden", ""}, {"detail", ""}}));
  EXPECT_THAT(text(route), Not(HasSubstr("192.0.2.0/24")));
  EXPECT_THAT(text(route, {{"all", ""}}), HasSubstr("192.0.2.0/24"));
}

TEST_F(ShowRoute, Summary_and_headers_count_alike) {
  expect_golden("route-summary", text(route_summary));
  const auto counted = show(route_summary).data["tables"][0];
  const auto listed = show(route, {{"all", ""}}).data["tables"][0];
  EXPECT_EQ(counted["total-routes"], listed["routes"].size());
  std::set<std::string> destinations;
  unsigned active = 0;
  for (const auto& one : listed["routes"]) {
    destinations.insert(one["destination"]);
    active += one["active"] ? 1 : 0;
  }
  EXPECT_EQ(counted["destinations"], destinations.size());
  EXPECT_EQ(counted["active-routes"], active);
}

TEST_F(ShowRoute, Looks_addresses_up_and_prefixes_too) {
  const auto destinations = [&](std::map<std::string, std::string, std::less<>> arguments) {
    std::vector<std::string> out;
    const auto data = show(route, std::move(arguments)).data;
    for (const auto& table : data["tables"]) {
      for (const auto& one : table["routes"]) {
        out.push_back(one["destination"]);
      }
    }
    return out;
  };
  using ::testing::ElementsAre;
  const std::string static20 = "172.20.0.0/16";
  EXPECT_THAT(destinations({{"destination", "172.20.1.1"}}), ElementsAre(static20, static20));
  EXPECT_THAT(destinations({{"destination", "9.9.9.9"}}), IsEmpty());
  EXPECT_THAT(destinations({{"destination", "9.9.9.9/32"}, {"exact", ""}}), IsEmpty());
  EXPECT_THAT(destinations({{"destination", "172.20.128.0/17"}, {"best", ""}}),
              ElementsAre(static20, static20));
  EXPECT_THAT(destinations({{"destination", "198.51.0.0/16"}}),
              ElementsAre("198.51.100.0/24", "198.51.100.0/24"));
  EXPECT_THAT(destinations({{"destination", static20}, {"longer", ""}}), IsEmpty());
  EXPECT_THAT(destinations({{"destination", static20}}), SizeIs(2));
  EXPECT_THAT(destinations({{"destination", static20}, {"active-path", ""}}), SizeIs(1));
  EXPECT_THAT(destinations({{"destination", static20}, {"inactive-path", ""}}), SizeIs(1));
  EXPECT_THAT(destinations({{"next-hop", "10.0.1.3"}, {"protocol", "static"}, {"table", "inet.0"}}),
              ElementsAre("172.16.0.0/16", "172.19.0.0/16", static20));
  EXPECT_THAT(destinations({{"aspath-regex", ".* 65010 .*"}}), ElementsAre("198.51.100.0/24"));
  EXPECT_THAT(destinations({{"aspath-regex", "65010"}}), IsEmpty());
  EXPECT_THAT(destinations({{"community", "65002:1"}}), ElementsAre("198.51.100.0/24"));
  EXPECT_THAT(destinations({{"community", "large:65002:*"}}), ElementsAre("198.51.100.0/24"));
  EXPECT_THAT(destinations({{"community", "target:65002:5"}}), ElementsAre("198.51.100.0/24"));
  EXPECT_THAT(destinations({{"table", "inet6.0"}, {"protocol", "bgp"}}),
              ElementsAre("2001:db8:b::/48"));
  EXPECT_THAT(destinations({{"protocol", "local"}, {"table", "inet.0"}}),
              ElementsAre("10.0.0.1/32", "10.0.1.1/32"));
  EXPECT_THAT(destinations({{"protocol", "direct"}, {"table", "inet.0"}}),
              ElementsAre("1.1.1.1/32", "10.0.0.0/24", "10.0.1.0/24"));
}

TEST_F(ShowRoute, Wrong_questions_are_refused) {
  EXPECT_EQ(text(route, {{"exact", ""}}),
            "ERROR exact, longer and best need a prefix or an address");
  EXPECT_EQ(text(route, {{"destination", "10.0.0.0/8"}, {"exact", ""}, {"longer", ""}}),
            "ERROR exact, longer and best exclude each other");
  EXPECT_EQ(text(route, {{"aspath-regex", "65001 ("}}),
            "ERROR invalid AS path expression '65001 (': found its end at 8, expected ')'");
  EXPECT_THAT(text(route, {{"community", "["}}), HasSubstr("ERROR invalid community '['"));
}

TEST_F(ShowRoute, Without_bgpd_there_are_the_routes_of_zebra) {
  frr.stop_bgpd();
  EXPECT_THAT(text(route, {{"protocol", "static"}, {"table", "inet.0"}}),
              HasSubstr("172.17.0.0/16      *[Static/5] AGE\n                      Discard\n"));
  EXPECT_THAT(text(route_summary), Not(HasSubstr("Autonomous")));
}

TEST_F(ShowRoute, The_forwarding_table_has_what_is_used) {
  expect_golden("forwarding-table", text(forwarding_table));
}

TEST_F(ShowRoute, Long_prefixes_have_a_line_of_their_own) {
  frr.answer("zebra show ipv6 route json") = {
      {"2001:db8:1234:5678::/64", frr.answer("zebra show ipv6 route json")["2001:db8:ff::/48"]}};
  frr.answer("zebra show ipv6 route static json") = frr.answer("zebra show ipv6 route json");
  EXPECT_THAT(text(route, {{"table", "inet6.0"}, {"protocol", "static"}}),
              HasSubstr("2001:db8:1234:5678::/64\n                   *[Static/5] AGE\n"));
}

TEST_F(ShowRoute, Large_tables_are_data_only_when_asked_for) {
  auto& table = frr.answer("zebra show ip route static json");
  const auto one = table["172.16.0.0/16"];
  table.clear();
  for (int number = 0; number < 1'001; ++number) {
    table[std::format("10.{}.{}.0/24", number / 256, number % 256)] = one;
  }
  Context context{engine,
                  {machine.kernel, frr, machine.files, machine.units, machine.accounts},
                  "1.2.3",
                  false};
  const ops::Match match{nullptr, {{"protocol", "static"}}, 0};
  EXPECT_TRUE(route(match, context)->data.is_null());
  context.structured = true;
  EXPECT_EQ(route(match, context)->data["tables"][0]["routes"].size(), 1'001U);
}

TEST_F(ShowRoute, An_answer_that_is_no_table_is_an_error) {
  frr.answer("zebra show ip route json") = "% Unknown command";
  EXPECT_THAT(text(route), HasSubstr("ERROR zebra's answer to 'show ip route json' is not"));
}

}  // namespace
}  // namespace millrace::ops
