// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ways around a class: what reaches a statement without naming it, and commands whose failure would
// tell of what is hidden.
#include <gmock/gmock.h>

#include "unit/server/access_fixture.h"

namespace millrace::server {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kHash =
    "$6$abcdefgh$0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ./"
    "0123456789abcdefghijkl";

class ReachTest : public AccessTest {
 protected:
  std::unique_ptr<Shell> editing(std::string_view how = "configure") {
    auto user = login("bob");
    EXPECT_TRUE(run_as(*user, how).ok);
    return user;
  }
  std::string candidate(Shell& user) { return tree::to_set(user.candidate().snapshot(), {}, {}); }
};

constexpr const char* kNotEth1 =
    "permissions [ configure interface-control ]\ndeny-configuration \"interfaces eth1\"";

TEST_F(ReachTest, A_group_that_applies_reaches_only_what_may_be_changed) {
  with_class(kNotEth1);
  in_force(
      "set groups g interfaces <*> description lab\nset interfaces eth0 mtu 1500\n"
      "set apply-groups g\n");
  auto user = editing();
  EXPECT_TRUE(run_as(*user, "set groups g interfaces <*> mtu 1400").ok);
  in_force("set interfaces eth1 mtu 1500\n");
  const auto reply = run_as(*user, "set groups g interfaces <*> unit 0 description x");
  EXPECT_THAT(reply.errors, AllOf(HasSubstr("permission denied"), Not(HasSubstr("eth1"))));
  EXPECT_THAT(run_as(*user, "delete groups g interfaces <*> description").errors,
              HasSubstr("permission denied"));
  EXPECT_THAT(run_as(*user, "deactivate groups g interfaces").errors,
              HasSubstr("permission denied"));
  EXPECT_TRUE(run_as(*user, "set groups g interfaces <eth0> unit 0 description x").ok);
}

TEST_F(ReachTest, A_range_reaches_only_what_may_be_changed) {
  with_class(kNotEth1);
  in_force(
      "set interfaces interface-range ports member eth0\n"
      "set interfaces interface-range all member eth*\nset interfaces eth1 unit 0\n");
  auto user = editing();
  EXPECT_TRUE(run_as(*user, "set interfaces interface-range ports mtu 1400").ok);
  for (const std::string_view line :
       {"set interfaces interface-range ports member eth1",
        "set interfaces interface-range ports member eth[0-1]",
        "set interfaces interface-range ports member-range eth0 to eth2",
        "set interfaces interface-range all mtu 1400",
        "set groups g interfaces interface-range <*> mtu 1400"}) {
    const auto before = candidate(*user);
    const auto reply = run_as(*user, line);
    if (reply.ok) {  // a group that does not apply changes nothing
      EXPECT_TRUE(line.starts_with("set groups")) << line;
      continue;
    }
    EXPECT_THAT(reply.errors, HasSubstr("permission denied")) << line;
    EXPECT_EQ(candidate(*user), before) << line;
  }
  auto loads = run_as(*user, "load set terminal");
  loads = settle(user->input("set interfaces interface-range ports member eth1\n"));
  EXPECT_THAT(loads.errors, HasSubstr("permission denied"));
}

TEST_F(ReachTest, A_private_candidate_is_judged_by_what_it_comes_to_at_the_commit) {
  with_class(kNotEth1);
  in_force("set groups g interfaces <*> description lab\nset interfaces eth1 unit 0\n");
  auto user = editing("configure private");
  EXPECT_TRUE(run_as(*user, "set groups g interfaces <*> mtu 1400").ok);
  in_force("set apply-groups g\n");
  EXPECT_THAT(run_as(*user, "commit").errors, HasSubstr("permission denied"));
  EXPECT_THAT(tree::to_set(engine.running(), {}, {}), Not(HasSubstr("1400")));
  in_force("delete apply-groups\n");
  EXPECT_TRUE(run_as(*user, "commit").ok);
}

TEST_F(ReachTest, Who_may_change_everything_uses_groups_as_ever) {
  with_class("permissions all");
  in_force("set interfaces eth1 mtu 1500\n");
  auto user = editing();
  EXPECT_TRUE(run_as(*user, "set groups g interfaces <*> mtu 1400").ok);
  EXPECT_TRUE(run_as(*user, "set apply-groups g").ok);
  EXPECT_TRUE(run_as(*user, "commit").ok);
}

// Whether a pattern matched would tell the secret letter by letter.
TEST_F(ReachTest, Patterns_do_not_meet_what_is_hidden) {
  with_class("permissions [ configure admin-control system-control ]");
  in_force("set system login user eve class read-only authentication encrypted-password \"" +
           std::string(kHash) + "\"\nset interfaces eth0 description \"$6$abc\"\n");
  auto user = editing();
  for (const std::string_view line :
       {"replace pattern ^.6.a.* with x", "replace pattern abcdefgh with x",
        "replace pattern ^.6.zz.* with x"}) {
    const auto reply = run_as(*user, line);
    EXPECT_THAT(reply.errors + reply.output,
                AllOf(HasSubstr("statement not found"), Not(HasSubstr("0123456789"))))
        << line;
    run_as(*user, "load set terminal");
    const auto loaded = settle(user->input(std::string(line) + "\n"));
    EXPECT_THAT(loaded.errors, AllOf(HasSubstr("statement not found"), Not(HasSubstr("eth0"))))
        << line;
  }
  EXPECT_THAT(candidate(*user), AllOf(HasSubstr(kHash), HasSubstr("$6$abc")));
  EXPECT_TRUE(run_as(*user, "replace pattern read-only with operator").ok);
  EXPECT_THAT(candidate(*user), AllOf(HasSubstr("class operator"), HasSubstr(kHash)));
}

TEST_F(ReachTest, A_hidden_part_survives_what_is_loaded_over_it) {
  with_class("permissions [ configure admin-control system-control ]");
  in_force("set system login user eve class read-only authentication encrypted-password \"" +
           std::string(kHash) + "\"\nset system login user eve full-name Eve\n");
  auto user = editing();
  run_as(*user, "load update terminal");
  const auto shown = run_as(*user, "show");
  settle(user->input(run_as(*login("bob"), "show configuration").output));
  EXPECT_THAT(shown.output, Not(HasSubstr("0123456789")));
  EXPECT_THAT(candidate(*user), HasSubstr(kHash));
}

TEST_F(ReachTest, Only_who_may_change_everything_takes_back_the_trial_of_another) {
  with_class(kNotEth1);
  run("configure");
  run("set interfaces eth1 mtu 1400");
  ASSERT_TRUE(run("commit confirmed 10").ok);
  auto user = editing();
  EXPECT_THAT(run_as(*user, "commit confirmed cancel").errors, HasSubstr("permission denied"));
  EXPECT_TRUE(engine.trial());
}

}  // namespace
}  // namespace millrace::server
