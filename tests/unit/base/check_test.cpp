// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/check.h"

#include <gtest/gtest.h>

namespace millrace::base {
namespace {

TEST(CheckDeathTest, Broken_invariant_ends_the_process_and_names_the_place) {
  EXPECT_DEATH(check(1 > 2, "one exceeds two"), "check failed: one exceeds two .*check_test.cpp");
}

TEST(Check, Kept_invariant_does_nothing) {
  check(true, "never printed");
}

}  // namespace
}  // namespace millrace::base
