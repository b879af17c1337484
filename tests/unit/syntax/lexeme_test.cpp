// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/lexeme.h"

#include <gtest/gtest.h>

namespace millrace::syntax {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

TEST(Lexeme, Well_formed_text_has_no_bad_byte) {
  EXPECT_EQ(find_bad_byte("plain\ttext\n"), kNone);
  EXPECT_EQ(find_bad_byte("\xc2\xa0\xdf\xbf\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xf0\x90\x80\x80"
                          "\xf4\x8f\xbf\xbf"),
            kNone);
}

TEST(Lexeme, Control_characters_are_bad) {
  EXPECT_EQ(find_bad_byte("ab\x1b[0m"), 2U);
  EXPECT_EQ(find_bad_byte(std::string_view("a\0", 2)), 1U);
  EXPECT_EQ(find_bad_byte("\x7f"), 0U);
  EXPECT_EQ(find_bad_byte("a\rb"), 1U);
  EXPECT_EQ(find_bad_byte("\xc2\x9b"), 0U);  // CSI as one C1 character
  EXPECT_EQ(describe_bad_byte("\xc2\x9b", 0), "control character U+009B");
  EXPECT_EQ(describe_bad_byte("\x1b", 0), "control character 0x1b");
}

TEST(Lexeme, Ill_formed_utf_8_is_bad) {
  for (const std::string_view text :
       {"\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82",
        "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    EXPECT_EQ(find_bad_byte(text), 0U) << testing::PrintToString(text);
  }
  EXPECT_EQ(describe_bad_byte("\xff", 0), "byte 0xff that is not UTF-8");
  EXPECT_EQ(skip_bad_bytes("\xff\xfe ok", 0), 2U);
}

TEST(Lexeme, Only_known_escapes_are_replaced) {
  EXPECT_EQ(unescape(R"(a\"b\\c\nd)"), "a\"b\\c\nd");
  EXPECT_EQ(unescape(R"(^foo\.bar$)"), R"(^foo\.bar$)");
  EXPECT_EQ(unescape(R"(\\n)"), R"(\n)");
}

TEST(Lexeme, Printable_text_is_short_clean_and_on_one_line) {
  EXPECT_EQ(printable("a\nb\x1b\xff", 10), "a b??");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("ab\xc3\xa4", 3), "ab...");
}

}  // namespace
}  // namespace millrace::syntax
