// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include "tree/delta.h"
#include "unit/tree/test_schema.h"

namespace millrace::tree {
namespace {

using ::testing::ElementsAre;
using testing::path_of;
using testing::test_schema;
using testing::tree_of;

class LoadTest : public ::testing::Test {
 protected:
  LoadReport run(std::string text, LoadAction action = LoadAction::Merge, const Path& base = {}) {
    return load(editor, base, std::move(text), action);
  }
  std::string now() const { return to_set(editor.tree(), {}); }
  Editor editor{ConfigTree(test_schema())};
};

TEST_F(LoadTest, Merge_adds_and_the_loaded_value_wins) {
  run("system { host-name a; search x; }");
  EXPECT_EQ(run("system { host-name b; search y; }").to_string("file"), "load complete\n");
  EXPECT_EQ(now(), "set system host-name b\nset system search x\nset system search y\n");
}

TEST_F(LoadTest, One_liners_brackets_and_nested_blocks_read_the_same) {
  run("system { ntp { server 192.0.2.1 prefer version 3; server 192.0.2.2 { version 4; } }"
      " search [ x y ]; resolve { b; a; } }");
  EXPECT_EQ(now(),
            "set system search x\nset system search y\n"
            "set system resolve b\nset system resolve a\n"
            "set system ntp server 192.0.2.1 prefer\n"
            "set system ntp server 192.0.2.1 version 3\n"
            "set system ntp server 192.0.2.2 version 4\n");
}

TEST_F(LoadTest, A_bad_statement_leaves_nothing_and_hides_nothing) {
  const LoadReport report =
      run("system {\n"
          "    host-name a;\n"
          "    no-such thing;\n"
          "    ntp {\n"
          "        server 192.0.2.1 version 9;\n"
          "    }\n"
          "}\n"
          "interfaces {\n"
          "    eth0 {\n"
          "        mtu 1400;\n"
          "        mtu;\n"
          "    }\n"
          "    not/an/interface {\n"
          "        mtu 1400;\n"
          "    }\n"
          "}\n");
  EXPECT_EQ(now(), "set system host-name a\nset interfaces eth0 mtu 1400\n");
  ASSERT_EQ(report.errors.size(), 4U);
  EXPECT_EQ(report.errors[0].at, (syntax::Position{3, 5}));
  EXPECT_EQ(report.errors[0].level, "system");
  EXPECT_EQ(report.errors[0].statement, "no-such thing;");
  EXPECT_EQ(report.errors[1].at, (syntax::Position{5, 34}));
  EXPECT_EQ(report.errors[1].level, "system ntp");
  EXPECT_EQ(report.errors[2].at, (syntax::Position{11, 9}));
  EXPECT_EQ(report.errors[2].statement, "mtu;");
  EXPECT_EQ(report.errors[3].at, (syntax::Position{13, 5}));
  EXPECT_EQ(report.errors[3].statement, "not/an/interface {");
  EXPECT_EQ(report.statements, 2U);
}

TEST_F(LoadTest, Report_has_position_context_and_count) {
  const LoadReport report = run("system {\n    host-name;\n}\n}\n");
  const std::string text = report.to_string("terminal");
  EXPECT_TRUE(text.starts_with("terminal:2:(5) " + report.errors[0].message +
                               "\n  [edit system]\n    'host-name;'\n"))
      << text;
  EXPECT_TRUE(text.ends_with("load complete (2 errors)\n")) << text;
}

TEST_F(LoadTest, Tags_and_comments_go_to_their_statement) {
  run("/* why */ inactive: system { host-name a; }"
      "interfaces { inactive: protect: eth0 { mtu 1400; } }"
      "policy-options { policy-statement P { # first\n inactive: term a { accept; } } }");
  const ConfigTree& tree = editor.tree();
  EXPECT_EQ(tree.find(path_of("system"))->comment(), "why");
  EXPECT_TRUE(tree.find(path_of("system"))->inactive());
  EXPECT_TRUE(tree.find(path_of("interfaces eth0"))->inactive());
  EXPECT_TRUE(tree.find(path_of("interfaces eth0"))->is_protected());
  EXPECT_EQ(tree.find(path_of("policy-options policy-statement P term a"))->comment(), "first");
}

TEST_F(LoadTest, Tags_of_a_one_liner_are_those_of_the_entry) {
  run("system { ntp { inactive: server 192.0.2.1 prefer; } }");
  EXPECT_TRUE(editor.tree().find(path_of("system ntp server 192.0.2.1"))->inactive());
  EXPECT_FALSE(editor.tree().find(path_of("system ntp server 192.0.2.1 prefer"))->inactive());
}

TEST_F(LoadTest, Override_throws_the_rest_away) {
  run("system { host-name a; }");
  run("interfaces { eth0 { mtu 1400; } }", LoadAction::Override);
  EXPECT_EQ(now(), "set interfaces eth0 mtu 1400\n");
}

TEST_F(LoadTest, Update_has_the_result_of_override_and_shares_what_is_equal) {
  run("system { host-name a; } policy-options { policy-statement P { term a; term b; } }");
  const ConfigTree before = editor.tree();
  run("policy-options { policy-statement P { term a; term b; } } system { host-name b; }",
      LoadAction::Update);
  EXPECT_EQ(editor.tree().find(path_of("policy-options")), before.find(path_of("policy-options")));
  EXPECT_EQ(Delta(before, editor.tree()).changes().size(), 1U);
}

TEST_F(LoadTest, Replace_and_delete_tags_work_in_load_replace) {
  run("interfaces { eth0 { mtu 1400; disable; } eth1 { mtu 1400; } eth2 { mtu 1400; } }");
  const LoadReport report = run(
      "interfaces { replace: eth0 { mtu 1300; } delete: eth1; eth2 { disable; } delete: eth9; }",
      LoadAction::Replace);
  EXPECT_EQ(now(),
            "set interfaces eth0 mtu 1300\nset interfaces eth2 disable\n"
            "set interfaces eth2 mtu 1400\n");
  EXPECT_THAT(report.warnings, ElementsAre("line 1: 'eth9': statement not found"));
  EXPECT_EQ(run("delete: interfaces;").errors.size(), 1U);
}

TEST_F(LoadTest, Protected_statements_stay_and_a_warning_says_so) {
  run("protect: system { host-name a; }");
  const LoadReport report = run("system { host-name b; } interfaces { eth0 { mtu 1400; } }");
  EXPECT_EQ(now(), "set system host-name a\nprotect system\nset interfaces eth0 mtu 1400\n");
  EXPECT_THAT(report.warnings, ElementsAre("line 1: 'system': statement is protected"));
  run("unprotect: system { host-name b; }");
  EXPECT_EQ(now(), "set system host-name b\nset interfaces eth0 mtu 1400\n");
}

TEST_F(LoadTest, Empty_blocks_are_ignored_with_a_warning) {
  const LoadReport report = run("system { ntp { } services { ssh { } } } interfaces { eth0 { } }");
  EXPECT_THAT(report.warnings, ElementsAre("line 1: 'ntp': statement has no contents; ignored"));
  EXPECT_EQ(now(), "set system services ssh\nset interfaces eth0\n");
}

TEST_F(LoadTest, Loads_below_a_level) {
  run("eth0 { mtu 1400; }", LoadAction::Merge, path_of("interfaces"));
  run("eth1 { mtu 1400; }", LoadAction::Override, path_of("interfaces"));
  EXPECT_EQ(now(), "set interfaces eth1 mtu 1400\n");
}

TEST_F(LoadTest, Command_lines_do_all_that_a_person_can) {
  const LoadReport report =
      run("# a comment\n"
          "set system host-name a\n"
          "set policy-options policy-statement P term a accept\n"
          "set policy-options policy-statement P term b accept\n"
          "insert policy-options policy-statement P term b before term a\n"
          "rename policy-options policy-statement P term a to term z\n"
          "copy policy-options policy-statement P to policy-statement Q\n"
          "edit interfaces eth0\n"
          "set mtu 1400\n"
          "set unit 0\n"
          "copy unit 0 to 7\n"
          "top\n"
          "rename interfaces eth0 to eth1\n"
          "annotate system host-name \"the name\"\n"
          "deactivate policy-options policy-statement Q\n"
          "delete policy-options policy-statement P term z\n",
          LoadAction::Set);
  EXPECT_EQ(report.to_string("t"), "load complete\n");
  EXPECT_EQ(report.statements, 15U);
  EXPECT_EQ(to_text(editor.tree(), {}),
            "system {\n"
            "    /* the name */\n"
            "    host-name a;\n"
            "}\n"
            "interfaces {\n"
            "    eth1 {\n"
            "        mtu 1400;\n"
            "        unit 0;\n"
            "        unit 7;\n"
            "    }\n"
            "}\n"
            "policy-options {\n"
            "    policy-statement P {\n"
            "        term b {\n"
            "            accept;\n"
            "        }\n"
            "    }\n"
            "    inactive: policy-statement Q {\n"
            "        term b {\n"
            "            accept;\n"
            "        }\n"
            "        term z {\n"
            "            accept;\n"
            "        }\n"
            "    }\n"
            "}\n");
}

TEST_F(LoadTest, A_bad_command_line_is_counted_and_leaves_nothing) {
  const LoadReport report =
      run("set system host-name a\n"
          "set interfaces eth0 unit 0 family inet no-such\n"
          "frobnicate\n"
          "set system host-name \"x\n"
          "delete system search\n",
          LoadAction::Set);
  EXPECT_EQ(now(), "set system host-name a\n");
  ASSERT_EQ(report.errors.size(), 3U);
  EXPECT_EQ(report.errors[0].at, (syntax::Position{2, 40}));
  EXPECT_EQ(report.errors[1].at, (syntax::Position{3, 1}));
  EXPECT_EQ(report.errors[2].at.line, 4U);
  EXPECT_EQ(report.warnings.size(), 1U);
}

}  // namespace
}  // namespace millrace::tree
