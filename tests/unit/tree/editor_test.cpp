// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/editor.h"

#include "unit/tree/test_schema.h"

namespace millrace::tree {
namespace {

using testing::path_of;
using testing::remove;
using testing::set;
using testing::test_schema;

class EditorTest : public ::testing::Test {
 protected:
  std::string text() const { return to_set(editor.tree(), {}); }
  Editor editor{ConfigTree(test_schema())};
};

TEST_F(EditorTest, Set_makes_what_is_on_the_way) {
  ASSERT_TRUE(set(editor, "interfaces eth0 unit 5 family inet address 192.0.2.1/24"));
  EXPECT_EQ(text(), "set interfaces eth0 unit 5 family inet address 192.0.2.1/24\n");
}

TEST_F(EditorTest, Set_replaces_a_leaf_and_adds_to_a_leaf_list) {
  ASSERT_TRUE(set(editor, "system host-name a"));
  ASSERT_TRUE(set(editor, "system host-name b"));
  ASSERT_TRUE(set(editor, "system search x.example"));
  ASSERT_TRUE(set(editor, "system search y.example"));
  EXPECT_EQ(text(),
            "set system host-name b\nset system search x.example\nset system search y.example\n");
}

TEST_F(EditorTest, Set_of_what_is_so_changes_no_pointer) {
  ASSERT_TRUE(set(editor, "system host-name a"));
  const NodePtr before = editor.tree().root_ptr();
  ASSERT_TRUE(set(editor, "system host-name a"));
  ASSERT_TRUE(set(editor, "interfaces"));
  EXPECT_EQ(editor.tree().root_ptr(), before);
}

TEST_F(EditorTest, Set_without_value_or_key_is_refused) {
  const NodePtr before = editor.tree().root_ptr();
  EXPECT_EQ(set(editor, "system host-name").error().code, base::Code::BadValue);
  EXPECT_EQ(set(editor, "system search").error().code, base::Code::BadValue);
  EXPECT_EQ(set(editor, "interfaces eth0 unit").error().code, base::Code::BadValue);
  EXPECT_EQ(editor.tree().root_ptr(), before);
}

TEST_F(EditorTest, Remove_takes_emptied_containers_along_but_leaves_entries_and_presence) {
  ASSERT_TRUE(set(editor, "interfaces eth0 unit 0 family inet address 192.0.2.1/24"));
  ASSERT_TRUE(remove(editor, "interfaces eth0 unit 0 family inet address 192.0.2.1/24"));
  EXPECT_EQ(text(), "set interfaces eth0 unit 0 family inet\n");
  ASSERT_TRUE(remove(editor, "interfaces eth0 unit 0 family inet"));
  EXPECT_EQ(text(), "set interfaces eth0 unit 0\n");
  ASSERT_TRUE(remove(editor, "interfaces eth0"));
  EXPECT_TRUE(editor.tree().empty());
}

TEST_F(EditorTest, Remove_of_one_value_keeps_the_others) {
  for (const char* value : {"system search a", "system search b", "system search c"}) {
    ASSERT_TRUE(set(editor, value));
  }
  ASSERT_TRUE(remove(editor, "system search b"));
  EXPECT_EQ(text(), "set system search a\nset system search c\n");
  ASSERT_TRUE(remove(editor, "system search"));
  EXPECT_TRUE(editor.tree().empty());
}

TEST_F(EditorTest, Remove_of_the_absent_says_so_and_changes_nothing) {
  ASSERT_TRUE(set(editor, "system host-name a"));
  const NodePtr before = editor.tree().root_ptr();
  const auto result = remove(editor, "system host-name b");
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, base::Code::UnknownPath);
  EXPECT_EQ(result.error().message, "statement not found");
  EXPECT_FALSE(remove(editor, "interfaces eth7"));
  EXPECT_EQ(editor.tree().root_ptr(), before);
}

TEST_F(EditorTest, Remove_without_words_empties_the_level) {
  ASSERT_TRUE(set(editor, "interfaces eth0 mtu 1400"));
  ASSERT_TRUE(set(editor, "interfaces eth0 disable"));
  ASSERT_TRUE(editor.remove(path_of("interfaces eth0"), {}));
  EXPECT_EQ(text(), "set interfaces eth0\n");
  ASSERT_TRUE(editor.remove({}, {}));
  EXPECT_TRUE(editor.tree().empty());
}

TEST_F(EditorTest, Protected_subtrees_refuse_every_edit) {
  ASSERT_TRUE(set(editor, "policy-options policy-statement P term a accept"));
  ASSERT_TRUE(set(editor, "policy-options policy-statement P term b accept"));
  ASSERT_TRUE(editor.set_protected(path_of("policy-options policy-statement P"), true));
  const NodePtr before = editor.tree().root_ptr();
  const Path term = path_of("policy-options policy-statement P term a");
  const auto denied = [](const base::Result<void>& result) {
    return !result && result.error().code == base::Code::Denied &&
           result.error().message == "statement is protected";
  };
  EXPECT_TRUE(denied(set(editor, "policy-options policy-statement P term c accept")));
  EXPECT_TRUE(denied(remove(editor, "policy-options policy-statement P term a")));
  EXPECT_TRUE(denied(remove(editor, "policy-options policy-statement P")));
  EXPECT_TRUE(denied(editor.set_inactive(term, true)));
  EXPECT_TRUE(denied(editor.annotate(term, "x")));
  EXPECT_TRUE(denied(editor.rename(term, "z")));
  EXPECT_TRUE(denied(editor.copy(term, "z")));
  EXPECT_TRUE(denied(editor.insert(term, Editor::Side::After, "b")));
  EXPECT_EQ(editor.tree().root_ptr(), before);
  ASSERT_TRUE(editor.set_protected(path_of("policy-options policy-statement P"), false));
  EXPECT_TRUE(remove(editor, "policy-options policy-statement P"));
}

TEST_F(EditorTest, Removing_a_parent_keeps_protected_children) {
  ASSERT_TRUE(set(editor, "system host-name a"));
  ASSERT_TRUE(set(editor, "system ntp server 192.0.2.1 prefer"));
  ASSERT_TRUE(set(editor, "system ntp server 192.0.2.2 prefer"));
  ASSERT_TRUE(editor.set_protected(path_of("system ntp server 192.0.2.2"), true));
  ASSERT_TRUE(remove(editor, "system"));
  EXPECT_EQ(text(),
            "set system ntp server 192.0.2.2 prefer\nprotect system ntp server 192.0.2.2\n");
}

TEST_F(EditorTest, Inactive_is_known_at_every_level_above) {
  ASSERT_TRUE(set(editor, "interfaces eth0 mtu 1400"));
  ASSERT_TRUE(set(editor, "interfaces eth1 mtu 1400"));
  ASSERT_TRUE(editor.set_inactive(path_of("interfaces eth0"), true));
  ASSERT_TRUE(editor.set_inactive(path_of("interfaces eth1 mtu"), true));
  EXPECT_TRUE(editor.tree().root().holds_inactive());
  ASSERT_TRUE(editor.set_inactive(path_of("interfaces eth0"), false));
  EXPECT_TRUE(editor.tree().root().holds_inactive());
  ASSERT_TRUE(remove(editor, "interfaces eth1 mtu"));
  EXPECT_FALSE(editor.tree().root().holds_inactive());
}

TEST_F(EditorTest, Marks_of_a_joined_container_go_to_its_families) {
  ASSERT_TRUE(set(editor, "interfaces eth0 unit 0 family inet mtu 1400"));
  ASSERT_TRUE(editor.set_inactive(path_of("interfaces eth0 unit 0 family"), true));
  EXPECT_TRUE(editor.tree().find(path_of("interfaces eth0 unit 0 family inet"))->inactive());
  EXPECT_FALSE(editor.annotate(path_of("interfaces eth0 unit 0 family"), "x"));
}

TEST_F(EditorTest, Rename_keeps_contents_and_place) {
  for (const char* term : {"a", "b", "c"}) {
    ASSERT_TRUE(
        set(editor, "policy-options policy-statement P term " + std::string(term) + " metric 1"));
  }
  const Path b = path_of("policy-options policy-statement P term b");
  EXPECT_EQ(editor.rename(b, "c").error().code, base::Code::Conflict);
  ASSERT_TRUE(editor.rename(b, "x"));
  EXPECT_EQ(editor.rename(b, "y").error().code, base::Code::UnknownPath);
  EXPECT_EQ(text(),
            "set policy-options policy-statement P term a metric 1\n"
            "set policy-options policy-statement P term x metric 1\n"
            "set policy-options policy-statement P term c metric 1\n");
}

TEST_F(EditorTest, Rename_refuses_a_key_outside_its_type) {
  ASSERT_TRUE(set(editor, "interfaces eth0 unit 0"));
  EXPECT_EQ(editor.rename(path_of("interfaces eth0 unit 0"), "many").error().code,
            base::Code::BadValue);
}

TEST_F(EditorTest, Copy_duplicates_an_entry) {
  ASSERT_TRUE(set(editor, "interfaces eth0 unit 0 vlan-id 7"));
  ASSERT_TRUE(editor.copy(path_of("interfaces eth0 unit 0"), "1"));
  EXPECT_EQ(text(), "set interfaces eth0 unit 0 vlan-id 7\nset interfaces eth0 unit 1 vlan-id 7\n");
  EXPECT_EQ(editor.copy(path_of("interfaces eth0 unit 0"), "1").error().code, base::Code::Conflict);
}

TEST(EditorOfOne, Copy_makes_no_second_entry_where_there_is_room_for_one) {
  const auto schema = schema::build({{"one.tmpl", R"(
feature one { help "F";
  list of { help "O"; key name; type string;
    list only { help "O"; key name; type string; nameless; max-elements 1; } } })"}})
                          .value();
  Editor editor{ConfigTree(schema)};
  ASSERT_TRUE(load(editor, {}, "set of a b", LoadAction::Set).errors.empty());
  const auto report = load(editor, {}, "copy of a b to c", LoadAction::Set);
  ASSERT_EQ(report.errors.size(), 1U);
  EXPECT_EQ(report.errors.front().message, "there is room for one entry only");
  EXPECT_EQ(to_set(editor.tree(), {}), "set of a b\n");
  EXPECT_TRUE(load(editor, {}, "rename of a b to c", LoadAction::Set).errors.empty());
  EXPECT_EQ(to_set(editor.tree(), {}), "set of a c\n");
}

TEST_F(EditorTest, Insert_moves_within_an_ordered_list_only) {
  for (const char* term : {"a", "b", "c"}) {
    ASSERT_TRUE(set(editor, "policy-options policy-statement P term " + std::string(term)));
  }
  const auto term = [](const char* name) {
    return path_of("policy-options policy-statement P term " + std::string(name));
  };
  ASSERT_TRUE(editor.insert(term("c"), Editor::Side::Before, "a"));
  ASSERT_TRUE(editor.insert(term("a"), Editor::Side::After, "b"));
  EXPECT_EQ(text(),
            "set policy-options policy-statement P term c\n"
            "set policy-options policy-statement P term b\n"
            "set policy-options policy-statement P term a\n");
  EXPECT_EQ(editor.insert(term("a"), Editor::Side::After, "z").error().code,
            base::Code::UnknownPath);
  ASSERT_TRUE(set(editor, "interfaces eth0 unit 0"));
  ASSERT_TRUE(set(editor, "interfaces eth0 unit 1"));
  EXPECT_FALSE(editor.insert(path_of("interfaces eth0 unit 1"), Editor::Side::Before, "0"));
}

TEST_F(EditorTest, A_tree_taken_before_an_edit_does_not_see_it) {
  ASSERT_TRUE(set(editor, "system host-name a"));
  const ConfigTree before = editor.tree();
  ASSERT_TRUE(set(editor, "system host-name b"));
  EXPECT_EQ(to_set(before, {}), "set system host-name a\n");
  EXPECT_FALSE(before == editor.tree());
}

}  // namespace
}  // namespace millrace::tree
