// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "tree/btree.h"
#include "tree/delta.h"
#include "unit/tree/groups_schema.h"

namespace millrace::tree {
namespace {

using testing::expanded;
using testing::groups_tree;

void run(Editor& editor, std::string line) {
  const LoadReport report = load(editor, {}, line, LoadAction::Set);
  EXPECT_TRUE(report.errors.empty()) << report.to_string(line);
}

TEST(Groups, are_nothing_by_themselves) {
  EXPECT_EQ(expanded("groups { g { system { host-name a; } } }"), "");
}

TEST(Groups, give_what_is_not_there_and_local_values_win) {
  EXPECT_EQ(
      expanded("groups { g { system { host-name a; ntp { server t { version 3; prefer; } } } } }"
               " apply-groups g; system { host-name b; ntp { server t version 4; } }"),
      "set system host-name b\n"
      "set system ntp server t prefer\n"
      "set system ntp server t version 4\n");
}

TEST(Groups, the_first_name_goes_first_and_the_nearest_level_before_all) {
  const std::string groups =
      "groups { a { system { host-name a; ntp { server t version 1; } } }"
      " b { system { host-name b; ntp { server t version 2; } } } } ";
  EXPECT_EQ(expanded(groups + "apply-groups [ b a ];"),
            "set system host-name b\nset system ntp server t version 2\n");
  EXPECT_EQ(expanded(groups + "apply-groups a; system { ntp { apply-groups b; } }"),
            "set system host-name a\nset system ntp server t version 2\n");
  EXPECT_EQ(expanded(groups + "apply-groups a; system { ntp { server t { apply-groups b; } } }"),
            "set system host-name a\nset system ntp server t version 2\n");
}

TEST(Groups, apply_below_the_level_that_names_them_only) {
  EXPECT_EQ(expanded("groups { g { system { host-name a; ntp { server t; } } } }"
                     " system { ntp { apply-groups g; } }"),
            "set system ntp server t\n");
}

TEST(Groups, unite_leaf_lists_local_values_first_where_order_counts) {
  EXPECT_EQ(expanded("groups { g { system { search [ a c ]; }"
                     "  policy { term t { from [ z a ]; } } } } apply-groups g;"
                     " system { search b; } policy { term t { from [ m a ]; } }"),
            "set system search a\nset system search b\nset system search c\n"
            "set policy term t from m\nset policy term t from a\nset policy term t from z\n");
}

TEST(Groups, entries_of_ordered_lists_follow_the_local_ones) {
  EXPECT_EQ(
      expanded("groups { a { policy { term x; term l { metric 1; } } } b { policy { term y; term "
               "x; } } }"
               " apply-groups [ a b ]; policy { term z; term l; }"),
      "set policy term z\nset policy term l metric 1\nset policy term x\nset policy term y\n");
}

TEST(Groups, patterns_match_what_is_there_and_create_nothing) {
  const std::string groups =
      "groups { g { interfaces { <eth*> { mtu 9000; unit 0; } <*> { description d; } } } }"
      " apply-groups g; ";
  EXPECT_EQ(expanded(groups), "");
  EXPECT_EQ(expanded(groups + "interfaces { eth0; lo0 { mtu 1; } }"),
            "set interfaces eth0 mtu 9000\nset interfaces eth0 description d\n"
            "set interfaces eth0 unit 0\n"
            "set interfaces lo0 mtu 1\nset interfaces lo0 description d\n");
}

TEST(Groups, a_pattern_never_makes_its_own_entry_or_its_list) {
  Expander expander;
  const ConfigTree tree = expander.effective(groups_tree(
      "groups { g { interfaces { <ge-*> { mtu 9000; } eth7 { unit <*> { description x; } } } } }"
      " apply-groups g;"));
  EXPECT_EQ(to_set(tree, {}), "set interfaces eth7\n");
  EXPECT_EQ(tree.root().child("groups"), nullptr);
}

TEST(Groups, a_literal_name_goes_before_patterns_and_a_longer_pattern_before_a_shorter) {
  EXPECT_EQ(expanded("groups { g { interfaces { <*> { mtu 1; description s; } <eth?> { mtu 2; "
                     "description m; } eth0 { mtu 3; } } } }"
                     " apply-groups g; interfaces { eth0; eth1; lo0; }"),
            "set interfaces eth0 mtu 3\nset interfaces eth0 description m\n"
            "set interfaces eth1 mtu 2\nset interfaces eth1 description m\n"
            "set interfaces lo0 mtu 1\nset interfaces lo0 description s\n");
}

TEST(Groups, patterns_match_what_other_groups_make) {
  EXPECT_EQ(
      expanded("groups { make { interfaces { eth5; } } size { interfaces { <*> { mtu 9000; } } } }"
               " apply-groups [ size make ];"),
      "set interfaces eth5 mtu 9000\n");
}

TEST(Groups, exceptions_stop_what_comes_from_further_up) {
  const std::string groups =
      "groups { g { interfaces { <*> { mtu 9000; unit 0 { description u; } } } } } apply-groups "
      "g; ";
  EXPECT_EQ(expanded(groups + "interfaces { eth0 { apply-groups-except g; } eth1; }"),
            "set interfaces eth0\nset interfaces eth1 mtu 9000\n"
            "set interfaces eth1 unit 0 description u\n");
  EXPECT_EQ(expanded(groups + "interfaces { eth0 { unit 0 { apply-groups-except g; } } }"),
            "set interfaces eth0 mtu 9000\nset interfaces eth0 unit 0\n");
  EXPECT_EQ(
      expanded(groups + "interfaces { apply-groups-except g; eth0 { apply-groups g; } eth1; }"),
      "set interfaces eth0 mtu 9000\nset interfaces eth0 unit 0 description u\n"
      "set interfaces eth1\n")
      << "and further down it may be applied again";
}

TEST(Groups, may_apply_groups) {
  EXPECT_EQ(expanded("groups { h { system { host-name h; search h; } }"
                     " g { apply-groups h; system { search g; } } } apply-groups g;"),
            "set system host-name h\nset system search g\nset system search h\n");
  EXPECT_EQ(expanded("groups { h { interfaces { <*> { mtu 9; } } } g { interfaces { <eth*> { "
                     "apply-groups h; unit 0; } } } }"
                     " apply-groups g; interfaces { eth0; lo0; }"),
            "set interfaces eth0 mtu 9\nset interfaces eth0 unit 0\nset interfaces lo0\n");
  EXPECT_EQ(expanded("groups { h { system { host-name h; ntp { server t; } } }"
                     " g { apply-groups h; system { ntp { apply-groups-except h; } search g; } } } "
                     "apply-groups g;"),
            "set system host-name h\nset system search g\n");
}

TEST(Groups, that_come_to_themselves_end) {
  EXPECT_EQ(expanded("groups { g { apply-groups h; system { host-name g; } } h { apply-groups g; "
                     "system { search h; } } }"
                     " apply-groups g;"),
            "set system host-name g\nset system search h\n");
}

TEST(Groups, that_are_not_there_or_inactive_give_nothing) {
  EXPECT_EQ(expanded("apply-groups none; system { host-name a; }"), "set system host-name a\n");
  EXPECT_EQ(expanded("inactive: groups { g { system { host-name a; } } } apply-groups g;"), "");
  EXPECT_EQ(
      expanded("groups { g { system { host-name a; search b; } } } inactive: apply-groups g;"), "");
  EXPECT_EQ(
      expanded("groups { g { system { inactive: host-name a; search b; } } } apply-groups g;"),
      "set system search b\n");
  EXPECT_EQ(expanded("groups { g { system { host-name a; } } } apply-groups g;"
                     " system { inactive: host-name b; }"),
            "set system host-name a\n")
      << "what is inactive is not there, so it does not stand in the way";
}

TEST(Groups, share_what_they_give) {
  Expander expander;
  const ConfigTree tree =
      groups_tree("groups { g { system { ntp { server a; server b; } } } } apply-groups g;");
  const ConfigTree result = expander.effective(tree);
  EXPECT_EQ(result.root().child("system"),
            tree.root().child("groups")->child("g")->child("system"));
}

TEST(Ranges, name_make_and_match_members) {
  EXPECT_EQ(
      expanded("interfaces { interface-range r { member eth0; member \"eth[2-3]\"; member lo*; mtu "
               "9000; }"
               " eth0 { mtu 1500; } lo0; }"),
      "set interfaces eth0 mtu 1500\nset interfaces eth2 mtu 9000\nset interfaces eth3 mtu 9000\n"
      "set interfaces lo0 mtu 9000\n");
  EXPECT_EQ(
      expanded("interfaces { interface-range r { member-range eth8 to eth10; unit 0; } }"),
      "set interfaces eth8 unit 0\nset interfaces eth9 unit 0\nset interfaces eth10 unit 0\n");
  EXPECT_EQ(expanded("interfaces { interface-range r { member eth*; mtu 9000; } }"), "");
  EXPECT_EQ(
      expanded("interfaces { interface-range r { member \"eth[18446744073709551615]\"; mtu 1; "
               "member-range eth18446744073709551615 to eth18446744073709551615; } }"),
      "set interfaces eth18446744073709551615 mtu 1\n");
  EXPECT_EQ(expanded("interfaces { interface-range r { member \"eth[4294967295]\"; mtu 1; } }"),
            "set interfaces eth4294967295 mtu 1\n");
}

TEST(Ranges, go_before_groups_and_inherit_from_them) {
  EXPECT_EQ(
      expanded("groups { g { interfaces { <*> { mtu 1; description g; } interface-range <*> { unit "
               "5; } } } } apply-groups g;"
               " interfaces { interface-range r { member eth0; mtu 2; } }"),
      "set interfaces eth0 mtu 2\nset interfaces eth0 description g\nset interfaces eth0 unit 5\n");
  EXPECT_EQ(expanded("groups { g { interfaces { <*> { mtu 1; } } } }"
                     " interfaces { interface-range r { apply-groups g; member eth0; } eth1; }"),
            "set interfaces eth0 mtu 1\nset interfaces eth1\n");
}

TEST(Ranges, may_stand_in_groups) {
  EXPECT_EQ(expanded("groups { g { interfaces { interface-range r { member eth1; mtu 2; } } } } "
                     "apply-groups g;"
                     " interfaces { interface-range r { member eth2; } }"),
            "set interfaces eth1 mtu 2\nset interfaces eth2 mtu 2\n");
}

// ===== what an edit costs =====

class Large : public ::testing::Test {
 protected:
  Large() {
    std::string text =
        "groups { g { interfaces { <*> { mtu 9000; } } system { host-name a; } } }"
        " apply-groups g; interfaces {\n";
    for (int i = 0; i < 1'000; ++i) {
      text += "eth" + std::to_string(i) + " { description d; }\n";
    }
    editor_.reset(groups_tree(text + "}"));
    before_ = expander_.effective(editor_.tree());
  }
  std::size_t changes_by(std::string line) {
    run(editor_, std::move(line));
    made_ = TEST_blocks_made;
    const ConfigTree after = expander_.effective(editor_.tree());
    made_ = TEST_blocks_made - made_;
    EXPECT_EQ(after, Expander().effective(editor_.tree()));
    return Delta(before_, after).changes().size();
  }

