// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/history.h"

#include <gtest/gtest.h>

namespace millrace::cli {
namespace {

History of(std::initializer_list<std::string_view> lines, std::size_t limit = 100) {
  History history(limit);
  std::int64_t time = 0;
  for (const auto line : lines) {
    history.add(line, ++time);
  }
  return history;
}

TEST(History, keeps_neither_blank_lines_nor_repetitions) {
  EXPECT_EQ(of({"show version", "show version", "", "   ", "exit", "show version"}).size(), 3U);
}

TEST(History, forgets_the_oldest_lines) {
  const auto history = of({"a", "b", "c"}, 2);
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history.at(0).text, "b");
  EXPECT_EQ(history.at(1).time, 3);
}

TEST(History, searches_from_new_to_old) {
  const auto history = of({"show interfaces", "show route", "ping 192.0.2.1"});
  EXPECT_EQ(history.search("show", 3), 1U);
  EXPECT_EQ(history.search("show", 1), 0U);
  EXPECT_EQ(history.search("show", 0), std::nullopt);
  EXPECT_EQ(history.search("bgp", 3), std::nullopt);
}

TEST(History, suggests_the_newest_continuation) {
  const auto history = of({"show route", "show route table inet.0", "show version"});
  EXPECT_EQ(history.suggestion("show r"), "oute table inet.0");
  EXPECT_EQ(history.suggestion("show version"), "");
  EXPECT_EQ(history.suggestion(""), "");
}

TEST(History, finds_words_by_prefix_each_once) {
  const auto history = of({"ping router1", "ping router2 count 3", "ping router1 rapid"});
  EXPECT_EQ(history.word("rout", 0), "router1");
  EXPECT_EQ(history.word("rout", 1), "router2");
  EXPECT_EQ(history.word("rout", 2), std::nullopt);
  EXPECT_EQ(history.word("router1", 0), std::nullopt);
}

}  // namespace
}  // namespace millrace::cli
