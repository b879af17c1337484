// SPDX-License-Identifier: GPL-2.0-or-later
#include <gmock/gmock.h>

#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using ::testing::HasSubstr;

using Commits = ShellTest;
using Loads = ShellTest;

TEST_F(Commits, A_commit_puts_the_candidate_into_force_with_its_comment) {
  setup({"configure", "set system host-name r7"});
  EXPECT_EQ(run("commit comment \"new name\"").output, "commit complete\n");
  EXPECT_TRUE(engine.running() == services.candidate.snapshot());
  EXPECT_EQ(engine.revisions().front().user, "alice");
  EXPECT_EQ(engine.revisions().front().via, "cli");
  EXPECT_EQ(engine.revisions().front().comment, "new name");
  EXPECT_EQ(run("show | compare").output, "");
}

TEST_F(Commits, A_comment_cannot_forge_lines_of_the_list_of_commits) {
  setup({"configure", "set system host-name r7"});
  const Reply reply = run("commit comment \"a\\n0   2026-01-01 by root\"");
  EXPECT_FALSE(reply.ok);
  EXPECT_THAT(reply.errors, HasSubstr("expected text without control characters"));
  EXPECT_TRUE(engine.running().empty());
}

TEST_F(Commits, A_failed_commit_prints_its_findings_and_changes_nothing) {
  engine.findings.error(base::Code::Constraint, "interfaces eth0 unit 0 family inet", "dhcp",
                        "Incompatible with interface assigned with address");
  setup({"configure", "set system host-name r7"});
  const Reply reply = run("commit and-quit");
  EXPECT_FALSE(reply.ok);
  EXPECT_EQ(reply.output, "");
  EXPECT_EQ(reply.errors,
            "[edit interfaces eth0 unit 0 family inet]\n"
            "  'dhcp'\n"
            "    Incompatible with interface assigned with address\n"
            "error: commit failed: (statements constraint check failed)\n");
  EXPECT_TRUE(engine.running().empty());
  EXPECT_EQ(shell.banner(), "[edit]");
}

TEST_F(Commits, A_check_commits_nothing) {
  setup({"configure", "set system host-name r7"});
  EXPECT_EQ(run("commit check").output, "configuration check succeeds\n");
  EXPECT_TRUE(engine.running().empty());
  engine.findings.error(base::Code::Constraint, "system", "", "Missing mandatory statement: 'x'");
  EXPECT_THAT(run("commit check").errors,
              HasSubstr("error: configuration check-out failed: (missing mandatory statements)\n"));
}

TEST_F(Commits, Warnings_do_not_fail_a_commit) {
  engine.findings.warning("system", "'x'", "has no effect");
  setup({"configure", "set system host-name r7"});
  const Reply reply = run("commit");
  EXPECT_TRUE(reply.ok);
  EXPECT_THAT(reply.errors, HasSubstr("warning: has no effect"));
  EXPECT_EQ(reply.output, "commit complete\n");
}

TEST_F(Commits, And_quit_leaves_configuration_mode) {
  setup({"configure", "set system host-name r7"});
  EXPECT_EQ(run("commit and-quit").output, "commit complete\nExiting configuration mode\n");
  EXPECT_EQ(shell.banner(), "");
}

TEST_F(Commits, Subsystems_that_could_not_be_put_back_are_named) {
  engine.findings.error(base::Code::ApplyFailed, "routing-options", "static", "staticd refused");
  engine.degraded_subsystems = {"static"};
  setup({"configure", "set system host-name r7"});
  const Reply reply = run("commit");
  EXPECT_THAT(
      reply.errors,
      HasSubstr(
          "warning: static does not follow the configuration; it is tried again until it does\n"));
  EXPECT_THAT(reply.errors, HasSubstr("error: commit failed: (the system refused the change; "));
}

TEST_F(Commits, A_request_that_cannot_be_is_no_conflict_between_users) {
  engine.findings.error(base::Code::Conflict, "", "", "the label 'x' belongs to revision 3");
  setup({"configure", "set system host-name r7"});
  EXPECT_EQ(run("commit label x").errors,
            "[edit]\n    the label 'x' belongs to revision 3\n"
            "error: commit failed: (it does not fit what was committed before)\n");
}