  Editor editor_{ConfigTree(testing::groups_schema())};
  Expander expander_;
  ConfigTree before_{testing::groups_schema()};
  std::uint64_t made_ = 0;
};

TEST_F(Large, an_edit_of_one_leaf_costs_its_own_way) {
  EXPECT_EQ(changes_by("set interfaces eth77 description x"), 1U);
  EXPECT_LE(made_, 40U);
}

TEST_F(Large, an_entry_added_costs_its_own_way) {
  EXPECT_EQ(changes_by("set interfaces eth1777 unit 0"), 1U);
  EXPECT_LE(made_, 40U);
}

TEST_F(Large, an_edit_of_another_part_of_the_group_costs_that_part) {
  EXPECT_EQ(changes_by("set groups g system host-name b"), 1U);
  EXPECT_LE(made_, 40U);
}

TEST_F(Large, a_group_that_names_one_entry_costs_that_entry) {
  EXPECT_EQ(changes_by("set groups g interfaces eth9 unit 3"), 1U);
  EXPECT_LE(made_, 60U);
}

TEST_F(Large, a_pattern_costs_what_it_matches) {
  EXPECT_EQ(changes_by("set groups g interfaces <eth1?> unit 3"), 10U);
}

TEST(Groups, that_apply_each_other_along_many_ways_give_each_statement_once) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += "g" + std::to_string(i) + " { system { host-name h" + std::to_string(i) + "; }";
    if (i < 38) {
      text += "apply-groups [ g" + std::to_string(i + 1) + " g" + std::to_string(i + 2) + " ];";
    }
    text += " } ";
  }
  EXPECT_EQ(expanded("groups { " + text + "} apply-groups g0;"), "set system host-name h0\n");
}

}  // namespace
}  // namespace millrace::tree
