// SPDX-License-Identifier: GPL-2.0-or-later
//
// Earlier configurations by their many names, and the same for programs.
#include <gmock/gmock.h>

#include "server/programs.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class Revisions : public ShellTest {
 protected:
  Revisions() : bob(services, {0, 43, "bob", true}, services.sessions.next_number()) {
    setup({"configure", "set system host-name r2", "commit label second comment \"the second\"",
           "set system host-name r3", "commit"});
  }

  ProgramResult call(Shell& caller, const std::string& method, json params = json::object()) {
    auto outcome = call_program(caller, {1, method, std::move(params)});
    if (!outcome) {
      ADD_FAILURE() << "no method " << method;
      return json();
    }
    if (auto* deferred = std::get_if<Deferred<ProgramResult>>(&*outcome)) {
      deferred->work(nullptr);
      return deferred->finish();
    }
    return std::get<ProgramResult>(std::move(*outcome));
  }
  std::string code_of(const ProgramResult& result) {
    return result ? "none" : result.error().data.value("code", "");
  }
  std::string candidate() { return run("show system").output; }

  Shell bob;
};

TEST_F(Revisions, Rollback_takes_indexes_ids_and_labels) {
  for (const auto* line :
       {"rollback 1", "rollback revision 2", "rollback second", "rollback revision second"}) {
    setup({"rollback"});
    EXPECT_THAT(candidate(), HasSubstr("host-name r3;")) << line;
    EXPECT_EQ(run(line).output, "load complete\n") << line;
    EXPECT_THAT(candidate(), HasSubstr("host-name r2;")) << line;
  }
  EXPECT_THAT(run("rollback 50").errors, HasSubstr("there is no revision '50'"));
  EXPECT_THAT(run("rollback third").errors, HasSubstr("there is no revision 'third'"));
  EXPECT_THAT(run("rollback 1 2").errors, HasSubstr("syntax error"));
  EXPECT_THAT(run("rollback -1").errors,
              HasSubstr("expected a number (0..49), the id or the label"));
}

TEST_F(Revisions, Rescue_and_checkpoints_are_saved_loaded_and_deleted) {
  EXPECT_THAT(run("rollback rescue").errors, HasSubstr("there is no rescue configuration"));
  EXPECT_EQ(run("run request system configuration rescue save").output, "");
  EXPECT_EQ(run("run request system configuration checkpoint save lab-1").output, "");
  setup({"set system host-name r9", "commit"});
  EXPECT_THAT(run("run show system configuration rescue").output, HasSubstr("host-name r3;"));
  EXPECT_EQ(run("rollback checkpoint lab-1").output, "load complete\n");
  EXPECT_THAT(candidate(), HasSubstr("host-name r3;"));
  setup({"rollback", "rollback rescue"});
  EXPECT_THAT(candidate(), HasSubstr("host-name r3;"));
  EXPECT_THAT(run("run show system commit").output,
              MatchesRegex("0   (.|\n)*checkpoint lab-1 .* by alice via other\n"
                           "rescue  .* by alice via other\n"));
  EXPECT_TRUE(run("run request system configuration checkpoint delete lab-1").ok);
  EXPECT_THAT(run("rollback checkpoint lab-1").errors, HasSubstr("there is no checkpoint 'lab-1'"));
  EXPECT_TRUE(run("run request system configuration rescue delete").ok);
  EXPECT_FALSE(run("run request system configuration rescue delete").ok);
  for (const auto* bad : {"run request system configuration checkpoint save ../x",
                          "run request system configuration checkpoint save rescue",
                          "run request system configuration checkpoint save",
                          "run request system configuration rescue save now",
                          "run request system configuration rescue"}) {
    EXPECT_FALSE(run(bad).ok) << bad;
  }
}

TEST_F(Revisions, Show_system_rollback_shows_one_and_compares_two) {
  EXPECT_THAT(run("run show system rollback second").output, HasSubstr("host-name r2;"));
  EXPECT_EQ(run("run show system rollback 1 compare 0").output,
            "[edit system]\n-  host-name r2;\n+  host-name r3;\n");
  EXPECT_EQ(run("run show system rollback 0 compare 1").output,
            "[edit system]\n-  host-name r3;\n+  host-name r2;\n");
  EXPECT_THAT(run("run show system rollback 1 | display set").output,
              HasSubstr("set system host-name r2\n"));
  EXPECT_FALSE(run("run show system rollback 1 with 2").ok);
  EXPECT_FALSE(run("run show system rollback").ok);
}

