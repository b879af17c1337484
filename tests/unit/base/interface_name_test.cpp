// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/interface_name.h"

#include <gtest/gtest.h>

namespace millrace::base {
namespace {

TEST(KernelName, Unit_0_without_vlans_is_the_parent) {
  EXPECT_EQ(kernel_name("eth0", 0, false), "eth0");
  EXPECT_EQ(kernel_name("lo0", 0, false), "lo");
  EXPECT_EQ(kernel_parent("eth0"), "eth0");
  EXPECT_EQ(kernel_parent("lo0"), "lo");
}

TEST(KernelName, Every_unit_with_vlans_is_a_device_named_by_the_unit) {
  EXPECT_EQ(kernel_name("eth0", 0, true), "eth0.0");
  EXPECT_EQ(kernel_name("eth0", 100, true), "eth0.100");
}

TEST(KernelName, Unit_without_a_device_is_refused) {
  const auto name = kernel_name("eth0", 5, false);
  ASSERT_FALSE(name);
  EXPECT_EQ(name.error().code, Code::BadValue);
  EXPECT_EQ(name.error().hint, "set vlan-tagging on eth0");
  EXPECT_FALSE(kernel_name("lo0", 1, false));
  EXPECT_FALSE(kernel_name("lo0", 0, true));
}

TEST(KernelName, Name_of_more_than_15_characters_is_refused) {
  EXPECT_EQ(kernel_name("eth1234567", 1234, true), "eth1234567.1234");
  EXPECT_FALSE(kernel_name("eth1234567", 12345, true));
}

}  // namespace
}  // namespace millrace::base
