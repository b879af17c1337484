// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/effective.h"

#include "tree/btree.h"
#include "tree/delta.h"
#include "unit/tree/test_schema.h"

namespace millrace::tree {
namespace {

using testing::path_of;
using testing::remove;
using testing::set;
using testing::test_schema;
using testing::tree_of;

TEST(Effective, A_tree_without_inactive_parts_is_itself) {
  Expander expander;
  const ConfigTree tree = tree_of("system { host-name a; }");
  EXPECT_EQ(expander.effective(tree).root_ptr(), tree.root_ptr());
}

TEST(Effective, Containers_that_hold_only_inactive_parts_are_gone) {
  Expander expander;
  const ConfigTree tree = tree_of(
      "system { ntp { inactive: server 192.0.2.1; } services { ssh { inactive: port 23; } } }");
  EXPECT_EQ(to_set(expander.effective(tree), {}), "set system services ssh\n");
}

TEST(Effective, Versions_share_what_their_sources_share) {
  Expander expander;
  Editor editor{
      tree_of("interfaces { eth0 { mtu 1400; inactive: disable; }"
              " eth1 { mtu 1400; inactive: disable; } } system { host-name a; }")};
  const ConfigTree first = expander.effective(editor.tree());
  ASSERT_TRUE(set(editor, "interfaces eth0 mtu 1300"));
  const ConfigTree second = expander.effective(editor.tree());
  EXPECT_EQ(first.find(path_of("interfaces eth1")), second.find(path_of("interfaces eth1")));
  EXPECT_EQ(first.find(path_of("system")), second.find(path_of("system")));
  EXPECT_EQ(Delta(first, second).changes().size(), 1U);
}

TEST(Effective, What_is_known_of_a_version_survives_its_edit_in_place) {
  Expander expander;
  Editor editor{tree_of("interfaces { eth0 { inactive: mtu 1400; disable; } }")};
  const ConfigTree first = expander.effective(editor.tree());
  ASSERT_TRUE(editor.set_inactive(path_of("interfaces eth0 disable"), true));
  ASSERT_TRUE(set(editor, "interfaces eth0 description x"));
  EXPECT_EQ(to_set(expander.effective(editor.tree()), {}), "set interfaces eth0 description x\n");
  EXPECT_EQ(to_set(first, {}), "set interfaces eth0 disable\n");
}

TEST(Effective, An_edit_beside_20000_entries_costs_its_own_way) {
  Expander expander;
  Editor editor{ConfigTree(test_schema())};
  std::string text = "policy-options { prefix-list big {\n";
  for (int i = 0; i < 20'000; ++i) {
    text += "10." + std::to_string(i / 65536) + '.' + std::to_string(i / 256 % 256) + '.' +
            std::to_string(i % 256) + "/32;\n";
  }
  load(editor, {}, text + "} }", LoadAction::Merge);
  ASSERT_TRUE(editor.set_inactive(path_of("policy-options prefix-list big 10.0.7.7/32"), true));
  const ConfigTree before = expander.effective(editor.tree());
  const std::uint64_t made = TEST_blocks_made;
  ASSERT_TRUE(remove(editor, "policy-options prefix-list big 10.0.9.9/32"));
  const ConfigTree after = expander.effective(editor.tree());
  EXPECT_EQ(Delta(before, after).changes().size(), 1U);
  EXPECT_LE(TEST_blocks_made - made, 24U);
}

}  // namespace
}  // namespace millrace::tree
