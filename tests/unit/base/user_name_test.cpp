// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/user_name.h"

#include <gtest/gtest.h>

namespace millrace::base {
namespace {

TEST(UserName, is_what_the_machine_calls_a_user) {
  EXPECT_EQ(user_name(0), "root");
  EXPECT_EQ(user_name(4'000'000'001), std::nullopt);
}

}  // namespace
}  // namespace millrace::base
