// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using Levels = ShellTest;
using Edits = ShellTest;
using Shows = ShellTest;
using Errors = ShellTest;

TEST_F(Levels, Configure_and_exit_say_so_and_change_the_prompt) {
  EXPECT_THAT(shell.prompt(), StartsWith("alice@"));
  EXPECT_TRUE(shell.prompt().ends_with("> "));
  EXPECT_EQ(run("configure").output, "Entering configuration mode\n");
  EXPECT_TRUE(shell.prompt().ends_with("# "));
  EXPECT_EQ(shell.banner(), "[edit]");
  EXPECT_EQ(run("exit").output, "Exiting configuration mode\n");
  EXPECT_EQ(shell.banner(), "");
}

TEST_F(Levels, Edit_goes_down_and_exit_comes_back_to_the_level_before) {
  setup({"configure", "edit interfaces eth0", "edit unit 0 family inet"});
  EXPECT_EQ(shell.banner(), "[edit interfaces eth0 unit 0 family inet]");
  setup({"exit"});
  EXPECT_EQ(shell.banner(), "[edit interfaces eth0]");
  setup({"exit"});
  EXPECT_EQ(shell.banner(), "[edit]");
}

TEST_F(Levels, Exit_comes_out_at_the_top_however_often_somebody_went_elsewhere) {
  setup({"configure", "set system ntp server 192.0.2.1"});
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(run("top edit system").ok);
    ASSERT_TRUE(run("top edit system ntp").ok);
  }
  int exits = 0;
  while (shell.banner() != "[edit]" && ++exits < 100) {
    run("exit");
  }
  EXPECT_LT(exits, 100) << "what is remembered has an end";
}

TEST_F(Levels, Up_counts_levels_as_people_do) {
  setup({"configure", "edit interfaces eth0 unit 0 family inet", "up"});
  EXPECT_EQ(shell.banner(), "[edit interfaces eth0 unit 0]");
  setup({"up 2"});
  EXPECT_EQ(shell.banner(), "[edit interfaces]");
  setup({"up"});
  const Reply reply = run("up");
  EXPECT_FALSE(reply.ok);
  EXPECT_THAT(reply.errors, HasSubstr("already at the top"));
}

TEST_F(Levels, Top_with_a_command_does_not_stay_there) {
  setup({"configure", "edit interfaces eth0", "top set system host-name r7"});
  EXPECT_EQ(shell.banner(), "[edit interfaces eth0]");
  EXPECT_EQ(run("top show system").output, "host-name r7;\n");
  EXPECT_EQ(run("up show").output, "");
  setup({"top"});
  EXPECT_EQ(shell.banner(), "[edit]");
}

TEST_F(Levels, Exit_configuration_mode_leaves_from_any_depth) {
  setup({"configure", "edit interfaces eth0"});
  EXPECT_EQ(run("exit configuration-mode").output, "Exiting configuration mode\n");
}

TEST_F(Levels, A_list_without_its_key_is_no_level) {
  setup({"configure", "edit interfaces eth0"});
  EXPECT_FALSE(run("edit unit").ok);
  EXPECT_FALSE(run("edit description").ok);
  EXPECT_EQ(shell.banner(), "[edit interfaces eth0]");
}

TEST_F(Levels, Leaving_with_changes_asks_and_the_changes_stay) {
  setup({"configure", "set system host-name r7"});
  const Reply reply = run("exit");
  EXPECT_EQ(reply.output, "The configuration has been changed but not committed\n");
  ASSERT_TRUE(reply.ask);
  EXPECT_EQ(reply.ask->text, "Exit with uncommitted changes?");
  EXPECT_TRUE(reply.ask->yes_by_default);
  EXPECT_EQ(settle(shell.answer("no")).output, "");
  EXPECT_EQ(shell.banner(), "[edit]");
  run("exit");
  EXPECT_EQ(settle(shell.answer("")).output, "Exiting configuration mode\n");
  EXPECT_THAT(run("configure").output,
              HasSubstr("The configuration has been changed but not committed\n"));
  EXPECT_EQ(run("show system").output, "host-name r7;\n");
}

