// SPDX-License-Identifier: GPL-2.0-or-later
//
// UTF-8 text as a terminal shows it. A glyph is a character together with the marks that stand on
// it (code points without width); the cursor moves from glyph to glyph and never into one. Bytes
// that are no UTF-8 are glyphs of one byte, shown as U+FFFD; control characters are shown as ^X.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::cli {

struct CodePoint {
  char32_t value = 0;    // U+FFFD when `valid` is false
  std::size_t size = 1;  // bytes
  bool valid = true;
  bool truncated = false;  // the text ends inside a sequence that could still become valid
};

// Requires a non-empty text.
CodePoint decode(std::string_view text);
std::string encode(char32_t point);
// The offset of the first byte that is not UTF-8, or npos.
std::size_t find_not_utf8(std::string_view text);

// Columns of one code point: 0, 1 or 2. O(log n) over the ranges of Unicode.
unsigned code_point_width(char32_t point);

struct Glyph {
  std::size_t size = 0;  // bytes
  unsigned columns = 0;
  std::string shown;  // what goes to the terminal
};

// The glyph that starts at `at`; requires at < text.size().
Glyph glyph_at(std::string_view text, std::size_t at);
// Where the glyph after or before `at` starts; the ends of the text at its ends.
std::size_t next_glyph(std::string_view text, std::size_t at);
std::size_t previous_glyph(std::string_view text, std::size_t at);
std::size_t columns(std::string_view text);

}  // namespace millrace::cli
