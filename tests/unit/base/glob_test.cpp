// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/glob.h"

#include <gtest/gtest.h>

#include <string>

namespace millrace::base {
namespace {

TEST(Glob, matches_all_of_a_name) {
  for (const auto& [pattern, text] : {std::pair{"*", ""},
                                      {"*", "eth0"},
                                      {"eth*", "eth10"},
                                      {"eth?", "eth1"},
                                      {"*-0/0/*", "ge-0/0/3"},
                                      {"ge-0/0/[0-3]", "ge-0/0/2"},
                                      {"[!a]*", "b"},
                                      {"[]]", "]"},
                                      {"a*b*c", "abbcbc"},
                                      {"**", "x"}}) {
    EXPECT_TRUE(glob_matches(pattern, text)) << pattern << " " << text;
  }
  for (const auto& [pattern, text] : {std::pair{"eth?", "eth10"},
                                      {"eth", "eth0"},
                                      {"eth0", "eth"},
                                      {"ge-0/0/[0-3]", "ge-0/0/4"},
                                      {"[!a]*", "a"},
                                      {"a*b*c", "abbcb"},
                                      {"?", ""}}) {
    EXPECT_FALSE(glob_matches(pattern, text)) << pattern << " " << text;
  }
}

TEST(Glob, needs_closed_brackets) {
  EXPECT_TRUE(is_glob("a[b]"));
  EXPECT_TRUE(is_glob("a]b"));
  for (const auto* bad : {"", "[", "a[", "a[]", "[!]", "x[a"}) {
    EXPECT_FALSE(is_glob(bad)) << bad;
  }
}

TEST(Glob, takes_linear_time_for_many_stars) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) {
    pattern += "a*";
  }
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(5'000, 'a')));
}

}  // namespace
}  // namespace millrace::base
