// SPDX-License-Identifier: GPL-2.0-or-later
//
// `commit confirmed` and its kin as people meet them, with the test's own clock.
#include <gmock/gmock.h>

#include "server/commit_options.h"
#include "server/probe.h"
#include "server/timekeeper.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class TrialCommands : public ShellTest {
 protected:
  TrialCommands() : bob(services, {0, 43, "bob", true}, services.sessions.next_number()) {
    bob.set_client("cli", {});
    services.notices.subscribe(shell.session(),
                               [this](const std::string& text) { to_alice.push_back(text); });
    services.notices.subscribe(bob.session(),
                               [this](const std::string& text) { to_bob.push_back(text); });
  }
  ~TrialCommands() override {
    services.notices.unsubscribe(shell.session());
    services.notices.unsubscribe(bob.session());
  }

  Reply run_as_bob(std::string_view line) { return settle(bob.execute(line)); }
  // One second of the server's: whether something was due.
  bool tick(std::int64_t wall = 0) {
    const auto work = keeper.due(wall);
    if (work) {
      work();
    }
    return static_cast<bool>(work);
  }
  void probe() {
    const auto work = keeper.due_probe();
    ASSERT_TRUE(work);
    work();
  }

  Shell bob;
  Timekeeper keeper{services};
  std::vector<std::string> to_alice, to_bob;
};

TEST_F(TrialCommands, Confirmed_says_when_it_goes_and_every_prompt_counts_down) {
  setup({"configure", "set system host-name r7"});
  EXPECT_EQ(run("commit confirmed 5").output,
            "commit confirmed will be automatically rolled back in 5 minutes unless confirmed\n"
            "commit complete\n");
  EXPECT_EQ(shell.above_prompt(), "# commit confirmed will be rolled back in 5 minutes\n[edit]");
  engine.clock += std::chrono::seconds(61);
  EXPECT_EQ(shell.above_prompt(), "# commit confirmed will be rolled back in 4 minutes\n[edit]");
  EXPECT_THAT(to_bob, ElementsAre("alice: commit confirmed will be automatically rolled back in 5 "
                                  "minutes unless confirmed"));
  EXPECT_TRUE(to_alice.empty());
  EXPECT_EQ(run("commit").output, "commit complete\n");
  EXPECT_EQ(shell.above_prompt(), "[edit]");
  EXPECT_FALSE(engine.trial());
}

TEST_F(TrialCommands, Minutes_default_to_ten_and_have_a_range) {
  setup({"configure", "set system host-name r7", "commit confirmed"});
  EXPECT_EQ(engine.trial()->terms.minutes, 10U);
  for (const auto* bad :
       {"commit confirmed 0", "commit confirmed 65536", "commit confirmed 99999999999999999999"}) {
    EXPECT_THAT(run(bad).errors, HasSubstr("is not within range (1..65535)")) << bad;
  }
  EXPECT_TRUE(run("commit confirmed 65535 comment \"x y\" and-quit label L1").ok);
  EXPECT_EQ(engine.trial()->terms.minutes, 65535U);
  EXPECT_EQ(engine.revisions().front().comment, "x y");
  EXPECT_EQ(engine.revisions().front().label, "L1");
  EXPECT_EQ(shell.banner(), "");
}

TEST_F(TrialCommands, Nobody_confirms_and_it_is_rolled_back_and_everybody_told) {
  const auto before = engine.running();
  setup({"configure", "set system host-name r7", "commit confirmed 5"});
  engine.clock += std::chrono::seconds(299);
  EXPECT_FALSE(tick());
  engine.clock += std::chrono::seconds(1);
  EXPECT_TRUE(tick(-1'000'000));  // the clock on the wall does not matter
  EXPECT_TRUE(engine.running() == before);
  EXPECT_THAT(to_alice, ElementsAre(HasSubstr("commit 2 by alice was not confirmed and has been "
                                              "rolled back to revision 1")));
  EXPECT_EQ(to_bob.back(), to_alice.back());
  EXPECT_FALSE(tick());
  // The candidate had nothing of its own, so it goes back too.
  EXPECT_EQ(run("show | compare").output, "");
}

