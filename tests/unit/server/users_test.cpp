// SPDX-License-Identifier: GPL-2.0-or-later
//
// Several users: who may enter in which mode, whose edits a commit takes, what leaving throws away.
#include <gmock/gmock.h>

#include "server/connection.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Users : public ShellTest {
 protected:
  Users() : bob(services, {1001, 43, "bob", true}, services.sessions.next_number()) {
    bob.set_client("cli", {});
  }

  Reply as_bob(std::string_view line) { return settle(bob.execute(line)); }
  std::string running() { return run("run show configuration | display set").output; }
  // Puts lines into force before anybody edits.
  void in_force(std::initializer_list<std::string_view> lines) {
    setup({"configure"});
    setup(lines);
    setup({"commit", "exit"});
  }

  Shell bob;
};

TEST_F(Users, Private_candidates_do_not_see_each_other_and_a_commit_takes_only_ones_own) {
  const Reply entered = run("configure private");
  EXPECT_EQ(entered.errors, "warning: uncommitted changes will be discarded on exit\n");
  EXPECT_EQ(entered.output, "Entering configuration mode\n");
  EXPECT_THAT(as_bob("configure private").output,
              HasSubstr("Users currently editing the configuration:\n  alice (pid 42) on since "));
  EXPECT_THAT(as_bob("status").output, HasSubstr("\n      private [edit]\n"));
  setup({"set system host-name r7"});
  as_bob("set interfaces eth0 mtu 1400");
  EXPECT_EQ(as_bob("show system").output, "");
  EXPECT_EQ(run("commit").output, "commit complete\n");
  EXPECT_EQ(running(), "set system host-name r7\n");
  EXPECT_EQ(as_bob("show | compare | display set").output, "set interfaces eth0 mtu 1400\n");
  EXPECT_EQ(as_bob("commit").output, "commit complete\n");
  EXPECT_EQ(running(), "set system host-name r7\nset interfaces eth0 mtu 1400\n");
  EXPECT_EQ(as_bob("show system").output, "host-name r7;\n");
}

TEST_F(Users, A_conflict_stops_the_first_commit_and_not_the_second) {
  in_force({"set system host-name r7", "set interfaces eth0 mtu 1400"});
  setup({"configure private"});
  as_bob("configure private");
  setup({"set interfaces eth0 mtu 1500", "commit"});
  as_bob("set interfaces eth0 mtu 1600");
  as_bob("set interfaces eth0 description uplink");
  const Reply checked = as_bob("commit check");
  EXPECT_FALSE(checked.ok);
  const Reply refused = as_bob("commit");
  EXPECT_FALSE(refused.ok);
  EXPECT_THAT(refused.errors, HasSubstr("[edit interfaces eth0]\n  'mtu'\n"));
  EXPECT_THAT(refused.errors, HasSubstr("yours: 1600; committed: 1500; before: 1400"));
  EXPECT_THAT(refused.errors, Not(HasSubstr("'description'")));
  EXPECT_THAT(refused.errors, HasSubstr("error: commit failed: "));
  EXPECT_EQ(as_bob("commit").output, "commit complete\n");
  EXPECT_EQ(run("run show configuration interfaces | display set").output,
            "set interfaces eth0 description uplink\nset interfaces eth0 mtu 1600\n");
}

TEST_F(Users, A_conflict_that_was_not_reported_yet_stops_the_repeat) {
  in_force({"set interfaces eth0 mtu 1400"});
  setup({"configure private"});
  as_bob("configure private");
  setup({"set interfaces eth0 mtu 1500", "commit"});
  as_bob("set interfaces eth0 mtu 1600");
  EXPECT_FALSE(as_bob("commit").ok);
  setup({"set interfaces eth0 mtu 1700", "commit"});
  EXPECT_THAT(as_bob("commit").errors, HasSubstr("committed: 1700"));
  EXPECT_TRUE(as_bob("commit").ok);
}

