// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/log.h"

#include <gtest/gtest.h>

namespace millrace::base {
namespace {

TEST(Log, Every_line_carries_its_level) {
  ::testing::internal::CaptureStderr();
  log(Level::Warning, "first\nsecond\n");
  log(Level::Error, "third");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "<4>first\n<4>second\n<3>third\n");
}

}  // namespace
}  // namespace millrace::base
