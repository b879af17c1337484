// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/glyph.h"

#include <gtest/gtest.h>

namespace millrace::cli {
namespace {

TEST(Glyph, counts_columns_and_not_bytes) {
  EXPECT_EQ(columns("abc"), 3U);
  EXPECT_EQ(columns("Zürich"), 6U);
  EXPECT_EQ(columns("東京"), 4U);
  EXPECT_EQ(columns("🙂"), 2U);
  EXPECT_EQ(columns(""), 0U);
}

TEST(Glyph, keeps_a_mark_with_the_letter_it_stands_on) {
  const std::string text = "e\u0301x";  // e, combining acute
  EXPECT_EQ(columns(text), 2U);
  EXPECT_EQ(next_glyph(text, 0), 3U);
  EXPECT_EQ(previous_glyph(text, 3), 0U);
  EXPECT_EQ(previous_glyph(text, 4), 3U);
}

TEST(Glyph, finds_what_is_not_UTF_8) {
  EXPECT_EQ(find_not_utf8("Z\u00fcrich \u6771\u4eac"), std::string_view::npos);
  EXPECT_EQ(find_not_utf8(""), std::string_view::npos);
  EXPECT_EQ(find_not_utf8("Z\xfcrich"), 1U);
  EXPECT_EQ(find_not_utf8("cut off: \xc3"), 9U);
}

TEST(Glyph, shows_control_characters_and_bad_bytes_without_sending_them) {
  EXPECT_EQ(glyph_at("\x1b[2J", 0).shown, "^[");
  EXPECT_EQ(glyph_at("\x1b[2J", 0).columns, 2U);
  EXPECT_EQ(glyph_at("\xff", 0).shown, "\uFFFD");
  EXPECT_EQ(glyph_at("\xc2\x9b", 0).shown, "\uFFFD");  // CSI as one C1 control
}

TEST(Glyph, walks_back_over_what_it_walked_forward) {
  const std::string text = "a東e\u0301\x80\x80🙂\xe6\x9d";
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size(); at = next_glyph(text, at)) {
    starts.push_back(at);
  }
  std::size_t at = text.size();
  while (!starts.empty()) {
    at = previous_glyph(text, at);
    EXPECT_EQ(at, starts.back());
    starts.pop_back();
  }
  EXPECT_EQ(at, 0U);
}

TEST(Glyph, refuses_overlong_forms_surrogates_and_what_is_past_unicode) {
  EXPECT_FALSE(decode("\xc0\xaf").valid);
  EXPECT_FALSE(decode("\xe0\x80\xaf").valid);
  EXPECT_FALSE(decode("\xed\xa0\x80").valid);
  EXPECT_FALSE(decode("\xf4\x90\x80\x80").valid);
  EXPECT_EQ(decode("\xf4\x8f\xbf\xbf").value, U'\U0010ffff');
  EXPECT_TRUE(decode("\xe6\x9d").truncated);
}

TEST(Glyph, encodes_what_it_decodes) {
  for (const char32_t point : {U'a', U'é', U'東', U'🙂', U'\U0010ffff'}) {
    EXPECT_EQ(decode(encode(point)).value, point);
  }
}

}  // namespace
}  // namespace millrace::cli
