// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/compare.h"

#include "syntax/json.h"
#include "syntax/xml.h"
#include "unit/tree/test_schema.h"

namespace millrace::tree {
namespace {

using testing::path_of;
using testing::remove;
using testing::set;
using testing::tree_of;

class CompareTest : public ::testing::Test {
 protected:
  std::string compare(const Path& base = {}) const {
    return compare_text(Delta(before, editor.tree()), base);
  }
  ConfigTree before = tree_of(
      "system { host-name old; search [ x y ]; ntp { server 192.0.2.1; } }"
      "interfaces { eth0 { mtu 1400; } eth1 { unit 0 { family inet { mtu 1300; } } } }"
      "policy-options { policy-statement P { term a { accept; } term b { accept; } term c; } }");
  Editor editor{before};
};

TEST_F(CompareTest, Prints_nothing_for_equal_trees) {
  EXPECT_EQ(compare(), "");
}

TEST_F(CompareTest, A_changed_leaf_is_a_minus_and_a_plus) {
  ASSERT_TRUE(set(editor, "system host-name new"));
  EXPECT_EQ(compare(),
            "[edit system]\n"
            "-  host-name old;\n"
            "+  host-name new;\n");
}

TEST_F(CompareTest, A_changed_leaf_list_is_shown_whole) {
  ASSERT_TRUE(set(editor, "system search z"));
  EXPECT_EQ(compare(),
            "[edit system]\n"
            "-  search [ x y ];\n"
            "+  search [ x y z ];\n");
}

TEST_F(CompareTest, A_new_block_has_a_plus_on_every_line) {
  ASSERT_TRUE(set(editor, "interfaces eth0 unit 5 family inet address 198.51.100.1/30"));
  EXPECT_EQ(compare(),
            "[edit interfaces eth0]\n"
            "+    unit 5 {\n"
            "+        family inet {\n"
            "+            address 198.51.100.1/30;\n"
            "+        }\n"
            "+    }\n");
}

TEST_F(CompareTest, Hunks_stand_in_tree_order_under_their_level) {
  ASSERT_TRUE(remove(editor, "system ntp server 192.0.2.1"));
  ASSERT_TRUE(set(editor, "system ntp server 192.0.2.2 prefer"));
  ASSERT_TRUE(remove(editor, "interfaces eth0"));
  ASSERT_TRUE(set(editor, "interfaces eth2 disable"));
  ASSERT_TRUE(set(editor, "interfaces eth1 unit 0 family inet6 address 2001:db8::1/64"));
  ASSERT_TRUE(set(editor, "interfaces eth1 unit 0 family inet mtu 1200"));
  EXPECT_EQ(compare(),
            "[edit system ntp]\n"
            "-    server 192.0.2.1;\n"
            "+    server 192.0.2.2 prefer;\n"
            "[edit interfaces]\n"
            "-   eth0 {\n"
            "-       mtu 1400;\n"
            "-   }\n"
            "[edit interfaces eth1 unit 0 family inet]\n"
            "-      mtu 1300;\n"
            "+      mtu 1200;\n"
            "[edit interfaces eth1 unit 0]\n"
            "+     family inet6 {\n"
            "+         address 2001:db8::1/64;\n"
            "+     }\n"
            "[edit interfaces]\n"
            "+   eth2 {\n"
            "+       disable;\n"
            "+   }\n");
}

TEST_F(CompareTest, Changed_state_is_collapsed_behind_an_exclamation_mark) {
  ASSERT_TRUE(editor.set_inactive(path_of("policy-options policy-statement P"), true));
  ASSERT_TRUE(editor.set_inactive(path_of("system host-name"), true));
  ASSERT_TRUE(editor.set_protected(path_of("interfaces"), true));
  EXPECT_EQ(compare(),
            "[edit system]\n"
            "!    inactive: host-name old;\n"
            "[edit]\n"
            "!   protect: interfaces { ... }\n"
            "[edit policy-options]\n"
            "!    inactive: policy-statement P { ... }\n");
  before = editor.tree();
  ASSERT_TRUE(editor.set_inactive(path_of("policy-options policy-statement P"), false));
  EXPECT_EQ(compare(),
            "[edit policy-options]\n"
            "!    active: policy-statement P { ... }\n");
}

TEST_F(CompareTest, An_annotation_has_its_statement_as_context) {
  ASSERT_TRUE(editor.annotate(path_of("interfaces eth0"), "ticket 42"));
  EXPECT_EQ(compare(),
            "[edit interfaces]\n"
            "+   /* ticket 42 */\n"
            "    eth0 { ... }\n");
}

TEST_F(CompareTest, A_moved_entry_stands_between_its_neighbours) {
  ASSERT_TRUE(editor.insert(path_of("policy-options policy-statement P term c"),
                            Editor::Side::Before, "b"));
  EXPECT_EQ(compare(),
            "[edit policy-options policy-statement P]\n"
            "     term a { ... }\n"
            "!     term c;\n"
            "     term b { ... }\n");
}

TEST_F(CompareTest, Entries_of_ordered_lists_stand_where_they_are) {
  ASSERT_TRUE(remove(editor, "policy-options policy-statement P term b"));
  ASSERT_TRUE(set(editor, "policy-options policy-statement P term new accept"));
  ASSERT_TRUE(editor.insert(path_of("policy-options policy-statement P term new"),
                            Editor::Side::Before, "a"));
  EXPECT_EQ(compare(),
            "[edit policy-options policy-statement P]\n"
            "+    term new {\n"
            "+        accept;\n"
            "+    }\n"
            "     term a { ... }\n"
            "-    term b {\n"
            "-        accept;\n"
            "-    }\n");
}

TEST_F(CompareTest, Secrets_are_masked_in_every_form) {
  ASSERT_TRUE(set(editor, "system secret-word xyzzy"));
  const Delta delta(before, editor.tree());
  const WriteOptions masked{.hide_secrets = true};
  EXPECT_EQ(compare_text(delta, {}, masked),
            "[edit system]\n+  secret-word \"/* SECRET-DATA */\";\n");
  EXPECT_EQ(compare_set(delta, {}, masked), "set system secret-word \"/* SECRET-DATA */\"\n");
  EXPECT_EQ(syntax::write_xml({compare_element(delta, {}, masked)}).find("xyzzy"),
            std::string::npos);
  const Delta moved(before, [&] {
    Editor other(editor.tree());
    EXPECT_TRUE(other.set_inactive(path_of("system secret-word"), true));
    return other.tree();
  }());
  EXPECT_EQ(compare_text(Delta(editor.tree(), moved.after()), {}, masked).find("xyzzy"),
            std::string::npos);
}

TEST_F(CompareTest, A_level_covers_only_itself_with_absolute_headers) {
  ASSERT_TRUE(set(editor, "system host-name new"));
  ASSERT_TRUE(set(editor, "interfaces eth0 mtu 1401"));
  EXPECT_EQ(compare(path_of("interfaces")),
            "[edit interfaces eth0]\n"
            "-   mtu 1400;\n"
            "+   mtu 1401;\n");
  EXPECT_EQ(compare(path_of("system host-name")),
            "[edit system]\n"
            "-  host-name old;\n"
            "+  host-name new;\n");
  EXPECT_EQ(compare(path_of("policy-options")), "");
}

TEST_F(CompareTest, Set_form_makes_the_one_of_the_other) {
  ASSERT_TRUE(set(editor, "system host-name new"));
  ASSERT_TRUE(remove(editor, "interfaces eth0"));
  const Delta delta(before, editor.tree());
  EXPECT_EQ(compare_set(delta, {}), "set system host-name new\ndelete interfaces eth0\n");
  EXPECT_EQ(compare_set(delta, path_of("interfaces")), "delete interfaces eth0\n");
}

TEST_F(CompareTest, Keys_are_spelled_alike_around_the_level_and_in_it) {
  ASSERT_TRUE(set(editor, "interfaces eth1 unit 0 family inet mtu 1400"));
  const Delta delta(before, editor.tree());
  const auto json = [&](const Path& path) {
    return syntax::write_json({compare_element(delta, path)});
  };
  EXPECT_EQ(json(path_of("interfaces eth1 unit 0 family inet mtu")), json({}));
}

}  // namespace
}  // namespace millrace::tree
