// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/text_pipes.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace millrace::cli {
namespace {

const std::string kText = "eth0 up\neth1 down\nlo0 up\n";

std::string piped(const std::vector<TextPipe>& pipes, const std::string& text = kText) {
  const auto result = apply_pipes(pipes, text, 2);
  return result ? *result : "ERROR " + result.error();
}

TEST(TextPipes, Match_keeps_lines_and_except_drops_them) {
  EXPECT_EQ(piped({{"match", "up"}}), "eth0 up\nlo0 up\n");
  EXPECT_EQ(piped({{"except", "eth[01]"}}), "lo0 up\n");
}

TEST(TextPipes, Pipes_apply_from_left_to_right) {
  EXPECT_EQ(piped({{"match", "up"}, {"match", "eth|ge"}, {"count"}}), "Count: 1 lines\n");
}

TEST(TextPipes, Find_starts_at_the_first_hit) {
  EXPECT_EQ(piped({{"find", "eth1"}}), "eth1 down\nlo0 up\n");
  EXPECT_EQ(piped({{"find", "ge-"}}), "Pattern not found\n");
}

TEST(TextPipes, Last_without_a_number_is_a_screen) {
  EXPECT_EQ(piped({{"last", "1"}}), "lo0 up\n");
  EXPECT_EQ(piped({{"last"}}), "eth1 down\nlo0 up\n");
}

TEST(TextPipes, Trim_cuts_columns_off_the_front) {
  EXPECT_EQ(piped({{"trim", "5"}}, "eth0 up\neth1 down\n"), "up\ndown\n");
  EXPECT_EQ(piped({{"trim", "99"}}, "a\nb\n"), "\n\n");
}

TEST(TextPipes, A_text_without_a_last_newline_counts_its_last_line) {
  EXPECT_EQ(piped({{"count"}}, "a\nb"), "Count: 2 lines\n");
}

TEST(TextPipes, A_bad_pattern_is_an_error_that_names_it) {
  EXPECT_TRUE(piped({{"match", "("}}).starts_with("ERROR invalid pattern '('"));
}

TEST(TextPipes, A_pattern_that_would_overrun_the_stack_is_an_error) {
  EXPECT_EQ(piped({{"match", std::string(100'000, '(')}}),
            "ERROR the pattern is longer than 1000 characters");
}

TEST(TextPipes, Save_writes_the_file_and_says_so) {
  std::string folder = std::filesystem::temp_directory_path() / "text-pipes-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const std::string file = folder + "/out";
  EXPECT_EQ(piped({{"save", file}}), "Wrote 3 lines of output to '" + file + "'\n");
  EXPECT_EQ(piped({{"match", "lo0"}, {"append", file}}),
            "Wrote 1 lines of output to '" + file + "'\n");
  std::ifstream stream(file);
  const std::string content((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_EQ(content, kText + "lo0 up\n");
  std::filesystem::remove_all(folder);
}

TEST(TextPipes, A_file_that_cannot_be_written_is_an_error) {
  EXPECT_TRUE(piped({{"save", "/nonexistent/x"}}).starts_with("ERROR cannot write"));
}

}  // namespace
}  // namespace millrace::cli