TEST_F(Users, Update_takes_in_what_others_committed) {
  in_force({"set interfaces eth0 mtu 1400"});
  setup({"configure private"});
  as_bob("configure private");
  as_bob("set interfaces eth0 mtu 1600");
  EXPECT_THAT(as_bob("status").output, Not(HasSubstr("!")));
  setup({"set system host-name r7", "commit"});
  EXPECT_THAT(as_bob("status").output, HasSubstr("! The configuration in force has changed"));
  EXPECT_EQ(as_bob("update").output, "update complete\n");
  EXPECT_EQ(as_bob("show system").output, "host-name r7;\n");
  EXPECT_EQ(as_bob("show | compare | display set").output, "set interfaces eth0 mtu 1600\n");
  setup({"set interfaces eth0 mtu 1500", "commit"});
  const Reply conflicting = as_bob("update");
  EXPECT_EQ(conflicting.output, "update complete (1 conflict)\n");
  EXPECT_THAT(conflicting.errors, HasSubstr("yours: 1600; committed: 1500"));
  EXPECT_TRUE(as_bob("commit").ok);
  EXPECT_FALSE(run("exit").ask);
  EXPECT_FALSE(run("update").ok);
}

TEST_F(Users, A_private_candidate_is_committed_from_the_top_and_dropped_on_leaving) {
  setup({"configure private", "edit interfaces eth0", "set mtu 1400"});
  EXPECT_THAT(run("commit").errors, HasSubstr("'top commit' does"));
  EXPECT_TRUE(run("top commit").ok);
  setup({"set mtu 1500", "top"});
  const Reply leaving = run("exit");
  ASSERT_TRUE(leaving.ask);
  EXPECT_EQ(leaving.ask->text, "Discard uncommitted changes?");
  EXPECT_TRUE(leaving.ask->yes_by_default);
  EXPECT_EQ(settle(shell.answer("")).output, "Exiting configuration mode\n");
  setup({"configure"});
  EXPECT_EQ(run("show interfaces eth0").output, "mtu 1400;\n");
}

TEST_F(Users, Private_and_shared_edits_keep_out_of_each_others_way) {
  setup({"configure"});
  as_bob("configure private");
  EXPECT_THAT(run("set system host-name r7").errors, HasSubstr("error: private edits in use"));
  EXPECT_FALSE(run("rollback 0").ok);
  Shell carol(services, {1002, 44, "carol", true}, services.sessions.next_number());
  const Reply refused = settle(carol.execute("configure"));
  EXPECT_EQ(refused.errors,
            "error: private edits in use\n"
            "  try 'configure private' or 'configure exclusive'\n");
  EXPECT_FALSE(carol.configuring());
  as_bob("set system host-name r8");
  as_bob("commit and-quit");
  // The shared candidate follows what was committed without it.
  EXPECT_EQ(run("show system").output, "host-name r8;\n");
  EXPECT_TRUE(run("set interfaces eth0 mtu 1400").ok);
  const Reply modified = as_bob("configure private");
  EXPECT_THAT(modified.errors, HasSubstr("error: configuration database modified\n"));
  EXPECT_THAT(as_bob("configure exclusive").errors,
              HasSubstr("error: configuration database modified\n"));
}

TEST_F(Users, An_exclusive_session_lets_others_look_only) {
  const Reply entered = run("configure exclusive");
  EXPECT_EQ(entered.errors, "warning: uncommitted changes will be discarded on exit\n");
  setup({"edit interfaces", "set eth0 mtu 1400"});
  const Reply looking = as_bob("configure");
  EXPECT_THAT(looking.output, HasSubstr("      exclusive [edit interfaces]\n"));
  EXPECT_EQ(as_bob("show interfaces eth0").output, "mtu 1400;\n");
  for (const auto* line : {"set system host-name r7", "delete interfaces", "rollback 0", "commit",
                           "rename interfaces eth0 to eth1"}) {
    const Reply refused = as_bob(line);
    EXPECT_FALSE(refused.ok) << line;
    EXPECT_THAT(refused.errors,
                HasSubstr("error: configuration database locked by:\n  alice (pid "))
        << line;
  }
  as_bob("exit");
  settle(bob.answer("yes"));
  for (const auto* line : {"configure private", "configure exclusive"}) {
    EXPECT_THAT(as_bob(line).errors, HasSubstr("database locked by:")) << line;
  }
  run("top");
  ASSERT_TRUE(run("exit").ask);
  settle(shell.answer("yes"));
  as_bob("configure exclusive");
  EXPECT_EQ(as_bob("show interfaces").output, "");
  EXPECT_TRUE(as_bob("set system host-name r7").ok);
  EXPECT_TRUE(as_bob("commit").ok);
}

