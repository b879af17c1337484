// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/time_text.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace millrace::base {
namespace {

class TimeText : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("TZ", "UTC-2", 1);
    tzset();
  }
  void TearDown() override {
    unsetenv("TZ");
    tzset();
  }
};

TEST_F(TimeText, is_that_of_the_place) {
  EXPECT_EQ(local_time(0, "%Y-%m-%d %H:%M:%S"), "1970-01-01 02:00:00");
  EXPECT_EQ(local_time(1'764'547'200, "%F %T"), "2025-12-01 02:00:00");
}

TEST_F(TimeText, is_all_there_or_empty) {
  EXPECT_EQ(local_time(0, ""), "");
  EXPECT_EQ(local_time(0, std::string(300, 'x').c_str()), "");
}

}  // namespace
}  // namespace millrace::base
