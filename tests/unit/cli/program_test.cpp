// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/program.h"

#include <gtest/gtest.h>

namespace millrace::cli {
namespace {

TEST(Program, Captured_output_and_status_come_back) {
  const auto ran = run_program({"printf", "%s", "$(id); x"}, true);
  ASSERT_TRUE(ran);
  EXPECT_EQ(ran->output, "$(id); x");
  EXPECT_EQ(ran->status, 0);
  EXPECT_EQ(run_program({"false"}, false)->status, 1);
}

TEST(Program, A_program_that_does_not_exist_ends_with_127) {
  EXPECT_EQ(run_program({"no-such-program-here"}, true)->status, 127);
}

}  // namespace
}  // namespace millrace::cli