TEST_F(Users, A_private_candidate_waits_for_an_exclusive_one) {
  setup({"configure private", "set system host-name r7"});
  as_bob("configure exclusive");
  as_bob("set interfaces eth0 mtu 1400");
  EXPECT_THAT(run("commit").errors, HasSubstr("locked by:\n  bob"));
  as_bob("commit and-quit");
  EXPECT_TRUE(run("commit").ok);
  EXPECT_EQ(running(), "set system host-name r7\nset interfaces eth0 mtu 1400\n");
}

TEST_F(Users, A_session_that_ends_gives_up_its_lock_and_its_edits) {
  {
    Shell carol(services, {1002, 44, "carol", true}, services.sessions.next_number());
    settle(carol.execute("configure exclusive"));
    settle(carol.execute("set system host-name r9"));
  }
  EXPECT_TRUE(run("configure exclusive").ok);
  EXPECT_EQ(run("show system").output, "");
  EXPECT_THAT(run("status").output, Not(HasSubstr("carol")));
}

TEST_F(Users, The_default_mode_is_configurable) {
  in_force({"set system configuration-mode-default private"});
  EXPECT_THAT(run("configure").errors, HasSubstr("will be discarded on exit"));
  as_bob("configure private");
  EXPECT_FALSE(run("exit").ask);
  EXPECT_THAT(run("configure shared").errors, HasSubstr("private edits in use"));
  as_bob("exit");
  EXPECT_EQ(run("configure shared").errors, "");
}

TEST_F(Users, The_default_mode_may_come_from_a_group) {
  in_force({"set groups g system configuration-mode-default private", "set apply-groups g"});
  EXPECT_THAT(run("configure").errors, HasSubstr("will be discarded on exit"));
  run("exit");
  in_force({"deactivate apply-groups"});
  EXPECT_EQ(run("configure").errors, "");
}

TEST_F(Users, There_are_at_most_32_editors) {
  std::vector<std::unique_ptr<Shell>> shells;
  for (std::size_t count = 0; count < kMaxEditors; ++count) {
    shells.push_back(std::make_unique<Shell>(services, Peer{0, 50, "user", true},
                                             services.sessions.next_number()));
    EXPECT_TRUE(settle(shells.back()->execute("configure")).ok);
  }
  EXPECT_THAT(run("configure").errors, HasSubstr("32 users edit the configuration already"));
  shells.pop_back();
  EXPECT_TRUE(run("configure").ok);
}

// Edits that are made while a commit is under way are a change of what it commits.
TEST_F(Users, Edits_during_a_shared_commit_stay_edits) {
  in_force({"set system host-name r7"});
  setup({"configure", "set system host-name r8", "set interfaces eth0 mtu 1400"});
  as_bob("configure");
  engine.while_committing = [&] {
    as_bob("set system host-name r7");
    as_bob("set interfaces eth0 mtu 1500");
  };
  EXPECT_TRUE(run("commit").ok);
  engine.while_committing = nullptr;
  EXPECT_EQ(run("show | compare | display set").output,
            "set system host-name r7\nset interfaces eth0 mtu 1500\n");
}

// A trial that runs out: the configuration in force goes back without the candidate.
TEST_F(Users, The_shared_candidate_follows_what_comes_into_force_without_it) {
  in_force({"set system host-name r7"});
  const auto before = engine.running();
  in_force({"set interfaces eth0 mtu 1400"});
  setup({"configure", "set interfaces eth1 mtu 1500"});
  engine.commit({before, "root", "other", ""}, nullptr);
  EXPECT_EQ(run("show | compare | display set").output, "set interfaces eth1 mtu 1500\n");
}

