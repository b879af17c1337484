// SPDX-License-Identifier: GPL-2.0-or-later
//
// What golden cases do not show: hardware that comes and goes, and reconciling with a kernel that
// somebody else has changed.
#include <gmock/gmock.h>

#include "support/fake_system.h"
#include "unit/appliers/world.h"

namespace millrace::appliers {
namespace {

using ::testing::ElementsAre;

constexpr const char* kConfigured =
    "set interfaces eth0 description lake\n"
    "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n"
    "set interfaces eth1 vlan-tagging\n"
    "set interfaces eth1 unit 5 vlan-id 50\n"
    "set interfaces eth1 unit 5 family inet6 address 2001:db8::1/64\n";

class InterfacesApplier : public ::testing::Test {
 protected:
  void SetUp() override {
    system_.kernel.plug("eth0");
    system_.kernel.plug("eth1");
  }

  const commit::Applier& interfaces() const { return test::applier(registry_, "interfaces"); }

  commit::World without(commit::World world, const std::string& link) const {
    auto facts = std::make_shared<commit::Facts>(*world.facts);
    facts->links.erase(link);
    world.facts = facts;
    return world;
  }

  commit::Plan plan(const commit::World& before, const commit::World& after) const {
    return interfaces().plan(before, after, {before.tree, after.tree});
  }

  commit::Plan reconcile(const std::string& wanted) {
    auto system = system_.view();
    auto plan = interfaces().reconcile(test::world_of(wanted), system);
    EXPECT_TRUE(plan) << plan.error().to_string();
    return plan ? std::move(*plan) : commit::Plan();
  }

  void bring_to(const std::string& wanted) {
    auto plan = reconcile(wanted);
    const auto done = test::apply(plan, system_.view());
    ASSERT_TRUE(done) << done.error().to_string();
    auto left = reconcile(wanted);
    EXPECT_THAT(test::descriptions(left), ElementsAre());
  }

  std::string dump() const {
    std::string text;
    for (const std::string& line : system_.kernel.dump()) {
      text += line + "\n";
    }
    return text;
  }

  commit::Registry registry_ = make_registry(test::real_schema());
  test::FakeSystem system_;
};

TEST_F(InterfacesApplier, Configures_a_device_that_appears) {
  const auto world = test::world_of(kConfigured);
  auto plan = this->plan(without(world, "eth0"), world);
  EXPECT_THAT(test::descriptions(plan),
              ElementsAre("manage eth0", "set alias of eth0 to 'lake'", "bring up eth0",
                          "add address 192.0.2.1/24 to eth0"));
}

TEST_F(InterfacesApplier, Configures_the_VLANs_of_a_device_that_appears) {
  const auto world = test::world_of(kConfigured);
  auto plan = this->plan(without(world, "eth1"), world);
  EXPECT_THAT(test::descriptions(plan),
              ElementsAre("manage eth1", "bring up eth1", "create eth1.5, vlan-id 50 on eth1",
                          "bring up eth1.5", "add address 2001:db8::1/64 to eth1.5"));
}

TEST_F(InterfacesApplier, Has_nothing_to_do_for_a_device_that_vanished) {
  const auto world = test::world_of(kConfigured);
  for (const char* const link : {"eth0", "eth1"}) {
    auto plan = this->plan(world, without(world, link));
    EXPECT_THAT(test::descriptions(plan), ElementsAre()) << link;
  }
}

TEST_F(InterfacesApplier, Has_nothing_to_do_for_equal_worlds) {
  const auto world = test::world_of(kConfigured);
  auto plan = this->plan(world, world);
  EXPECT_TRUE(plan.empty());
}

TEST_F(InterfacesApplier, Reaches_by_reconcile_what_a_commit_reaches) {
  const std::string fresh = dump();
  auto commit = plan(test::world_of(""), test::world_of(kConfigured));
  ASSERT_TRUE(test::apply(commit, system_.view()));
  const std::string committed = dump();
  auto left = reconcile(kConfigured);
  EXPECT_THAT(test::descriptions(left), ElementsAre());
  ASSERT_TRUE(test::undo(commit, system_.view()));
  EXPECT_EQ(dump(), fresh);
  bring_to(kConfigured);
  EXPECT_EQ(dump(), committed);
  bring_to("");
  EXPECT_EQ(dump(), fresh);
}

TEST_F(InterfacesApplier, Puts_right_what_drifted) {
  bring_to(kConfigured);
  const std::string right = dump();
  ASSERT_TRUE(system_.kernel.set_mtu("eth0", 1400));
  ASSERT_TRUE(system_.kernel.set_alias("eth0", "other"));
  ASSERT_TRUE(system_.kernel.delete_link("eth1.5"));
  ASSERT_TRUE(
      system_.kernel.add_address("eth0", base::InterfaceAddress::parse("10.0.0.1/8").value()));
  ASSERT_TRUE(system_.kernel.set_admin_up("eth0", false));
  EXPECT_NE(dump(), right);
  bring_to(kConfigured);
  EXPECT_EQ(dump(), right);
}

TEST_F(InterfacesApplier, Never_touches_what_is_somebody_elses) {
  system_.kernel.plug("wan0");
  ASSERT_TRUE(system_.kernel.set_admin_up("wan0", true));
  ASSERT_TRUE(system_.kernel.set_alias("wan0", "theirs"));
  system_.kernel.add_foreign_address("wan0", "203.0.113.1/24");
  system_.kernel.add_foreign_address("eth0", "203.0.113.2/24");
  bring_to(kConfigured);
  bring_to("");
  const std::string after = dump();
  EXPECT_THAT(after, ::testing::HasSubstr("address eth0 203.0.113.2/24\n"));
  EXPECT_THAT(after, ::testing::HasSubstr("address wan0 203.0.113.1/24\n"));
  EXPECT_THAT(after, ::testing::HasSubstr("link wan0 mtu 1500 up alias \"theirs\"\n"));
}

TEST_F(InterfacesApplier, Deletes_a_VLAN_of_ours_that_nothing_wants) {
  ASSERT_TRUE(system_.kernel.add_vlan("eth0.9", "eth0", 9));
  auto plan = reconcile("");
  EXPECT_THAT(test::descriptions(plan), ElementsAre("delete eth0.9, vlan-id 9 on eth0"));
}

TEST_F(InterfacesApplier, Brings_up_lo_wherever_it_runs) {
  ASSERT_TRUE(system_.kernel.set_admin_up("lo", false));
  auto plan = reconcile("");
  EXPECT_THAT(test::descriptions(plan), ElementsAre("bring up lo"));
}

}  // namespace
}  // namespace millrace::appliers
