// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/groups.h"

#include <gmock/gmock.h>

#include <format>

#include "unit/tree/groups_schema.h"

namespace millrace::check {
namespace {

using tree::testing::groups_tree;

std::string problems(std::string text) {
  return check_groups(nullptr, groups_tree(std::move(text))).to_string();
}

TEST(GroupRules, what_is_applied_is_defined) {
  EXPECT_EQ(problems("groups { g { system { host-name a; } } } apply-groups g;"), "");
  EXPECT_EQ(problems("groups { g { system { apply-groups [ g2 ]; } } } apply-groups [ g x ];"
                     " interfaces { eth0 { apply-groups-except y; } }"),
            "[edit groups g system]\n  'apply-groups g2'\n    groups 'g2' is not defined\n"
            "[edit]\n  'apply-groups x'\n    groups 'x' is not defined\n"
            "[edit interfaces eth0]\n  'apply-groups-except y'\n    groups 'y' is not defined\n");
}

TEST(GroupRules, no_group_comes_to_itself) {
  EXPECT_EQ(problems("groups { a { apply-groups a; } }"),
            "[edit groups a]\n  'apply-groups a'\n    group 'a' applies itself\n");
  EXPECT_EQ(problems("groups { a { system { apply-groups b; } } b { apply-groups a; }"
                     " c { apply-groups a; } }"),
            "[edit groups a]\n  'apply-groups b'\n    group 'a' applies itself by way of 'b'\n"
            "[edit groups b]\n  'apply-groups a'\n    group 'b' applies itself by way of 'a'\n");
}

TEST(GroupRules, ranges_name_what_can_be) {
  EXPECT_EQ(problems("interfaces { interface-range r { member \"eth[0-3,!2]\"; member-range eth0 "
                     "to eth3; } }"),
            "");
  EXPECT_EQ(problems("interfaces { interface-range r { member \"eth[3-1]\"; } }"),
            "[edit interfaces interface-range r]\n  'member eth[3-1]'\n    found '3-1' in "
            "'eth[3-1]', expected numbers as in [0-3], [1,5] or [0-9,!4]\n");
  EXPECT_EQ(problems("interfaces { interface-range r { member-range eth3 to eth1; } }"),
            "[edit interfaces interface-range r]\n  'member-range eth3'\n    found 'eth3' to "
            "'eth1', expected a name with an equal or higher number at its end, such as eth3\n");
  EXPECT_EQ(problems("interfaces { interface-range r { member-range eth3; } }"),
            "[edit interfaces interface-range r]\n  'member-range eth3'\n"
            "    Missing mandatory statement: 'to'\n");
  EXPECT_NE(problems("interfaces { interface-range r { member other; } }"), "");
  EXPECT_NE(problems("interfaces { interface-range r { member \"eth[0-9999]\"; } }"), "");
  EXPECT_EQ(problems("interfaces { interface-range r { mtu 1; } }"),
            "[edit interfaces]\n  'interface-range r'\n"
            "    warning: has no member and so no effect\n");
}

TEST(GroupRules, after_a_good_version_only_what_changed_is_looked_at) {
  const auto before = groups_tree(
      "groups { g; h; } interfaces { eth0 { apply-groups g; }"
      " eth1 { apply-groups g; } }");
  tree::Editor editor{before};
  const auto after = [&](std::string line) {
    tree::load(editor, {}, std::move(line), tree::LoadAction::Set);
    return check_groups(&before, editor.tree()).to_string();
  };
  EXPECT_EQ(after("set interfaces eth1 description x"), "");
  EXPECT_EQ(after("set interfaces eth1 apply-groups h"), "");
  EXPECT_EQ(after("delete groups g"),
            "[edit interfaces eth0]\n  'apply-groups g'\n    groups 'g' is not defined\n"
            "[edit interfaces eth1]\n  'apply-groups g'\n    groups 'g' is not defined\n");
}

TEST(GroupRules, a_group_applies_others_along_so_many_ways_and_no_more) {
  const auto found = [](std::size_t groups, std::size_t reach) {
    std::string text;
    for (std::size_t i = 0; i < groups; ++i) {
      text += std::format("g{} {{ system {{ host-name h; }}", i);
      for (std::size_t next = i + 1; next <= std::min(i + reach, groups - 1); ++next) {
        text += std::format(" apply-groups g{};", next);
      }
      text += " } ";
    }
    return problems("groups { " + text + "} apply-groups g0;");
  };
  EXPECT_EQ(found(256, 1), "");
  EXPECT_THAT(found(257, 1), ::testing::HasSubstr("along more than 255 ways"));
  EXPECT_THAT(found(40, 2), ::testing::HasSubstr("along more than 255 ways"));
  EXPECT_THAT(found(2000, 1), ::testing::HasSubstr("along more than 255 ways"));
}

}  // namespace
}  // namespace millrace::check
