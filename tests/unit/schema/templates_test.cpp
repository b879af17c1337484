// SPDX-License-Identifier: GPL-2.0-or-later
//
// The templates that ship: they build, and say what the documentation of the field says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ranges>

#include "schema/schema.h"
#include "schema/walk.h"

namespace millrace::schema {
namespace {

const Schema& shipped() {
  static const Schema schema = [] {
    auto result = load(MILLRACE_SOURCE_DIR "/templates");
    EXPECT_TRUE(result.has_value()) << result.error().message;
    return result ? std::move(*result) : Schema();
  }();
  return schema;
}

// "" when the line is good, else the message.
std::string refusal(std::string_view line) {
  std::vector<std::string_view> words;
  for (const auto word : std::views::split(line, ' ')) {
    words.emplace_back(word);
  }
  const auto walks = walk(shipped().root(), words, Abbreviations::No);
  if (!walks) {
    return walks.error().message + "|" + walks.error().hint;
  }
  const auto lack = lacking(*walks, words.size());
  return lack ? lack->message : "";
}

TEST(Templates, are_owned_by_the_appliers_of_the_skeleton_and_their_renders) {
  auto schema = load(MILLRACE_SOURCE_DIR "/templates");
  ASSERT_TRUE(schema.has_value()) << schema.error().message;
  const std::vector<Ownership> owners = {
      {"system", {"system host-name", "system configuration-mode-default", "system archival"}},
      {"login", {"system login", "system root-authentication"}},
      {"interfaces", {"interfaces"}},
      {"bgp", {"protocols bgp", "routing-options router-id", "routing-options autonomous-system"}},
      {"ospf", {"protocols ospf"}},
      {"policy", {"policy-options"}},
      {"static", {"routing-options static", "routing-options rib"}},
  };
  const auto assigned = assign_owners(*schema, owners);
  EXPECT_TRUE(assigned.has_value()) << assigned.error().message;
}

// A statement that belongs to no area is for who may do everything only.
TEST(Templates, belong_to_an_area_of_login_classes) {
  for (const auto& child : shipped().root().children) {
    if (child->support != Support::Refused && child->role == Role::None) {
      EXPECT_FALSE(child->permission.empty()) << child->path();
    }
  }
}

TEST(Templates, take_the_statements_of_the_skeleton) {
  for (const std::string_view line : {
           "system host-name r1",
           "system ntp server 192.0.2.1 prefer version 4",
           "system ntp server pool.example.net",
           "interfaces eth0 description uplink mtu 1514",
           "interfaces eth0 vlan-tagging",
           "interfaces eth0 unit 100 vlan-id 100 family inet address 192.0.2.1/31",
           "interfaces eth0 unit 100 family inet6 address 2001:db8::1/64",
           "interfaces lo0 unit 0 family inet address 10.255.0.1/32",
           "interfaces interface-range r member eth[0-3]",
           "interfaces interface-range r member eth*",
           "interfaces interface-range r member eth[0-3,7,!2]",
           "interfaces interface-range r member-range eth0 to eth3",
           "interfaces interface-range r unit 0 family inet",
           "groups g system host-name x",
           "groups g interfaces <eth[0-3]> mtu 1600 unit <*> description u",
           "groups g interfaces interface-range <*> mtu 1600",
           "apply-groups g",
           "interfaces eth0 unit 0 family inet apply-groups-except g",
           "routing-options static route 0.0.0.0/0 next-hop 192.0.2.1 192.0.2.2 eth1.0",
           "routing-options static route 10.0.0.0/8 discard preference 7 tag 3",
           "routing-options static route 10.0.0.0/8 qualified-next-hop 192.0.2.9 preference 9",
           "routing-options rib inet6.0 static route ::/0 next-hop 2001:db8::1",
           "routing-options rib inet6.0 static route ::/0 qualified-next-hop fe80::1 interface "
           "eth0.0",
           "routing-options rib inet6.0 static route 2001:db8:1::/48 reject",
       }) {
    EXPECT_EQ(refusal(line), "") << line;
  }
}

TEST(Templates, refuse_what_is_not_there_yet_with_a_hint) {
  EXPECT_EQ(refusal("protocols rip group g neighbor eth0"),
            "'rip' is not supported|not in this release: RIP");
  for (const std::string_view line :
       {"protocols bgp group g bfd-liveness-detection minimum-interval 300",
        "routing-options confederation 65000", "routing-options static defaults metric 50",
        "policy-options condition a", "routing-instances red instance-type virtual-router",
        "firewall family inet filter f", "interfaces eth0 unit 0 family mpls",
        "interfaces eth0 unit 0 family inet filter input f", "system ntp peer 192.0.2.1",
        "vlans v vlan-id 3"}) {
    EXPECT_THAT(refusal(line), ::testing::ContainsRegex("is not supported\\|.+")) << line;
  }
}

TEST(Templates, refuse_values_that_nothing_could_apply) {
  for (const std::string_view line :
       {"interfaces <*> mtu 1600", "groups g groups h system host-name x", "apply-groups-except g",
        "interfaces interface-range r member ae0", "interfaces interface-range r member a b",
        "groups g system host-name <*>", "interfaces ae0 disable", "interfaces eth0 mtu 255",
        "interfaces eth0 unit 16386", "interfaces eth0 unit 0 vlan-id 4095",
        "interfaces eth0 unit 0 family inet address ::1/64",
        "routing-options static route ::/0 discard", "routing-options rib inet.9 static",
        "routing-options static route 10.0.0.1/8 discard",
        "routing-options static route 10.0.0.0/8 preference 255", "system host-name a.b"}) {
    EXPECT_NE(refusal(line), "") << line;
  }
}

TEST(Templates, have_help_on_every_statement_that_is_offered) {
  const auto check = [](const auto& self, const Node& node) -> void {
    for (const auto& child : node.children) {
      EXPECT_TRUE(child->support == Support::Refused ? !child->support_reason.empty()
                                                     : !child->help.empty())
          << child->origin;
      self(self, *child);
    }
  };
  check(check, shipped().root());
  EXPECT_FALSE(shipped().root().children.empty());
}

}  // namespace
}  // namespace millrace::schema
