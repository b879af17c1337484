// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/facts.h"

#include "base/file.h"
#include "unit/commit/toy.h"

namespace millrace::commit {
namespace {

class Facts_ : public ::testing::Test {
 protected:
  Facts_() {
    std::string pattern = (std::filesystem::temp_directory_path() / "facts-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    system_.kernel.plug("eth0", 9000);
  }
  ~Facts_() override { std::filesystem::remove_all(folder_); }

  std::uint32_t default_mtu() {
    LinkDefaults defaults(folder_ / "link-defaults");  // as after a restart
    auto system = system_.view();
    return read_facts(system, defaults)->links.at("eth0").default_mtu;
  }

  std::filesystem::path folder_;
  test::FakeSystem system_;
};

TEST_F(Facts_, Leave_out_what_a_commit_made) {
  ASSERT_TRUE(system_.kernel.add_vlan("eth0.7", "eth0", 7));
  auto system = system_.view();
  const auto facts = read_facts(system);
  ASSERT_TRUE(facts);
  EXPECT_TRUE(facts->links.contains("eth0"));
  EXPECT_TRUE(facts->links.contains("lo"));
  EXPECT_FALSE(facts->links.contains("eth0.7"));
}

TEST_F(Facts_, Remember_the_mtu_from_before_we_set_one) {
  EXPECT_EQ(default_mtu(), 9000U);
  ASSERT_TRUE(system_.kernel.set_mtu("eth0", 1400));
  EXPECT_EQ(default_mtu(), 9000U);
}

TEST_F(Facts_, Know_a_new_device_under_an_old_name) {
  EXPECT_EQ(default_mtu(), 9000U);
  system_.kernel.unplug("eth0");
  system_.kernel.plug("eth0", 1500);
  EXPECT_EQ(default_mtu(), 1500U);
}

TEST_F(Facts_, Survive_a_memory_that_is_not_ours) {
  ASSERT_TRUE(
      base::write_file(folder_ / "link-defaults", R"({"eth0": {"index": "2", "mtu": 1400}})"));
  EXPECT_EQ(default_mtu(), 9000U);
}

TEST_F(Facts_, Do_not_take_our_own_mtu_for_the_default_when_the_memory_is_lost) {
  ASSERT_TRUE(system_.kernel.set_managed("eth0", true));
  ASSERT_TRUE(system_.kernel.set_mtu("eth0", 1400));
  EXPECT_EQ(default_mtu(), 1500U);
}

}  // namespace
}  // namespace millrace::commit
