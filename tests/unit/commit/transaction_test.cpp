// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/transaction.h"

#include <gmock/gmock.h>

#include "unit/commit/toy.h"

namespace millrace::commit {
namespace {

Plan plan_of_every_phase(const std::string& name) {
  Plan plan;
  for (const Phase phase : {Phase::Retire, Phase::Switch, Phase::Build, Phase::Teardown}) {
    plan.add(phase, std::make_unique<toy::FileStep>(name + "1", std::nullopt, ""));
    plan.add(phase, std::make_unique<toy::FileStep>(name + "2", std::nullopt, ""));
  }
  return plan;
}

TEST(Steps, Go_up_the_appliers_to_build_and_switch_and_down_to_tear_down_and_retire) {
  std::vector<std::pair<std::string, Plan>> plans;
  plans.emplace_back("a", plan_of_every_phase("a"));
  plans.emplace_back("b", plan_of_every_phase("b"));
  std::string order;
  for (const PlannedStep& step : order_steps(std::move(plans))) {
    order += std::to_string(static_cast<int>(step.phase)) +
             step.step->description().substr(std::string("write ").size()) + " ";
  }
  EXPECT_EQ(order, "0b1 0b2 0a1 0a2 1a1 1a2 1b1 1b2 2a1 2a2 2b1 2b2 3b1 3b2 3a1 3a2 ");
}

TEST(Steps, That_failed_are_undone_with_those_before_them) {
  test::FakeSystem fake;
  system::System system = fake.view();
  Plan plan;
  plan.add(Phase::Build, std::make_unique<toy::FileStep>("/1", std::nullopt, "x"));
  plan.add(Phase::Build, std::make_unique<toy::FileStep>("/2", std::nullopt, "x"));
  plan.add(Phase::Build, std::make_unique<toy::FileStep>("/3", std::nullopt, "x"));
  std::vector<std::pair<std::string, Plan>> plans;
  plans.emplace_back("a", std::move(plan));
  toy::Interruption after_the_second(toy::Interruption::Kind::Fail, 3 + 3);
  Transaction transaction(order_steps(std::move(plans)), system, &after_the_second);
  ASSERT_TRUE(transaction.prepare());
  const auto applied = transaction.apply();
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().message, "a: cannot write /2: injected");
  EXPECT_EQ(fake.files.all().size(), 2U);
  EXPECT_TRUE(transaction.undo().empty());
  EXPECT_TRUE(fake.files.all().empty());
}

}  // namespace
}  // namespace millrace::commit