TEST_F(Levels, Others_see_who_is_editing_and_where) {
  setup({"configure", "edit interfaces eth0"});
  Shell other(services, {0, 43, "bob", true}, services.sessions.next_number());
  const Reply reply = settle(other.execute("configure"));
  EXPECT_THAT(reply.output, HasSubstr("Users currently editing the configuration:\n  alice"));
  EXPECT_THAT(reply.output, HasSubstr("(pid 42) on since "));
  EXPECT_THAT(reply.output, HasSubstr("      [edit interfaces eth0]\n"));
}

TEST_F(Edits, Set_is_silent_and_shared_with_other_sessions) {
  setup({"configure"});
  EXPECT_EQ(run("set interfaces eth0 unit 0 family inet address 192.0.2.1/24").output, "");
  Shell other(services, {0, 43, "bob", true}, services.sessions.next_number());
  settle(other.execute("configure"));
  EXPECT_EQ(settle(other.execute("show interfaces | display set")).output,
            "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n");
}

TEST_F(Edits, Deleting_what_is_not_there_is_a_warning) {
  setup({"configure"});
  const Reply reply = run("delete system host-name");
  EXPECT_TRUE(reply.ok);
  EXPECT_EQ(reply.errors, "warning: statement not found\n");
}

TEST_F(Edits, Delete_without_a_path_asks_first) {
  setup({"configure", "set system host-name r7", "edit interfaces eth0", "set mtu 1400"});
  Reply reply = run("delete");
  ASSERT_TRUE(reply.ask);
  EXPECT_EQ(reply.ask->text, "Delete everything under this level?");
  EXPECT_FALSE(reply.ask->yes_by_default);
  settle(shell.answer(""));
  EXPECT_EQ(run("show").output, "mtu 1400;\n");
  run("delete");
  settle(shell.answer("yes"));
  EXPECT_EQ(run("top show interfaces").output, "");
  EXPECT_EQ(run("top show system").output, "host-name r7;\n");
}

TEST_F(Edits, A_line_with_one_wrong_statement_changes_nothing) {
  setup({"configure", "edit interfaces eth0"});
  const Reply reply = run("set mtu 1400 description");
  EXPECT_FALSE(reply.ok);
  EXPECT_EQ(reply.errors, "set mtu 1400 description\n" + std::string(25, ' ') +
                              "^\nsyntax error, expecting "
                              "<string>.\n");
  EXPECT_EQ(run("show").output, "");
}

TEST_F(Edits, Deactivated_and_annotated_statements_show_it) {
  setup({"configure", "set system host-name r7", "deactivate system host-name", "edit system",
         "annotate host-name \"ticket 42\""});
  EXPECT_EQ(run("show").output, "/* ticket 42 */\ninactive: host-name r7;\n");
  setup({"activate host-name", "annotate host-name \"\""});
  EXPECT_EQ(run("show").output, "host-name r7;\n");
}

TEST_F(Edits, Protected_statements_warn_and_stay) {
  setup({"configure", "set system host-name r7", "protect system"});
  const Reply reply = run("delete system host-name");
  EXPECT_TRUE(reply.ok);
  EXPECT_THAT(reply.errors, StartsWith("warning: "));
  setup({"unprotect system", "delete system host-name"});
  EXPECT_EQ(run("show system").output, "");
}

TEST_F(Edits, Entries_are_renamed_and_copied_by_either_form_of_the_second_path) {
  setup({"configure", "set interfaces eth0 mtu 1400", "rename interfaces eth0 to interfaces eth1",
         "edit interfaces", "copy eth1 to eth2"});
  EXPECT_EQ(run("show | display set").output,
            "set interfaces eth1 mtu 1400\nset interfaces eth2 mtu 1400\n");
  const Reply taken = run("copy eth1 to eth2");
  EXPECT_FALSE(taken.ok);
}

TEST_F(Shows, Display_forms_and_text_pipes_go_together) {
  setup({"configure", "set system host-name r7"});
  const Reply reply = run("show system | display set relative | match host");
  EXPECT_EQ(reply.output, "set host-name r7\n");
  EXPECT_EQ(reply.pipes, (std::vector<std::vector<std::string>>{{"match", "host"}}));
  EXPECT_FALSE(run("show system | display json").data.is_null());
}

