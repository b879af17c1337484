// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/pager.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace millrace::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string numbered(std::size_t count) {
  std::string out;
  for (std::size_t at = 1; at <= count; ++at) {
    out += "line " + std::to_string(at) + "\n";
  }
  return out;
}

class PagerTest : public testing::Test {
 protected:
  // The page after the last of these bytes.
  Page type(std::string_view bytes) {
    decoder_.feed(bytes);
    Page page;
    while (const auto key = decoder_.next()) {
      page = pager_.handle(*key);
    }
    return page;
  }

  Pager pager_{numbered(20), {5, 80}};  // pages of four rows
  KeyDecoder decoder_;
};

TEST_F(PagerTest, shows_a_page_and_how_far_it_is) {
  const Page page = pager_.start();
  EXPECT_THAT(page.rows, ElementsAre("line 1", "line 2", "line 3", "line 4"));
  EXPECT_FALSE(page.clear);
  EXPECT_EQ(pager_.prompt(), "---(more 20%)---");
}

TEST_F(PagerTest, goes_forward_by_page_half_page_and_line) {
  pager_.start();
  EXPECT_EQ(type(" ").rows.front(), "line 5");
  EXPECT_THAT(type("\x04").rows, ElementsAre("line 9", "line 10"));
  EXPECT_THAT(type("\r").rows, ElementsAre("line 11"));
  EXPECT_THAT(type("j").rows, ElementsAre("line 12"));
  EXPECT_EQ(type("\x06").rows.size(), 4U);
}

TEST_F(PagerTest, leaves_by_itself_at_the_end) {
  pager_.start();
  EXPECT_FALSE(type("   ").finished);
  const Page last = type(" ");
  EXPECT_TRUE(last.finished);
  EXPECT_EQ(last.rows.back(), "line 20");
}

TEST_F(PagerTest, goes_back_on_a_fresh_screen) {
  pager_.start();
  type("  ");
  const Page page = type("b");
  EXPECT_TRUE(page.clear);
  EXPECT_THAT(page.rows, ElementsAre("line 5", "line 6", "line 7", "line 8"));
  EXPECT_THAT(type("k").rows, ElementsAre("line 4", "line 5", "line 6", "line 7"));
  EXPECT_EQ(type("g").rows.front(), "line 1");
  EXPECT_TRUE(type("k").refused);
}

TEST_F(PagerTest, goes_to_the_end_and_leaves) {
  pager_.start();
  const Page page = type("G");
  EXPECT_THAT(page.rows, ElementsAre("line 17", "line 18", "line 19", "line 20"));
  EXPECT_TRUE(page.finished);
}

TEST_F(PagerTest, stays_at_the_end_when_told_to) {
  pager_.start();
  type("H");
  EXPECT_FALSE(type("G").finished);
  EXPECT_EQ(pager_.prompt(), "---(END)---");
  EXPECT_TRUE(type(" ").refused);
  EXPECT_TRUE(type("N").finished);
}

TEST_F(PagerTest, searches_in_both_directions_and_again) {
  pager_.start();
  type("/1[05]");
  EXPECT_EQ(pager_.prompt(), "/1[05]");
  EXPECT_EQ(type("\r").rows.front(), "line 10");
  EXPECT_EQ(type("n").rows.front(), "line 15");
  EXPECT_TRUE(type("n").refused);
  EXPECT_EQ(pager_.prompt(), "Pattern not found");
  EXPECT_EQ(type("?line 2$\r").rows.front(), "line 2");
}

TEST_F(PagerTest, shows_only_what_matches_and_hides_what_is_excepted) {
  pager_.start();
  EXPECT_THAT(type("m 1\r").rows, ElementsAre("line 1", "line 10", "line 11", "line 12"));
  EXPECT_THAT(type("e 1[0-7]\r").rows, ElementsAre("line 1", "line 18", "line 19"));
  EXPECT_EQ(pager_.prompt(), "---(END)---");
  const Page all = type("c");
  EXPECT_EQ(all.rows.front(), "line 1");
  EXPECT_EQ(all.rows.size(), 4U);
}

TEST_F(PagerTest, a_filter_that_nothing_passes_leaves_a_pager_that_still_works) {
  pager_.start();
  EXPECT_THAT(type("m nothing\r").rows, IsEmpty());
  EXPECT_TRUE(type(" ").refused);
  EXPECT_EQ(type("c").rows.front(), "line 1");
}

TEST_F(PagerTest, says_when_a_pattern_is_none) {
  pager_.start();
  EXPECT_TRUE(type("m [\r").refused);
  EXPECT_EQ(pager_.prompt(), "'[' is no pattern");
  type("m x\x7f\x7f");
  EXPECT_EQ(pager_.prompt(), "m ");
  type("\x7f");
  EXPECT_EQ(pager_.prompt(), "---(more 20%)---");
}

TEST_F(PagerTest, asks_its_caller_to_save) {
  pager_.start();
  EXPECT_EQ(type("s /tmp/out.txt\r").save, "/tmp/out.txt");
  pager_.note("Wrote 20 lines");
  EXPECT_EQ(pager_.prompt(), "Wrote 20 lines");
}

TEST_F(PagerTest, leaves_on_q_and_control_c) {
  pager_.start();
  EXPECT_TRUE(type("\x03").finished);
  EXPECT_TRUE(type("q").finished);
}

TEST_F(PagerTest, shows_help_and_comes_back) {
  pager_.start();
  EXPECT_TRUE(type("h").clear);
  EXPECT_EQ(type(" ").rows.front(), "line 1");
}

TEST_F(PagerTest, keeps_its_place_when_the_screen_changes) {
  pager_.start();
  type(" ");
  const Page page = pager_.resize({10, 80});
  EXPECT_EQ(page.rows.front(), "line 5");
  EXPECT_EQ(page.rows.size(), 9U);
}

TEST(Pager, wraps_long_lines_and_wide_characters) {
  Pager pager("abcdefghij\n東京東京\nx\tz\n", {9, 5}, true);
  EXPECT_THAT(pager.start().rows, ElementsAre("abcde", "fghij", "東京", "東京", "x    ", "z"));
}

TEST(Pager, is_needed_when_the_rows_do_not_fit) {
  EXPECT_FALSE(Pager::needed(numbered(23), {24, 80}));
  EXPECT_TRUE(Pager::needed(numbered(24), {24, 80}));
  EXPECT_TRUE(Pager::needed(std::string(81 * 24, 'x'), {24, 80}));
}

TEST(Pager, never_sends_control_characters_of_the_text) {
  Pager pager("\x1b[2Jx\n\n\n\n", {3, 80});
  EXPECT_EQ(pager.start().rows.front(), "^[[2Jx");
}

}  // namespace
}  // namespace millrace::cli
