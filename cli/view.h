// SPDX-License-Identifier: GPL-2.0-or-later
//
// A Picture as one row of the screen. A line that is too long scrolls sideways in half screens,
// with
// `...` where something is hidden; the prompt stays, unless it would take more than half of the
// row. The last column is left to the cursor, because a terminal that has written it behaves in its
// own way until the next byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/editor.h"

namespace millrace::cli {

enum class Style : std::uint8_t { Plain, Ghost };

struct Cell {
  std::string glyph;  // empty in the second column of a wide glyph
  Style style = Style::Plain;
  bool operator==(const Cell&) const = default;
};

struct Row {
  std::vector<Cell> cells;  // at most width - 1
  std::size_t cursor = 0;   // column, at most width - 1
  std::size_t fixed = 0;    // columns of the prompt that does not scroll
  std::size_t start = 0;    // first column of the line that is on the screen

  std::string text() const;  // without styles
};

Row draw(const Picture& picture, std::size_t width);

// The column of `byte` of the picture's text on the row that draw() makes; what is scrolled away
// counts as the nearest edge.
std::size_t column_of(const Picture& picture, std::size_t byte, std::size_t width);

// What the terminal can do beyond printing, BS, CR and BEL.
struct Abilities {
  bool sequences = false;  // ECMA-48: erase to the end of the line, move, clear the screen
  bool colours = false;    // without them ghost text is left out
};

// What brings the terminal's present line from one row to another, cursor included. Writes as
// little as it can: a character typed at the end of the line is echoed and nothing else, which is
// what programs that drive a CLI expect.
std::string repaint(const Row& before, const Row& after, Abilities abilities);

}  // namespace millrace::cli
