// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/layout.h"

#include <gtest/gtest.h>

namespace millrace::ops {
namespace {

TEST(Layout, A_row_puts_texts_at_their_columns) {
  EXPECT_EQ(row({{0, "eth0"}, {8, "up"}, {12, "down"}}), "eth0    up  down\n");
}

TEST(Layout, A_long_text_pushes_the_next_one_by_a_blank) {
  EXPECT_EQ(row({{0, "a-long-name"}, {4, "up"}}), "a-long-name up\n");
}

TEST(Layout, Empty_cells_leave_no_trailing_blanks) {
  EXPECT_EQ(row({{0, "x"}, {10, ""}}), "x\n");
}

TEST(Layout, Ages_grow_from_clock_to_days_to_weeks) {
  EXPECT_EQ(age(126), "00:02:06");
  EXPECT_EQ(age(6 * 86400 + 2 * 3600 + 13 * 60 + 9), "6d 02:13:09");
  EXPECT_EQ(age(12 * 86400 + 20 * 3600 + 30 * 60 + 29), "1w5d 20:30:29");
}

TEST(Layout, Kernel_devices_get_the_names_of_the_configuration) {
  EXPECT_EQ(logical_name("lo"), "lo0.0");
  EXPECT_EQ(logical_name("eth0"), "eth0.0");
  EXPECT_EQ(logical_name("eth0.100"), "eth0.100");
}

}  // namespace
}  // namespace millrace::ops
