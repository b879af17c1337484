// SPDX-License-Identifier: GPL-2.0-or-later
#include <format>

#include <gmock/gmock.h>

#include "ops/policy_evaluation.h"
#include "support/junos_policy.h"
#include "support/random_policy.h"
#include "unit/ops/captured_frr.h"

namespace millrace::ops {
namespace {

class TestPolicy : public CapturedRouter {
 protected:
  void configure(std::string text) {
    tree::Editor editor(engine.running());
    const auto report = tree::load(editor, {}, std::move(text), tree::LoadAction::Set);
    EXPECT_TRUE(report.errors.empty()) << report.to_string("test");
    EXPECT_TRUE(engine.commit({editor.tree(), "alice", "cli", ""}, nullptr).committed);
  }
};

TEST_F(TestPolicy, Prints_active_routes_that_pass_and_counts_all) {
  configure(
      "set policy-options as-path long \".* 65010 .*\"\n"
      "set policy-options policy-statement P term a from protocol static\n"
      "set policy-options policy-statement P term a from route-filter 172.16.0.0/14 orlonger\n"
      "set policy-options policy-statement P term a then accept\n"
      "set policy-options policy-statement P term b from protocol bgp\n"
      "set policy-options policy-statement P term b from neighbor 10.0.1.3\n"
      "set policy-options policy-statement P term b then accept\n"
      "set policy-options policy-statement P then reject\n"
      "set policy-options policy-statement PATH term a from as-path long\n"
      "set policy-options policy-statement PATH term a then reject\n");
  expect_golden("test-policy", text(test_policy, {{"policy", "P"}, {"prefix", "0.0.0.0/0"}}));
  // The path with 65010 is not in use; behind the last term everything passes.
  EXPECT_THAT(text(test_policy, {{"policy", "PATH"}, {"prefix", "198.51.0.0/16"}}),
              ::testing::HasSubstr("Policy PATH: 1 prefix accepted, 0 prefix rejected\n"));
  EXPECT_EQ(text(test_policy, {{"policy", "NONE"}, {"prefix", "0.0.0.0/0"}}),
            "ERROR policy 'NONE' is not defined");
}

// A condition or an action that is added to the language has to be added to the evaluation.
TEST_F(TestPolicy, Knows_every_condition_and_action) {
  const auto names = [&](std::string_view path) {
    std::vector<std::string> out;
    for (const auto& child : templates().find(path)->children) {
      if (child->support == schema::Support::Works && child->role == schema::Role::None) {
        out.push_back(child->name);
      }
    }
    return out;
  };
  using ::testing::UnorderedElementsAre;
  const std::string term = "policy-options policy-statement term ";
  EXPECT_THAT(names(term + "from"),
              UnorderedElementsAre("as-path", "as-path-group", "community", "family", "interface",
                                   "local-preference", "metric", "neighbor", "next-hop", "origin",
                                   "policy", "prefix-list", "prefix-list-filter", "protocol", "rib",
                                   "route-filter", "tag"));
  EXPECT_THAT(
      names(term + "then"),
      UnorderedElementsAre("accept", "as-path-expand", "as-path-prepend", "community",
                           "default-action", "external", "load-balance", "local-preference",
                           "metric", "next", "next-hop", "origin", "preference", "reject", "tag"));
}

std::string path_of(const support::Route& route) {
  std::string text;
  for (const auto as : route.path) {
    text += std::format("{}{}", text.empty() ? "" : " ", as);
  }
  return text;
}

PolicyRoute tested(const support::Route& route) {
  PolicyRoute out{.prefix = route.prefix,
                  .protocol = route.protocol,
                  .neighbor = route.neighbor,
                  .next_hop = route.next_hop,
                  .as_path = path_of(route),
                  .origin = route.origin,
                  .local_preference = route.local_preference,
                  .med = route.med,
                  .tag = route.tag};
  for (const auto community : route.communities) {
    out.communities.push_back(std::format("{}:{}", community >> 16U, community & 0xFFFFU));
  }
  out.communities.insert(out.communities.end(), route.extended.begin(), route.extended.end());
  for (const auto& community : route.large) {
    out.communities.push_back("large:" + community);
  }
  return out;
}

// Random policies: what is evaluated here is what the judge of the policy compiler says. Policies
// that look where a route goes are left out, as this command has no such place.
TEST_F(TestPolicy, Decides_and_changes_as_the_independent_evaluator) {
  const int rounds = std::getenv("MILLRACE_RELEASE") ? 300 : 8;
  support::Random random;
  int accepted = 0;
  int rejected = 0;
  for (int round = 0; round < rounds; ++round) {
    support::RandomPolicy policy(random, false);
    std::string lines;
    std::istringstream all(policy.definitions());
    for (std::string line; std::getline(all, line);) {
      if (!line.contains(" to ") && !line.contains("next-hop self") &&
          !line.contains("next-hop peer-address")) {
        lines += line + "\n";
      }
    }
    tree::Editor editor{tree::ConfigTree(templates())};
    const auto report = tree::load(editor, {}, lines, tree::LoadAction::Set);
    ASSERT_TRUE(report.errors.empty()) << report.to_string("test");
    const PolicyEvaluation mine(editor.tree());
    const support::JunosPolicy judge(editor.tree(), {false, "192.0.2.1", "192.0.2.100"});
    for (int count = 0; count < 40; ++count) {
      const support::Route route = policy.route();
      for (const char* const name : {"p0", "p1", "p2"}) {
        const auto wanted = judge.evaluate({name}, route);
        PolicyRoute changed = tested(route);
        const bool found = mine.accepts(name, changed, route.protocol == "bgp");
        ASSERT_EQ(found, wanted.accepted) << name << " of " << route.to_string() << "\n" << lines;
        (found ? accepted : rejected) += 1;
        if (found) {
          const PolicyRoute expected = tested(wanted.route);
          EXPECT_EQ(changed.as_path, expected.as_path);
          EXPECT_EQ(changed.local_preference, expected.local_preference);
          EXPECT_EQ(changed.med, expected.med);
          EXPECT_EQ(changed.tag, expected.tag);
          EXPECT_EQ(changed.origin, expected.origin);
          EXPECT_EQ(changed.next_hop, expected.next_hop);
          EXPECT_THAT(changed.communities,
                      ::testing::UnorderedElementsAreArray(expected.communities));
        }
      }
    }
  }
  EXPECT_GT(accepted, rounds);
  EXPECT_GT(rejected, rounds);
}

}  // namespace
}  // namespace millrace::ops