TEST_F(Revisions, The_list_of_commits_has_trials_labels_and_ids) {
  setup({"set system host-name r4", "commit confirmed 7 comment \"on trial\""});
  EXPECT_THAT(
      run("run show system commit include-configuration-revision").output,
      MatchesRegex("0   .* by alice via cli commit confirmed, rollback in 7mins revision 4\n"
                   "    on trial\n"
                   "    rollback pending at .*\n"
                   "1   .* by alice via cli revision 3\n"
                   "2   .* by alice via cli revision 2\n"
                   "    the second\n"
                   "    label second\n"
                   "3   .* by root via boot revision 1\n"));
  setup({"commit"});
  EXPECT_THAT(run("run show system commit").output,
              MatchesRegex("0   .* via cli\n1   .* via cli commit confirmed, rollback in 7mins\n"
                           "    on trial\n2 (.|\n)*"));
}

TEST_F(Revisions, A_program_confirms_its_own_trials_and_others_by_force) {
  setup({"set system host-name r4"});
  ASSERT_TRUE(call(shell, "configuration.commit", {{"confirmed", 5}, {"comment", "x"}}));
  EXPECT_EQ(call(shell, "system.revisions")->at("trial").at("user"), "alice");
  EXPECT_EQ(code_of(call(bob, "configuration.commit")), "confirm-pending");
  EXPECT_EQ(code_of(call(bob, "configuration.confirm")), "confirm-pending");
  EXPECT_EQ(code_of(call(bob, "configuration.reject")), "confirm-pending");
  ASSERT_TRUE(engine.trial());
  EXPECT_TRUE(call(bob, "configuration.commit", {{"force", true}}));
  EXPECT_FALSE(engine.trial());
  EXPECT_EQ(code_of(call(shell, "configuration.confirm")), "conflict");

  setup({"set system host-name r5"});
  ASSERT_TRUE(call(shell, "configuration.commit",
                   {{"confirmed", {{"minutes", 3}, {"verify", "show version"}}}}));
  EXPECT_EQ(engine.trial()->terms.minutes, 3U);
  EXPECT_TRUE(call(shell, "configuration.reject"));
  EXPECT_FALSE(engine.trial());
  setup({"rollback"});
  EXPECT_THAT(candidate(), HasSubstr("host-name r4;"));
}

TEST_F(Revisions, A_program_checks_without_committing) {
  setup({"set system host-name r4"});
  const auto before = engine.revisions().size();
  const auto checked = call(shell, "configuration.commit", {{"check", true}});
  ASSERT_TRUE(checked);
  EXPECT_EQ(checked->at("revision"), engine.revisions().front().id);
  EXPECT_EQ(engine.revisions().size(), before);
  EXPECT_THAT(candidate(), HasSubstr("host-name r4;"));
  engine.findings.error(base::Code::Constraint, "system", "host-name r4", "not this one");
  const auto refused = call(shell, "configuration.commit", {{"check", true}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(code_of(refused), "constraint");
}

TEST_F(Revisions, A_program_that_asks_for_nonsense_is_told) {
  for (const json& bad :
       {json{{"confirmed", 0}}, json{{"confirmed", "soon"}}, json{{"confirmed", 65536}},
        json{{"comment", "a\nb"}}, json{{"force", 1}}, json{{"prepare", true}, {"comment", "x"}},
        json{{"activate", true}, {"full", true}}, json{{"check", true}, {"confirmed", 5}},
        json{{"check", true}, {"prepare", true}},
        json{{"confirmed", {{"verify", "request system reboot"}}}}}) {
    EXPECT_FALSE(call(shell, "configuration.commit", bad)) << bad;
  }
  EXPECT_EQ(engine.revisions().size(), 3U);
}

TEST_F(Revisions, While_a_commit_is_scheduled_programs_change_nothing) {
  setup({"set system host-name r4", "commit at reboot"});
  EXPECT_EQ(code_of(call(bob, "configuration.commit")), "locked");
  EXPECT_EQ(code_of(call(bob, "configuration.discard")), "locked");
  EXPECT_EQ(code_of(call(bob, "configuration.load", {{"text", "set system host-name x"}})),
            "locked");
  EXPECT_EQ(call(bob, "system.revisions")->at("scheduled").at("at"), "reboot");
  EXPECT_EQ(run("clear system commit").output, "Pending commit cleared\n");
  EXPECT_THAT(run("clear system commit").errors, HasSubstr("no commit is scheduled"));
  EXPECT_TRUE(call(bob, "configuration.discard"));
}

TEST_F(Revisions, A_traced_commit_says_what_took_how_long) {
  setup({"set system host-name r4"});
  EXPECT_THAT(run("commit | display detail").output,
              MatchesRegex(" +[0-9]+\\.[0-9]{3}  complete\ncommit complete\n"));
  EXPECT_FALSE(run("commit | display set").ok);
}

}  // namespace
}  // namespace millrace::server
