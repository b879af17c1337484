// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/view.h"

#include "unit/tree/test_schema.h"

namespace millrace::tree {
namespace {

using testing::path_of;
using testing::tree_of;

TEST(View, Reads_by_name_with_absent_things_allowed_all_the_way) {
  const ConfigTree tree =
      tree_of("interfaces { eth0 { mtu 1400; unit 0 { family inet { address 192.0.2.1/24; } } } }");
  const View eth0 = View(tree)["interfaces"].entry("eth0");
  EXPECT_EQ(eth0.key(), "eth0");
  EXPECT_EQ(eth0["mtu"].number(), 1400);
  EXPECT_FALSE(eth0["disable"]);
  EXPECT_FALSE(View(tree)["interfaces"].entry("eth9")["unit"].entry("0")["family"]["inet"]["mtu"]);
  EXPECT_EQ(eth0["unit"].entry("0")["family"]["inet"]["address"].entries().size(), 1U);
  EXPECT_TRUE(View(tree)["system"]["ntp"]["server"].entries().empty());
}

TEST(View, An_absent_leaf_has_the_default_of_the_schema) {
  const ConfigTree tree = tree_of("");
  EXPECT_EQ(View(tree)["system"]["services"]["ssh"]["port"].number(), 22);
  EXPECT_EQ(View(tree)["system"]["host-name"].value(), std::nullopt);
  EXPECT_EQ(View(tree)["system"]["host-name"].text("router"), "router");
}

TEST(View, Entries_of_a_nameless_list_are_those_of_its_container) {
  const ConfigTree tree = tree_of("policy-options { prefix-list A { 10.0.0.0/8; 9.0.0.0/8; } }");
  const auto entries = View(tree)["policy-options"]["prefix-list"].entry("A").entries();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].first, "9.0.0.0/8");
  EXPECT_TRUE(View(tree, path_of("policy-options prefix-list A")).entry("10.0.0.0/8"));
  EXPECT_FALSE(View(tree, path_of("policy-options prefix-list B")).entry("10.0.0.0/8"));
}

TEST(View, Values_of_an_ordered_leaf_list_keep_their_order) {
  const ConfigTree tree = tree_of("system { resolve [ c a b ]; }");
  std::string values;
  for (const auto& [value, view] : View(tree)["system"]["resolve"].entries()) {
    values += value;
  }
  EXPECT_EQ(values, "cab");
}

}  // namespace
}  // namespace millrace::tree
