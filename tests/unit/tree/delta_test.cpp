// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/delta.h"

#include <gmock/gmock.h>

#include "unit/tree/test_schema.h"

namespace millrace::tree {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::path_of;
using testing::remove;
using testing::set;
using testing::test_schema;
using testing::tree_of;

std::vector<std::string> paths(const Delta& delta) {
  std::vector<std::string> result;
  for (const Change& change : delta.changes()) {
    const char sign = !change.before ? '+' : !change.after ? '-' : '!';
    result.push_back(sign + change.path.to_string());
  }
  return result;
}

class DeltaTest : public ::testing::Test {
 protected:
  Delta delta() const { return Delta(before, editor.tree()); }
  ConfigTree before = tree_of(
      "system { host-name a; search [ x y ]; }"
      "interfaces { eth0 { mtu 1400; unit 0; } eth1 { unit 0; } }"
      "policy-options { policy-statement P { term a { accept; } term b { accept; } term c; } }");
  Editor editor{before};
};

TEST_F(DeltaTest, Of_a_tree_and_itself_is_empty) {
  EXPECT_TRUE(delta().empty());
  EXPECT_EQ(encode(delta()), "");
}

TEST_F(DeltaTest, Names_the_topmost_nodes_that_differ) {
  ASSERT_TRUE(set(editor, "system host-name b"));
  ASSERT_TRUE(remove(editor, "system search x"));
  ASSERT_TRUE(remove(editor, "interfaces eth0"));
  ASSERT_TRUE(set(editor, "interfaces eth2 unit 7 vlan-id 7"));
  EXPECT_THAT(paths(delta()), ElementsAre("!system host-name", "-system search x",
                                          "-interfaces eth0", "+interfaces eth2"));
}

TEST_F(DeltaTest, A_new_list_is_named_by_its_entries) {
  ASSERT_TRUE(set(editor, "policy-options prefix-list A 192.0.2.0/24"));
  ASSERT_TRUE(set(editor, "policy-options prefix-list B 192.0.2.0/24"));
  EXPECT_THAT(paths(delta()),
              ElementsAre("+policy-options prefix-list A", "+policy-options prefix-list B"));
}

TEST_F(DeltaTest, A_changed_order_is_a_change_of_the_list) {
  ASSERT_TRUE(editor.insert(path_of("policy-options policy-statement P term c"),
                            Editor::Side::Before, "a"));
  EXPECT_THAT(paths(delta()), ElementsAre("!policy-options policy-statement P term"));
}

TEST_F(DeltaTest, Marks_and_comments_are_changes_of_the_node) {
  ASSERT_TRUE(editor.set_inactive(path_of("interfaces eth0"), true));
  ASSERT_TRUE(editor.annotate(path_of("system"), "why"));
  EXPECT_THAT(paths(delta()), ElementsAre("!system", "!interfaces eth0"));
}

TEST_F(DeltaTest, Touches_what_is_at_below_and_above_a_path) {
  ASSERT_TRUE(set(editor, "interfaces eth0 unit 0 family inet mtu 1300"));
  EXPECT_TRUE(delta().touches("interfaces"));
  EXPECT_TRUE(delta().touches("interfaces unit family inet"));
  EXPECT_TRUE(delta().touches("interfaces unit family inet mtu"));
  EXPECT_FALSE(delta().touches("interfaces mtu"));
  EXPECT_FALSE(delta().touches("system"));
  EXPECT_FALSE(delta().touches("no such path"));
}

TEST_F(DeltaTest, Changed_keys_are_those_of_entries_that_differ_in_any_way) {
  ASSERT_TRUE(set(editor, "interfaces eth1 unit 0 family inet mtu 1300"));
  ASSERT_TRUE(set(editor, "interfaces eth2 mtu 1300"));
  Path list = path_of("interfaces eth0");
  list.steps.back() = {list.steps.back().node, {}, false};
  EXPECT_THAT(delta().changed_keys(list), ElementsAre("eth1", "eth2"));
  EXPECT_THAT(delta().changed_keys(path_of("interfaces eth9 unit")), IsEmpty());
}

TEST_F(DeltaTest, Encodes_as_command_lines) {
  ASSERT_TRUE(set(editor, "system host-name b"));
  ASSERT_TRUE(remove(editor, "system search x"));
  ASSERT_TRUE(editor.set_inactive(path_of("interfaces eth1"), true));
  ASSERT_TRUE(editor.annotate(path_of("interfaces eth0 mtu"), "see ticket 42"));
  ASSERT_TRUE(editor.set_protected(path_of("policy-options"), true));
  EXPECT_EQ(encode(delta()),
            "set system host-name b\n"
            "delete system search x\n"
            "annotate interfaces eth0 mtu \"see ticket 42\"\n"
            "deactivate interfaces eth1\n"
            "protect policy-options\n");
}

TEST_F(DeltaTest, Encodes_places_in_ordered_lists) {
  ASSERT_TRUE(set(editor, "policy-options policy-statement P term new accept"));
  ASSERT_TRUE(editor.insert(path_of("policy-options policy-statement P term new"),
                            Editor::Side::Before, "b"));
  ASSERT_TRUE(set(editor, "policy-options policy-statement P term last accept"));
  EXPECT_EQ(encode(delta()),
            "set policy-options policy-statement P term last accept\n"
            "set policy-options policy-statement P term new accept\n"
            "insert policy-options policy-statement P term new after term a\n");
}

TEST_F(DeltaTest, Apply_changes_protected_parts_too) {
  ASSERT_TRUE(editor.set_protected(path_of("system"), true));
  const ConfigTree guarded = editor.tree();
  const Delta removal(guarded, tree_of(""));
  const auto applied = apply(encode(removal), guarded);
  ASSERT_TRUE(applied) << applied.error().to_string();
  EXPECT_TRUE(applied->empty());
}

TEST_F(DeltaTest, Apply_reports_what_it_cannot_read) {
  EXPECT_EQ(apply("set system no-such 1\n", before).error().path, "line 1");
  EXPECT_FALSE(apply("frobnicate system\n", before));
  EXPECT_FALSE(apply("set system host-name \"a\n", before));
}

}  // namespace
}  // namespace millrace::tree
