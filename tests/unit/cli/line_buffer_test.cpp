// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/line_buffer.h"

#include <gtest/gtest.h>

namespace millrace::cli {
namespace {

LineBuffer line(std::string text, std::size_t cursor) {
  LineBuffer out;
  out.set(std::move(text), cursor);
  return out;
}

TEST(LineBuffer, inserts_at_the_cursor) {
  auto buffer = line("show  terse", 5);
  buffer.insert("interfaces");
  EXPECT_EQ(buffer.text(), "show interfaces terse");
  EXPECT_EQ(buffer.cursor(), 15U);
}

TEST(LineBuffer, moves_and_erases_by_glyph) {
  auto buffer = line("a東e\u0301", 7);
  buffer.erase_left();
  EXPECT_EQ(buffer.text(), "a東");
  buffer.left();
  EXPECT_EQ(buffer.cursor(), 1U);
  buffer.erase_right();
  EXPECT_EQ(buffer.text(), "a");
}

TEST(LineBuffer, moves_by_the_words_of_emacs) {
  auto buffer = line("set system host-name r1", 23);
  buffer.word_left();
  EXPECT_EQ(buffer.cursor(), 21U);
  buffer.word_left();
  EXPECT_EQ(buffer.cursor(), 16U);
  buffer.home();
  buffer.word_right();
  EXPECT_EQ(buffer.cursor(), 3U);
}

TEST(LineBuffer, kills_and_yanks) {
  auto buffer = line("set system host-name r1", 11);
  buffer.kill_to_end();
  EXPECT_EQ(buffer.text(), "set system ");
  buffer.home();
  buffer.yank();
  EXPECT_EQ(buffer.text(), "host-name r1set system ");
}

TEST(LineBuffer, control_w_takes_a_whole_word_and_meta_backspace_a_part) {
  auto buffer = line("set system host-name", 20);
  buffer.kill_part_left();
  EXPECT_EQ(buffer.text(), "set system host-");
  buffer.kill_word_left();
  EXPECT_EQ(buffer.text(), "set system ");
}

TEST(LineBuffer, kills_in_a_row_come_back_together) {
  auto buffer = line("one two three", 13);
  buffer.kill_word_left();
  buffer.kill_word_left();
  buffer.yank();
  EXPECT_EQ(buffer.text(), "one two three");
  buffer.kill_word_left();
  buffer.end_kills();
  buffer.kill_word_left();
  buffer.yank();
  EXPECT_EQ(buffer.text(), "one two ");
}

TEST(LineBuffer, transposes_under_the_cursor_and_at_the_end) {
  auto buffer = line("ab東", 5);
  buffer.transpose();
  EXPECT_EQ(buffer.text(), "a東b");
  EXPECT_TRUE(buffer.at_end());
  buffer = line("abc", 1);
  buffer.transpose();
  EXPECT_EQ(buffer.text(), "bac");
  EXPECT_EQ(buffer.cursor(), 2U);
  buffer = line("abc", 0);
  buffer.transpose();
  EXPECT_EQ(buffer.text(), "abc");
}

}  // namespace
}  // namespace millrace::cli