TEST_F(Shows, The_root_begins_with_the_time_of_the_last_change) {
  setup({"configure", "set system host-name r7"});
  EXPECT_THAT(run("show").output, StartsWith("## Last changed: "));
  EXPECT_THAT(run("run show configuration").output, StartsWith("## Last commit: "));
}

TEST_F(Shows, Compare_and_plan_show_the_candidate) {
  engine.steps = {{"system", "set host name to r7", false},
                  {"interfaces", "recreate eth0.5", true}};
  setup({"configure", "set system host-name r7"});
  const std::string compared = run("show | compare").output;
  EXPECT_THAT(compared, HasSubstr("[edit]"));
  EXPECT_THAT(compared, HasSubstr("host-name r7;"));
  const Reply plan = run("show | plan");
  EXPECT_EQ(plan.output,
            "system:\n    set host name to r7\ninterfaces:\n  ! recreate eth0.5 (disruptive)\n"
            "2 steps, 1 disruptive\n");
  EXPECT_EQ(plan.data["steps"].size(), 2U);
  EXPECT_FALSE(run("show system | plan").ok);
}

TEST_F(Shows, A_plan_without_steps_says_whether_there_are_changes) {
  setup({"configure", "set system host-name r7"});
  EXPECT_EQ(run("show | plan").output,
            "nothing to do in the system: the changes are only recorded\n");
  setup({"rollback"});
  EXPECT_THAT(run("show | plan").output, HasSubstr("equals the running configuration"));
}

TEST_F(Shows, A_pipe_that_renders_again_needs_configuration) {
  EXPECT_FALSE(run("show version | compare").ok);
  setup({"configure"});
  EXPECT_FALSE(run("set system host-name r7 | compare").ok);
  EXPECT_EQ(run("show system").output, "");
}

TEST_F(Errors, The_caret_stands_under_the_word_behind_the_prompt) {
  shell.set_client("cli", {true, "pts/0"});
  setup({"configure"});
  const Reply reply = run("set interfaces eth0 mtu 70000");
  EXPECT_FALSE(reply.ok);
  const std::size_t column = shell.prompt().size() + std::string("set interfaces eth0 mtu ").size();
  EXPECT_THAT(reply.errors, StartsWith(std::string(column, ' ') + "^\n"));
  EXPECT_THAT(reply.errors, HasSubstr("70000"));
}

TEST_F(Errors, In_a_script_the_line_stands_above_the_caret) {
  const Reply reply = run("show frobnicate");
  EXPECT_EQ(reply.errors, "show frobnicate\n     ^\nsyntax error, expecting <command>.\n");
}

TEST_F(Errors, An_unknown_first_word_is_an_unknown_command_in_both_modes) {
  EXPECT_THAT(run("frobnicate").errors, HasSubstr("unknown command."));
  setup({"configure"});
  EXPECT_THAT(run("frobnicate").errors, HasSubstr("unknown command."));
}

TEST_F(Errors, Ambiguous_words_list_their_completions) {
  setup({"configure"});
  const Reply reply = run("co");
  EXPECT_THAT(reply.errors,
              HasSubstr("'co' is ambiguous.\nPossible completions:\n  commit\n  copy"));
}

TEST_F(Errors, A_refused_statement_says_why) {
  setup({"configure"});
  const Reply reply = run("set firewall family inet");
  EXPECT_FALSE(reply.ok);
  EXPECT_THAT(reply.errors, HasSubstr("not in this release"));
}

TEST_F(Errors, Comments_and_blank_lines_do_nothing) {
  EXPECT_TRUE(run("# a remark").ok);
  EXPECT_TRUE(run("").ok);
}

TEST_F(Errors, Who_has_no_rights_has_no_commands) {
  Shell nobody(services, {1000, 44, "eve", false}, services.sessions.next_number());
  const Reply reply = settle(nobody.execute("show version"));
  EXPECT_TRUE(reply.refused);
  EXPECT_EQ(reply.output, "");
  EXPECT_THAT(settle(nobody.execute("ping 192.0.2.1")).errors, HasSubstr("unknown command."));
}

}  // namespace
}  // namespace millrace::server
