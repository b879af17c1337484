// SPDX-License-Identifier: GPL-2.0-or-later
//
// The same configuration on a machine that changes: the engine with the real appliers and a machine
// in memory.
#include <gmock/gmock.h>
#include <stdlib.h>

#include "commit/engine.h"
#include "support/fake_system.h"
#include "unit/appliers/world.h"

namespace millrace::appliers {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class FollowMachine : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "millrace-follow.XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
    machine_.kernel.plug("eth0");
    start();
  }
  void TearDown() override {
    engine_.reset();
    std::filesystem::remove_all(folder_);
  }

  void start() {
    engine_.reset();
    auto engine = commit::Engine::open(test::real_schema(), make_registry(test::real_schema()),
                                       machine_.view(), {folder_ / "state", folder_ / "run"});
    ASSERT_TRUE(engine) << engine.error().to_string();
    engine_ = std::move(*engine);
    const auto started = engine_->start();
    ASSERT_TRUE(started) << started.error().to_string();
  }

  void commit(const std::string& set_lines) {
    const auto report = engine_->commit({test::tree_of(set_lines), "alice", "cli", ""});
    ASSERT_TRUE(report.committed) << report.diagnostics.to_string();
  }

  test::FakeSystem machine_;
  std::filesystem::path folder_;
  std::unique_ptr<commit::Engine> engine_;
};

constexpr const char* kBoth =
    "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n"
    "set interfaces eth7 vlan-tagging\n"
    "set interfaces eth7 unit 5 vlan-id 5\n"
    "set interfaces eth7 unit 5 family inet address 198.51.100.1/24\n";

TEST_F(FollowMachine, An_interface_that_appears_takes_what_is_configured_for_it) {
  commit(kBoth);
  EXPECT_THAT(engine_->follow_machine(), IsEmpty());
  machine_.kernel.plug("eth7");
  const std::size_t revisions = engine_->revisions().size();
  EXPECT_THAT(engine_->follow_machine(),
              Contains("interfaces: add address 198.51.100.1/24 to eth7.5"));
  EXPECT_THAT(machine_.dump(), HasSubstr("198.51.100.1/24"));
  EXPECT_EQ(engine_->revisions().size(), revisions);
  EXPECT_THAT(engine_->follow_machine(), IsEmpty());
}

TEST_F(FollowMachine, An_interface_that_went_and_came_is_as_before) {
  machine_.kernel.plug("eth7");
  commit(kBoth);
  const std::string before = machine_.dump();
  machine_.kernel.unplug("eth7");
  EXPECT_THAT(engine_->follow_machine(), IsEmpty());
  machine_.kernel.plug("eth7");
  EXPECT_THAT(engine_->follow_machine(), Not(IsEmpty()));
  EXPECT_EQ(machine_.dump(), before);
}

TEST_F(FollowMachine, An_interface_that_is_renamed_gives_back_what_its_name_had) {
  machine_.kernel.plug("eth7");
  machine_.kernel.plug("eth8");
  commit("set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n");
  machine_.kernel.rename("eth8", "wan0");
  EXPECT_THAT(engine_->follow_machine(), IsEmpty());
  const std::string without = machine_.dump();
  machine_.kernel.rename("wan0", "eth8");
  EXPECT_THAT(engine_->follow_machine(), IsEmpty());
  commit(kBoth);
  // eth7 with its VLAN becomes another device that nothing names.
  machine_.kernel.unplug("eth8");
  machine_.kernel.rename("eth7", "wan0");
  EXPECT_THAT(engine_->follow_machine(), Not(IsEmpty()));
  EXPECT_THAT(machine_.dump(), Not(HasSubstr("198.51.100.1")));
  EXPECT_THAT(machine_.dump(), Not(HasSubstr("eth7.5")));
  // And back.
  machine_.kernel.rename("wan0", "eth7");
  EXPECT_THAT(engine_->follow_machine(),
              Contains("interfaces: add address 198.51.100.1/24 to eth7.5"));
}

TEST_F(FollowMachine, A_crash_in_the_middle_is_made_good_by_the_next_start) {
  commit(kBoth);
  machine_.kernel.plug("eth7");
  machine_.hook = [](const std::string& change) -> base::Result<void> {
    if (change.contains("198.51.100.1")) {
      throw std::runtime_error("power");
    }
    return {};
  };
  EXPECT_THROW(engine_->follow_machine(), std::runtime_error);
  machine_.hook = {};
  start();
  EXPECT_THAT(machine_.dump(), HasSubstr("198.51.100.1/24"));
}

TEST_F(FollowMachine, FRR_that_comes_late_gets_its_routes) {
  commit(
      "set routing-options static route 10.0.0.0/8 next-hop 192.0.2.9\n"
      "set routing-options static defaults resolve\n");
  machine_.reboot();
  std::filesystem::remove_all(folder_ / "run");
  machine_.frr.set_running(system::FrrDaemon::Mgmtd, false);
  start();
  EXPECT_THAT(engine_->degraded(), ElementsAre("static"));
  EXPECT_THAT(
      engine_->follow_machine(),
      ElementsAre("alarm: static does not follow the configuration: mgmtd does not answer"));
  // What FRR has no part in is committed meanwhile, what it has is refused.
  const auto refused = engine_->commit(
      {test::tree_of("set routing-options static route 10.0.0.0/8 discard\n"), "alice", "cli", ""});
  EXPECT_FALSE(refused.committed);
  EXPECT_THAT(refused.diagnostics.to_string(), HasSubstr("mgmtd does not answer"));
  commit(
      "set system host-name r2\n"
      "set routing-options static defaults resolve\n"
      "set routing-options static route 10.0.0.0/8 next-hop 192.0.2.9\n");
  machine_.frr.set_running(system::FrrDaemon::Mgmtd, true);
  EXPECT_THAT(engine_->follow_machine(), ElementsAre("static follows the configuration again"));
  EXPECT_THAT(machine_.frr.dump(), ElementsAre("ip route 10.0.0.0/8 192.0.2.9 5"));
  EXPECT_THAT(engine_->degraded(), IsEmpty());
}

TEST_F(FollowMachine, A_foreign_address_in_the_way_is_named_before_anything_is_done) {
  machine_.kernel.add_foreign_address("eth0", "192.0.2.1/24");
  const auto candidate = test::tree_of(
      "set interfaces eth0 unit 0 family inet address 192.0.2.1/24\n"
      "set interfaces eth0 unit 0 family inet address 198.51.100.1/24\n");
  const auto found = engine_->check_candidate(candidate).to_string();
  EXPECT_THAT(found, HasSubstr("[edit interfaces eth0 unit 0 family inet]"));
  EXPECT_THAT(found, HasSubstr("'address 192.0.2.1/24'"));
  EXPECT_THAT(found, HasSubstr("192.0.2.1/24 is on eth0 already"));
  EXPECT_THAT(found, Not(HasSubstr("198.51.100.1")));
}

TEST_F(FollowMachine, A_foreign_device_in_place_of_a_unit_is_named_before_anything_is_done) {
  machine_.kernel.plug("eth0.5");
  const auto found = engine_
                         ->check_candidate(test::tree_of("set interfaces eth0 vlan-tagging\n"
                                                         "set interfaces eth0 unit 5 vlan-id 5\n"))
                         .to_string();
  EXPECT_THAT(found, HasSubstr("[edit interfaces eth0]"));
  EXPECT_THAT(found, HasSubstr("its device eth0.5 exists already"));
}

}  // namespace
}  // namespace millrace::appliers
