// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cli/glyph.h"

namespace millrace::cli {
namespace {

std::string digits(std::size_t count) {
  std::string out;
  for (std::size_t at = 0; at < count; ++at) {
    out += static_cast<char>('0' + at % 10);
  }
  return out;
}

TEST(View, shows_a_short_line_as_it_is) {
  const Row row = draw({"r1> ", "show", 2, {}}, 80);
  EXPECT_EQ(row.text(), "r1> show");
  EXPECT_EQ(row.cursor, 6U);
}

TEST(View, scrolls_a_long_line_with_marks_at_the_hidden_ends) {
  const std::string text = digits(100);
  EXPECT_EQ(draw({"r> ", text, 0, {}}, 24).text(), "r> " + text.substr(0, 17) + "...");
  const Row middle = draw({"r> ", text, 50, {}}, 24);
  EXPECT_TRUE(middle.text().starts_with("r> ..."));
  EXPECT_TRUE(middle.text().ends_with("..."));
  const Row end = draw({"r> ", text, 100, {}}, 24);
  EXPECT_TRUE(end.text().starts_with("r> ..."));
  EXPECT_TRUE(end.text().ends_with("789"));
}

// At every width and cursor: the cursor is on the row and on the byte it stands for, or, at the end
// of the line, behind the last one.
TEST(View, the_cursor_is_always_on_the_character_it_stands_for) {
  const std::string text = digits(90);
  for (std::size_t width = 4; width <= 100; width += width < 30 ? 1 : 14) {
    for (std::size_t cursor = 0; cursor <= text.size(); ++cursor) {
      const Row row = draw({"r> ", text, cursor, {}}, width);
      ASSERT_LT(row.cursor, width);
      ASSERT_LE(row.cells.size(), width - 1);
      ASSERT_LE(row.cursor, row.cells.size());
      if (cursor < text.size()) {
        ASSERT_LT(row.cursor, row.cells.size());
        ASSERT_EQ(row.cells[row.cursor].glyph, text.substr(cursor, 1))
            << "width " << width << " cursor " << cursor << ": " << row.text();
      }
    }
  }
}

TEST(View, a_wide_character_takes_two_cells_and_is_never_cut_in_half) {
  const std::string text = "東京東京東京東京東京東京東京東京東京東京東京東京東京東京東京";
  EXPECT_EQ(draw({"r> ", "東a", 3, {}}, 80).cursor, 5U);
  for (std::size_t width = 4; width <= 40; ++width) {
    for (std::size_t cursor = 0; cursor <= text.size(); cursor += 3) {
      for (const std::string prompt : {"> ", ">"}) {
        const Row row = draw({prompt, text, cursor, {}}, width);
        ASSERT_EQ(columns(row.text()), row.cells.size()) << row.text();
        ASSERT_LE(row.cells.size(), width - 1);
      }
    }
  }
}

TEST(View, a_prompt_that_takes_more_than_half_of_the_row_scrolls_too) {
  const Row row = draw({"operator@customer-edge-17> ", "show route", 10, {}}, 30);
  EXPECT_TRUE(row.text().starts_with("..."));
  EXPECT_TRUE(row.text().ends_with("show route"));
}

TEST(View, ghost_text_is_dim_and_cut_at_the_edge_and_absent_without_colours) {
  const Picture picture{"> ", "show", 4, " route table inet.0"};
  const Row row = draw(picture, 16);
  EXPECT_EQ(row.text(), "> show route ta");
  EXPECT_EQ(row.cursor, 6U);
  EXPECT_EQ(repaint({}, row, {true, true}), "> show\x1b[2m route ta\x1b[0m\x1b[9D");
  EXPECT_EQ(repaint({}, row, {true, false}), "> show");
}

TEST(View, echoes_only_what_is_typed_at_the_end) {
  const Row before = draw({"> ", "sho", 3, {}}, 80);
  EXPECT_EQ(repaint(before, draw({"> ", "show", 4, {}}, 80), {true, true}), "w");
  EXPECT_EQ(repaint(before, draw({"> ", "sh", 2, {}}, 80), {true, false}), "\b\x1b[K");
  EXPECT_EQ(repaint(before, draw({"> ", "sh", 2, {}}, 80), {false, false}), "\b \b");
  EXPECT_EQ(repaint(before, before, {true, true}), "");
}

// Enough of a terminal to see what repaint() leaves on it.
class Paper {
 public:
  void print(std::string_view bytes) {
    for (std::size_t at = 0; at < bytes.size();) {
      if (bytes[at] == '\b') {
        --column_;
        ++at;
      } else if (bytes[at] == '\x1b') {
        const auto end = bytes.find_first_of("KDm", at);
        const auto number = bytes.substr(at + 2, end - at - 2);
        if (bytes[end] == 'K') {
          cells_.resize(column_, " ");
        } else if (bytes[end] == 'D') {
          column_ -= std::stoul(std::string(number));
        }
        at = end + 1;
      } else {
        const Glyph glyph = glyph_at(bytes, at);
        cells_.resize(std::max(cells_.size(), column_ + glyph.columns), " ");
        cells_[column_] = glyph.shown;
        if (glyph.columns == 2) {
          cells_[column_ + 1] = "";
        }
        column_ += glyph.columns;
        at += glyph.size;
      }
    }
  }
  std::string text() const {
    std::string out;
    for (const auto& cell : cells_) {
      out += cell;
    }
    return out.substr(0, out.find_last_not_of(' ') + 1);
  }
  std::size_t column() const { return column_; }

 private:
  std::vector<std::string> cells_;
  std::size_t column_ = 0;
};

TEST(View, repainting_leaves_what_drawing_afresh_would) {
  const std::vector<Picture> pictures = {
      {"> ", "", 0, {}},
      {"> ", "show", 4, " route"},
      {"> ", "show", 1, {}},
      {"> ", "sh東京", 8, {}},
      {"> ", "sh東x", 5, {}},
      {"> ", "shxy京", 4, {}},
      {"(q) ", "show", 0, {}},
      {"> ", digits(60), 60, {}},
      {"> ", digits(60), 20, {}},
      {"> ", "e\u0301a", 4, {}},
      {"> ", "ea", 2, " route version"},
  };
  for (const bool sequences : {true, false}) {
    for (const bool colours : {true, false}) {
      Paper paper;
      Row shown;
      for (std::size_t step = 0; step < pictures.size() * pictures.size(); ++step) {
        const auto& picture = pictures[step * (1 + step / pictures.size()) % pictures.size()];
        const Row row = draw(picture, 30);
        paper.print(repaint(shown, row, {sequences, colours}));
        shown = row;
        Picture without = picture;
        without.ghost.clear();
        const std::string want = colours ? row.text() : draw(without, 30).text();
        ASSERT_EQ(paper.text(), want.substr(0, want.find_last_not_of(' ') + 1));
        ASSERT_EQ(paper.column(), row.cursor);
      }
    }
  }
}

TEST(View, finds_the_column_for_a_caret) {
  const std::string text = digits(100);
  EXPECT_EQ(column_of({"r> ", text, 0, {}}, 5, 80), 8U);
  EXPECT_EQ(column_of({"r> ", "東x", 4, {}}, 3, 80), 5U);
  EXPECT_EQ(column_of({"r> ", text, 100, {}}, 0, 24), 3U);
  const Row row = draw({"r> ", text, 90, {}}, 24);
  EXPECT_EQ(column_of({"r> ", text, 90, {}}, 90, 24), row.cursor);
}

}  // namespace
}  // namespace millrace::cli