TEST_F(Commits, Rollback_brings_back_earlier_revisions_and_running) {
  setup({"configure", "set system host-name r7", "commit", "set system host-name r8"});
  EXPECT_EQ(run("rollback").output, "load complete\n");
  EXPECT_EQ(run("show system").output, "host-name r7;\n");
  EXPECT_EQ(run("rollback 1").output, "load complete\n");
  EXPECT_EQ(run("show system").output, "");
  EXPECT_FALSE(run("rollback 2").ok);
  EXPECT_THAT(run("rollback 50").errors, HasSubstr("there is no revision '50'"));
}

TEST_F(Commits, Rollback_with_a_question_mark_lists_the_revisions) {
  setup({"configure", "set system host-name r7", "commit comment why"});
  const std::string list = run("rollback ?").output;
  EXPECT_THAT(list, HasSubstr("  0   1970-01-01 00:33:20 UTC by alice via cli why\n"));
  EXPECT_THAT(list, HasSubstr("  1   1970-01-01 00:16:40 UTC by root via boot\n"));
}

TEST_F(Commits, The_candidate_is_taken_when_the_commit_begins) {
  setup({"configure", "set system host-name r7"});
  auto outcome = shell.execute("commit");
  services.candidate.reset(tree::ConfigTree(templates()));
  auto& deferred = std::get<Deferred<Reply>>(outcome);
  deferred.work(nullptr);
  EXPECT_TRUE(deferred.finish().ok);
  EXPECT_TRUE(engine.running().empty());
}

TEST_F(Loads, A_file_is_read_by_the_client_and_never_by_us) {
  setup({"configure"});
  const Reply reply = run("load merge /etc/shadow");
  ASSERT_TRUE(reply.read);
  EXPECT_EQ(reply.read->file, "/etc/shadow");
  EXPECT_EQ(settle(shell.input("system { host-name r7; }\n")).output, "load complete\n");
  EXPECT_EQ(run("show system").output, "host-name r7;\n");
}

TEST_F(Loads, Errors_are_counted_and_name_their_line) {
  setup({"configure"});
  ASSERT_TRUE(run("load merge terminal").read);
  const Reply reply = settle(shell.input("system {\n  host-name r7;\n  frobnicate 3;\n}\n"));
  EXPECT_FALSE(reply.ok);
  EXPECT_EQ(reply.output, "load complete (1 errors)\n");
  EXPECT_THAT(reply.errors, HasSubstr("terminal:3:"));
  EXPECT_EQ(run("show system").output, "host-name r7;\n");
}

TEST_F(Loads, Set_lines_load_relative_to_the_level_when_asked) {
  setup({"configure", "edit interfaces eth0"});
  ASSERT_TRUE(run("load set terminal relative").read);
  EXPECT_EQ(settle(shell.input("set mtu 1400\n")).output, "load complete\n");
  EXPECT_EQ(run("show").output, "mtu 1400;\n");
}

TEST_F(Loads, A_file_that_the_client_cannot_read_is_an_error) {
  setup({"configure"});
  run("load override nowhere");
  const Reply reply = settle(shell.input_failed("cannot read 'nowhere'"));
  EXPECT_FALSE(reply.ok);
  EXPECT_EQ(reply.errors, "error: cannot read 'nowhere'\n");
  EXPECT_FALSE(settle(shell.input("system { host-name r9; }")).ok);
}

TEST_F(Loads, Override_replaces_and_unknown_actions_are_refused) {
  setup({"configure", "set interfaces eth0 mtu 1400"});
  run("load override terminal");
  settle(shell.input("system { host-name r7; }"));
  EXPECT_EQ(run("show | display set").output, "set system host-name r7\n");
  EXPECT_FALSE(run("load frob terminal").ok);
}

}  // namespace
}  // namespace millrace::server
