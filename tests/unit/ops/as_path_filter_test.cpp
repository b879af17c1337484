// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/as_path_filter.h"

#include <string>

#include <gmock/gmock.h>

namespace millrace::ops {
namespace {

bool matches(std::string_view expression, std::string_view path) {
  const auto filter = AsPathFilter::parse(expression);
  EXPECT_TRUE(filter) << filter.error().message;
  return filter && filter->matches(path);
}

TEST(AsPathFilter, Numbers_are_letters_and_the_whole_path_is_meant) {
  EXPECT_TRUE(matches("65001 65002", "65001 65002"));
  EXPECT_FALSE(matches("65001", "65001 65002"));
  EXPECT_FALSE(matches("6500", "65001"));
  EXPECT_TRUE(matches("^65001$", "65001"));
  EXPECT_TRUE(matches("()", ""));
  EXPECT_FALSE(matches("()", "65001"));
  EXPECT_FALSE(matches(".", ""));
}

TEST(AsPathFilter, Repetitions_choices_and_ranges) {
  EXPECT_TRUE(matches(".* 65010 .*", "65002 65010 65011"));
  EXPECT_TRUE(matches("65002 .*", "65002"));
  EXPECT_TRUE(matches("65002+", "65002 65002 65002"));
  EXPECT_FALSE(matches("65002+", ""));
  EXPECT_TRUE(matches("65001? 65002", "65002"));
  EXPECT_TRUE(matches("65002{2,3}", "65002 65002"));
  EXPECT_FALSE(matches("65002{2,3}", "65002"));
  EXPECT_FALSE(matches("65002{2,3}", "65002 65002 65002 65002"));
  EXPECT_TRUE(matches("65002{2,}", "65002 65002 65002 65002"));
  EXPECT_TRUE(matches("65002{0}", ""));
  EXPECT_TRUE(matches("(65001|65002) 7", "65002 7"));
  EXPECT_TRUE(matches("[64512-65535 1]+", "65000 1 64512"));
  EXPECT_FALSE(matches("[^1-9]", "5"));
  EXPECT_TRUE(matches("[^1-9]", "10"));
  EXPECT_TRUE(matches("4200000000-4294967295", "4294967295"));
  EXPECT_TRUE(matches("(.*)*", "1 2 3"));
}

TEST(AsPathFilter, A_set_of_numbers_is_matched_by_any_alone) {
  EXPECT_TRUE(matches("65001 .", "65001 {1,2}"));
  EXPECT_FALSE(matches("65001 1", "65001 {1,2}"));
  EXPECT_FALSE(matches("65001 [^7]", "65001 {1,2}"));
}

TEST(AsPathFilter, No_expression_takes_long) {
  std::string path;
  for (int count = 0; count < 200; ++count) {
    path += "1 ";
  }
  EXPECT_FALSE(matches("(1* 1*)* (1|1)* (1+)+ 2", path));
}

TEST(AsPathFilter, Mistakes_are_named_with_their_place) {
  const auto error = [](std::string_view text) {
    const auto filter = AsPathFilter::parse(text);
    return filter ? std::string("accepted") : filter.error().message;
  };
  EXPECT_EQ(error("65001 x"),
            "invalid AS path expression '65001 x': found 'x' at 7, expected an AS "
            "number, '.', '(' or '['");
  EXPECT_EQ(error("(65001"),
            "invalid AS path expression '(65001': found its end at 7, expected ')'");
  for (const auto* text : {"*", "65001{3,2}", "65001{999}", "[]", "[9-1]", ")", "4294967296"}) {
    EXPECT_THAT(error(text), ::testing::StartsWith("invalid AS path expression")) << text;
  }
  EXPECT_THAT(error(std::string(100, '(')), ::testing::HasSubstr("expected fewer brackets"));
}

}  // namespace
}  // namespace millrace::ops
