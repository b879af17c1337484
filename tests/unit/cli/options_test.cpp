// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/options.h"

#include <gmock/gmock.h>

namespace millrace::cli {
namespace {

using ::testing::ElementsAre;

TEST(Options, Commands_add_up_and_are_split_into_lines) {
  const auto options = read_options({"-c", "configure\nset x", "-c", "commit"});
  ASSERT_TRUE(options);
  EXPECT_THAT(options->commands, ElementsAre("configure", "set x", "commit"));
}

TEST(Options, A_missing_value_or_an_unknown_word_is_refused) {
  EXPECT_EQ(read_options({"-c"}).error(), "-c needs a value");
  EXPECT_EQ(read_options({"--frob"}).error(), "unknown argument '--frob'");
}

TEST(Options, Without_commands_standard_input_is_read) {
  EXPECT_FALSE(read_options({})->has_commands);
  EXPECT_TRUE(read_options({"-c", ""})->has_commands);
}

}  // namespace
}  // namespace millrace::cli