TEST_F(TrialCommands, Edits_made_since_survive_the_rollback) {
  setup({"configure", "set system host-name r7", "commit confirmed 5",
         "set interfaces eth0 description mine"});
  engine.clock += std::chrono::minutes(5);
  EXPECT_TRUE(tick());
  EXPECT_THAT(run("show | compare").output, HasSubstr("description mine;"));
}

TEST_F(TrialCommands, A_check_confirms_only_for_its_owner_and_without_other_changes) {
  setup({"configure", "set system host-name r7", "commit confirmed 5"});
  run_as_bob("configure");
  EXPECT_EQ(run_as_bob("commit check").output, "configuration check succeeds\n");
  EXPECT_TRUE(engine.trial());

  setup({"set system host-name r8"});
  EXPECT_THAT(run("commit check").output, HasSubstr("revision 2 still waits for its confirmation"));
  EXPECT_TRUE(engine.trial());

  setup({"set system host-name r7"});
  EXPECT_EQ(run("commit check").output,
            "configuration check succeeds\ncommit confirmed: revision 2 is confirmed\n");
  EXPECT_FALSE(engine.trial());
}

TEST_F(TrialCommands, Another_user_is_asked_before_a_commit_confirms) {
  setup({"configure", "set system host-name r7", "commit confirmed 5"});
  run_as_bob("configure");
  const Reply asked = run_as_bob("commit");
  ASSERT_TRUE(asked.ask);
  EXPECT_THAT(asked.ask->text, StartsWith("commit confirmed by alice will be rolled back in 5 "));
  EXPECT_FALSE(asked.ask->yes_by_default);
  settle(bob.answer("no"));
  EXPECT_TRUE(engine.trial());
  run_as_bob("commit");
  EXPECT_EQ(settle(bob.answer("yes")).output, "commit complete\n");
  EXPECT_FALSE(engine.trial());
}

TEST_F(TrialCommands, A_yes_to_one_trial_is_no_yes_to_the_next) {
  setup({"configure", "set system host-name r7", "commit confirmed 5"});
  run_as_bob("configure");
  run_as_bob("commit");
  setup({"set system host-name r8", "commit confirmed 5"});
  EXPECT_THAT(settle(bob.answer("yes")).errors,
              HasSubstr("revision 3 has been committed meanwhile"));
  EXPECT_TRUE(engine.trial());
}

TEST_F(TrialCommands, Cancel_rejects_at_once) {
  const auto before = engine.running();
  setup({"configure"});
  EXPECT_THAT(run("commit confirmed cancel").errors, HasSubstr("no commit waits"));
  setup({"set system host-name r7", "commit confirmed 5"});
  EXPECT_EQ(run("commit confirmed cancel").output,
            "revision 2 has been rolled back\ncommit complete\n");
  EXPECT_TRUE(engine.running() == before);
  EXPECT_FALSE(tick());
}

TEST_F(TrialCommands, A_command_that_decides_is_understood_before_the_commit) {
  setup({"configure", "set system host-name r7"});
  for (const auto* bad :
       {"commit confirmed 5 verify \"request system reboot\"", "commit confirmed 5 verify \"ping\"",
        "commit confirmed 5 verify \"show version | count\"",
        "commit confirmed 5 verify \"ping 192.0.2.1 | match x\"",
        "commit confirmed 5 verify \"show version | match (\"",
        "commit confirmed 5 verify \"show version | match ((((a{99}){99}){99}){99})\"",
        "commit confirmed 5 verify \"show configuration\"", "commit confirmed 5 verify"}) {
    EXPECT_FALSE(run(bad).ok) << bad;
  }
  EXPECT_FALSE(engine.trial());
  EXPECT_TRUE(run("commit confirmed 5 verify \"show version | match Hostname\"").ok);
}

TEST_F(TrialCommands, Three_successes_in_a_row_confirm) {
  setup({"configure", "set system host-name r7",
         "commit confirmed 5 verify \"show version | match Millrace | except Junos\""});
  for (int second = 0; second < 3; ++second) {
    EXPECT_FALSE(tick());
    probe();
  }
  EXPECT_TRUE(tick());
  EXPECT_FALSE(engine.trial());
  EXPECT_THAT(to_bob.back(), HasSubstr("commit 2 by alice is confirmed: 'show version"));
}

