// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/pattern.h"

#include <gtest/gtest.h>

namespace millrace::base {
namespace {

std::optional<std::string> replaced(const std::string& pattern, std::string_view text,
                                    std::string_view with) {
  const auto compiled = Pattern::compile(pattern);
  EXPECT_TRUE(compiled) << compiled.error();
  return compiled ? compiled->replace(text, with) : std::nullopt;
}

TEST(Pattern, Replaces_every_match_with_groups) {
  EXPECT_EQ(replaced("([a-z]+)([0-9])", "ge0 xe1", "\\2\\1"), "0ge 1xe");
  EXPECT_EQ(replaced("a", "banana", "\\\\"), "b\\n\\n\\");
  EXPECT_EQ(replaced("^ge-", "ge-ge-0", "xe-"), "xe-ge-0");
  EXPECT_EQ(replaced("x*", "ab", "-"), "-a-b-");
  EXPECT_EQ(replaced("(a)|(b)", "ab", "[\\1\\2\\0]"), "[aa][bb]");
  EXPECT_EQ(replaced("z", "ab", "-"), std::nullopt);
}

TEST(Pattern, What_would_take_a_daemon_down_is_refused) {
  for (const char* bad : {"((((a{99}){99}){99}){99})", "(a{1,200}){1,200}", "(((((a*)*)*)*)*)*",
                          "(a)\\1", "(", "a{2", "x{255}{255}", "((a+){40}){40}"}) {
    EXPECT_FALSE(Pattern::compile(bad)) << bad;
  }
  EXPECT_FALSE(Pattern::compile(std::string(100'000, '(')));
}

TEST(Pattern, What_people_write_is_taken) {
  for (const char* good : {"^ge-0/0/[0-9]+$", "(a|b)*c", "[[:alpha:]]{3}", "[^]*(]+", "a{,5}b",
                           "^([0-9]{1,3}\\.){3}[0-9]{1,3}$", "(eth[0-9]*)?", "\\(x\\)"}) {
    EXPECT_TRUE(Pattern::compile(good)) << good;
  }
}

}  // namespace
}  // namespace millrace::base
