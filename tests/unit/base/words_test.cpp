// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/words.h"

#include <gtest/gtest.h>

namespace millrace::base {
namespace {

using Words = std::vector<std::string>;

TEST(Words, are_what_stands_between_white_space) {
  EXPECT_EQ(split_words("ip route\t10.0.0.0/8  Null0"),
            (Words{"ip", "route", "10.0.0.0/8", "Null0"}));
  EXPECT_EQ(split_words("  a \n"), Words{"a"});
  EXPECT_EQ(split_words("\"a b\""), (Words{"\"a", "b\""}));
  EXPECT_EQ(split_words(""), Words{});
  EXPECT_EQ(split_words(" \t "), Words{});
}

TEST(Words, quoted_text_cannot_end_its_quotes) {
  EXPECT_EQ(quoted(""), R"("")");
  EXPECT_EQ(quoted("a b"), R"("a b")");
  EXPECT_EQ(quoted(R"(say "hi\")"), R"("say \"hi\\\"")");
}

TEST(Words, joined_are_one_text) {
  EXPECT_EQ(joined(Words{}), "");
  EXPECT_EQ(joined(Words{"a"}), "a");
  EXPECT_EQ(joined(Words{"permit", "65000:1"}), "permit 65000:1");
  EXPECT_EQ(joined(Words{"a", "", "b"}, ", "), "a, , b");
}

TEST(Words, characters_of_several_bytes_are_one_each) {
  EXPECT_EQ(characters(""), 0U);
  EXPECT_EQ(characters("eth0"), 4U);
  EXPECT_EQ(characters("r\u00e9po\u2026"), 5U);
}

TEST(Words, one_line_is_one) {
  EXPECT_EQ(one_line("fatal: no\r\n\tsuch r\u00e9po\n\n"), "fatal: no   such r\u00e9po");
  EXPECT_EQ(one_line("\n"), "");
}

}  // namespace
}  // namespace millrace::base
