// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/word_pattern.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace millrace::tree {
namespace {

bool matches(std::string_view pattern, std::string_view text) {
  const auto compiled = WordPattern::compile(pattern);
  EXPECT_TRUE(compiled) << compiled.error().message;
  return compiled && compiled->matches(text);
}

TEST(WordPattern, Begins_at_the_first_word_and_ends_with_a_word) {
  EXPECT_TRUE(matches("show", "show route"));
  EXPECT_TRUE(matches("show", "show"));
  EXPECT_TRUE(matches("show (route|log)", "show log messages"));
  EXPECT_TRUE(matches("^show route$", "show route"));
  EXPECT_TRUE(matches(".*route", "show route"));
  EXPECT_TRUE(matches("clear|show", "show route"));
  EXPECT_TRUE(matches("interfaces eth[0-9]+ unit 0", "interfaces eth12 unit 0 family inet"));
  EXPECT_FALSE(matches("^show$", "show route"));
  EXPECT_FALSE(matches("sho", "show route"));
  EXPECT_FALSE(matches("route", "show route"));
  EXPECT_FALSE(matches("SHOW", "show route"));
}

TEST(WordPattern, What_is_no_pattern_is_refused_with_the_reason) {
  for (const std::string_view text : {"(", "a)(b", "[", "a{5000}", "*", "\\"}) {
    const auto compiled = WordPattern::compile(text);
    ASSERT_FALSE(compiled) << text;
    EXPECT_EQ(compiled.error().code, base::Code::BadValue);
    EXPECT_THAT(compiled.error().message, ::testing::StartsWith("invalid pattern '"));
  }
}

// With a backtracking or recursing engine each of these takes years or the stack.
TEST(WordPattern, No_pattern_takes_long_or_overruns_the_stack) {
  const std::string text(100'000, 'a');
  EXPECT_FALSE(matches("(a*)*b", text));
  EXPECT_FALSE(matches("(a|aa)+b", text));
  EXPECT_FALSE(matches("(((a+)+)+)+b", text));
  EXPECT_FALSE(WordPattern::compile(std::string(3000, '(')));
  EXPECT_FALSE(WordPattern::compile(std::string(100'000, 'a')));
  std::string nested = "a";
  for (int i = 0; i < 12; ++i) {
    nested = "(" + nested + "){1,9}";
  }
  EXPECT_FALSE(WordPattern::compile(nested));
}

}  // namespace
}  // namespace millrace::tree