TEST_F(TrialCommands, A_command_that_fails_rolls_back_at_the_deadline) {
  const auto before = engine.running();
  setup({"configure", "set system host-name r7",
         "commit confirmed 1 verify \"show version | match nowhere\""});
  for (int second = 0; second < 5; ++second) {
    probe();
    EXPECT_FALSE(tick());
  }
  engine.clock += std::chrono::minutes(1);
  EXPECT_TRUE(tick());
  EXPECT_TRUE(engine.running() == before);
  EXPECT_THAT(to_bob.back(),
              HasSubstr("was not confirmed ('show version | match nowhere' fails: it "
                        "has no output) and has been rolled back"));
}

TEST_F(TrialCommands, A_commit_at_waits_locks_and_runs) {
  setup({"configure", "set system host-name r7"});
  const Reply reply = run("commit at \"2099-01-02 03:04\" comment night");
  EXPECT_THAT(reply.output,
              ::testing::MatchesRegex("configuration check succeeds\n"
                                      "commit at will be executed at 2099-01-02 03:04:00 .*\n"
                                      "Exiting configuration mode\n"));
  setup({"configure"});
  for (const auto* locked : {"set system host-name r8", "commit", "rollback", "top set system"}) {
    EXPECT_THAT(run(locked).errors, HasSubstr("a commit by alice will be executed at 2099-"))
        << locked;
  }
  EXPECT_THAT(run("show").output, HasSubstr("host-name r7;"));
  const auto at = *engine.schedule().waiting()->at;
  EXPECT_FALSE(tick(at - 1));
  EXPECT_TRUE(tick(at));
  EXPECT_EQ(engine.revisions().front().comment, "night");
  EXPECT_THAT(to_bob.back(), HasSubstr("the scheduled commit of alice is complete: revision 2"));
  EXPECT_FALSE(tick(at + 1));
}

TEST_F(TrialCommands, A_commit_that_waits_for_an_answer_does_not_overtake_one_that_is_scheduled) {
  setup({"configure", "set system host-name r7", "commit confirmed 5"});
  setup({"set system host-name r8"});
  run_as_bob("configure");
  EXPECT_TRUE(run_as_bob("commit").ask);
  ASSERT_TRUE(services.engine.schedule().add({}, services.engine.running()));
  const Reply reply = settle(bob.answer("yes"));
  EXPECT_THAT(reply.errors, HasSubstr("will be executed at reboot"));
  EXPECT_FALSE(reply.ok);
}

TEST_F(TrialCommands, Times_are_read_strictly) {
  const std::int64_t now = 1'800'000'000;
  EXPECT_GT(*read_time("00:00", now), now);
  EXPECT_LE(*read_time("00:00", now), now + 86400);
  EXPECT_EQ(*read_time("2027-02-28 10:20:30", now) - *read_time("2027-02-28 10:20", now), 30);
  for (const auto* bad : {"", "1:00", "24:00", "12:60", "12:00:61", "2027-02-30 10:00",
                          "2027-13-01 10:00", "2027-02-01", "tomorrow", "12:00 "}) {
    EXPECT_FALSE(read_time(bad, now)) << bad;
  }
}

TEST_F(TrialCommands, What_does_not_go_together_is_refused) {
  setup({"configure", "set system host-name r7"});
  for (const auto* bad :
       {"commit check comment x", "commit check and-quit", "commit prepare full",
        "commit at reboot confirmed 5", "commit check prepare", "commit activate full",
        "commit confirmed cancel comment x", "commit at", "commit at 99:99", "commit label 9x"}) {
    EXPECT_FALSE(run(bad).ok) << bad;
  }
  EXPECT_THAT(run("commit synchronize").errors, HasSubstr("this router has one engine"));
  EXPECT_TRUE(engine.running().empty());
}

}  // namespace
}  // namespace millrace::server