TEST_F(Users, What_is_scheduled_is_the_candidate_again_after_a_restart) {
  setup({"configure", "set system host-name r8", "commit at reboot"});
  Services restarted(templates(), engine, [this] { return make_system(); }, "1.2.3");
  Shell carol(restarted, {1002, 44, "carol", true}, restarted.sessions.next_number());
  settle(carol.execute("configure"));
  EXPECT_EQ(settle(carol.execute("show system")).output, "host-name r8;\n");
}

TEST_F(Users, Logging_out_names_one_session_or_all_of_a_user) {
  std::vector<std::string> said;
  const auto connected = [&](std::uint64_t session) {
    services.sessions.set_dismiss(session, [&said, session, this](const std::string& text) {
      said.push_back((session == bob.session() ? "bob: " : "other: ") + text);
    });
  };
  Shell second(services, {1001, 44, "bob", true}, services.sessions.next_number());
  second.set_client("cli", {true, "pts/7"});
  connected(bob.session());
  connected(second.session());
  EXPECT_THAT(run("request system logout user bob").errors, HasSubstr("bob has 2 sessions"));
  EXPECT_THAT(run("request system logout user carol").errors,
              HasSubstr("no session of that user: 'carol'"));
  EXPECT_FALSE(run("request system logout").ok);
  EXPECT_FALSE(run("request system logout nobody 1").ok);
  EXPECT_EQ(said.size(), 0U);
  EXPECT_EQ(run("request system logout pid 43").output, "1 session ended\n");
  EXPECT_EQ(run("request system logout terminal pts/7").output, "1 session ended\n");
  EXPECT_EQ(run("request system logout user bob all").output, "2 sessions ended\n");
  ASSERT_EQ(said.size(), 4U);
  EXPECT_THAT(said[0], ::testing::MatchesRegex("bob: alice@.* has logged you out"));
  EXPECT_THAT(said[1], ::testing::StartsWith("other: "));
}

TEST_F(Users, Messages_reach_those_who_are_named) {
  std::string heard;
  services.notices.subscribe(bob.session(), [&](const std::string& text) { heard += text + ";"; });
  EXPECT_TRUE(run("request message all message \"reboot at ten\"").ok);
  EXPECT_THAT(heard, HasSubstr("Message from alice@"));
  EXPECT_THAT(heard, HasSubstr(":\nreboot at ten;"));
  EXPECT_FALSE(run("request message all message \"a\tb\"").ok);
  EXPECT_FALSE(run("request message all").ok);
}

TEST_F(Users, The_idle_limit_is_the_smaller_one_of_user_and_class) {
  EXPECT_EQ(shell.idle_limit(), 0U);
  services.idle_limit = [](const Peer&) { return 30U; };
  EXPECT_EQ(shell.idle_limit(), 0U) << "no terminal: a program";
  shell.set_client("cli", {true, "pts/1"});
  EXPECT_EQ(shell.idle_limit(), 30U);
  EXPECT_EQ(run("set cli idle-timeout 10").output, "Idle timeout set to 10 minutes\n");
  EXPECT_EQ(shell.idle_limit(), 10U);
  run("set cli idle-timeout 0");
  EXPECT_EQ(shell.idle_limit(), 30U);
  services.idle_limit = [](const Peer&) { return 4'294'967'295U; };
  EXPECT_EQ(shell.idle_limit(), 100'000U);
}

TEST(Crowd, One_user_cannot_take_every_place_and_root_always_finds_one) {
  Limits limits;
  limits.connections = 4;
  limits.per_user = 3;
  EXPECT_EQ(crowded({}, 7, limits), "");
  EXPECT_EQ(crowded({7, 7, 7}, 7, limits), "too many connections of this user: 3");
  EXPECT_EQ(crowded({7, 7, 7}, 8, limits), "");
  EXPECT_EQ(crowded({7, 7, 7, 8}, 8, limits), "too many connections");
  EXPECT_EQ(crowded({7, 7, 7, 0, 0}, 8, limits), "");
  EXPECT_EQ(crowded({7, 7, 7, 8}, 0, limits), "");
  EXPECT_EQ(crowded({0, 0, 0, 0}, 0, limits), "too many connections");
}

}  // namespace
}  // namespace millrace::server
