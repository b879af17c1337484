// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/view.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "cli/glyph.h"

namespace millrace::cli {
namespace {

constexpr std::string_view kMore = "...";
constexpr std::size_t kNarrow = 16;  // below this, `...` would hide more than it tells

using Cells = std::vector<Cell>;

void append(Cells& cells, std::string_view text, Style style) {
  for (std::size_t at = 0; at < text.size();) {
    const Glyph glyph = glyph_at(text, at);
    at += glyph.size;
    if (glyph.columns == 0) {
      if (!cells.empty()) {
        cells.back().glyph += glyph.shown;
      }
      continue;
    }
    if (glyph.shown.size() == 2 && glyph.shown[0] == '^') {
      cells.push_back({"^", style});
      cells.push_back({glyph.shown.substr(1), style});
      continue;
    }
    cells.push_back({glyph.shown, style});
    cells.resize(cells.size() + glyph.columns - 1, Cell{{}, style});
  }
}

// Where the window of `room` columns over `size` columns starts so that `cursor` is inside.
std::size_t window(std::size_t size, std::size_t cursor, std::size_t room) {
  if (size <= room) {
    return 0;
  }
  const std::size_t margin = room >= kNarrow ? kMore.size() + 1 : 1;
  if (cursor + margin <= room) {
    return 0;
  }
  const std::size_t step = room >= kNarrow ? room / 2 : 1;
  return (cursor + margin - room + step - 1) / step * step;
}

void mark(Cells& cells, std::size_t first) {
  for (std::size_t at = 0; at < kMore.size(); ++at) {
    cells[first + at] = {std::string(1, kMore[at])};
  }
  // Of a wide glyph that the mark covers by half, the other half is a blank.
  if (first + kMore.size() < cells.size() && cells[first + kMore.size()].glyph.empty()) {
    cells[first + kMore.size()].glyph = " ";
  }
}

Cells cut(const Cells& cells, std::size_t start, std::size_t room) {
  const std::size_t end = std::min(cells.size(), start + room);
  Cells out(cells.begin() + static_cast<std::ptrdiff_t>(start),
            cells.begin() + static_cast<std::ptrdiff_t>(end));
  if (!out.empty() && out.front().glyph.empty()) {
    out.front().glyph = " ";
  }
  if (!out.empty() && end < cells.size() && cells[end].glyph.empty()) {
    out.back().glyph = " ";
  }
  if (room >= kNarrow && end < cells.size()) {
    const std::size_t first = out.size() - kMore.size();
    if (out[first].glyph.empty()) {
      out[first - 1].glyph = " ";
    }
    mark(out, first);
  }
  if (room >= kNarrow && start > 0) {
    mark(out, 0);
  }
  return out;
}

// Columns that are really on the terminal.
std::size_t painted(const Row& row, bool colours) {
  std::size_t end = row.cells.size();
  while (!colours && end > 0 && row.cells[end - 1].style == Style::Ghost) {
    --end;
  }
  return end;
}

// Writes parts of `row` and knows where the cursor of the terminal is.
struct Pen {
  const Row& row;
  Abilities abilities;
  std::size_t column;
  std::string out;

  void move(std::size_t to) {
    if (to > column) {
      write(to);
    } else if (const std::size_t steps = column - to; abilities.sequences && steps > 4) {
      out += "\x1b[" + std::to_string(steps) + "D";
    } else {
      out.append(steps, '\b');
    }
    column = to;
  }

  void write(std::size_t end) {
    bool dim = false;
    for (; column < end; ++column) {
      const Cell& cell = row.cells[column];
      if ((cell.style == Style::Ghost) != dim) {
        dim = !dim;
        out += dim ? "\x1b[2m" : "\x1b[0m";
      }
      out += cell.glyph;
    }
    out += dim ? "\x1b[0m" : "";
  }

  void erase(std::size_t end) {
    if (end <= column) {
      return;
    }
    if (abilities.sequences) {
      out += "\x1b[K";
      return;
    }
    out.append(end - column, ' ');
    out.append(end - column, '\b');
  }
};

}  // namespace

Row draw(const Picture& picture, std::size_t width) {
  width = std::max<std::size_t>(width, 2);
  Row row;
  append(row.cells, picture.prompt, Style::Plain);
  Cells line;
  if (row.cells.size() > width / 2) {
    line.swap(row.cells);
  }
  row.fixed = row.cells.size();
  const std::size_t room = width - 1 - row.fixed;
  append(line, std::string_view(picture.text).substr(0, picture.cursor), Style::Plain);
  const std::size_t cursor = line.size();
  append(line, std::string_view(picture.text).substr(picture.cursor), Style::Plain);
  const std::size_t size = line.size();
  row.start = window(size, cursor, room);
  if (row.start == 0 && size < room) {
    append(line, picture.ghost, Style::Ghost);
    const std::size_t kept = std::min(line.size(), room);
    if (kept < line.size() && line[kept].glyph.empty()) {
      line[kept - 1].glyph = " ";
    }
    line.resize(kept);
  }
  const Cells visible = cut(line, row.start, room);
  row.cells.insert(row.cells.end(), visible.begin(), visible.end());
  row.cursor = row.fixed + cursor - row.start;
  return row;
}

std::size_t column_of(const Picture& picture, std::size_t byte, std::size_t width) {
  const Row row = draw(picture, width);
  const std::size_t prompt = row.fixed == 0 ? columns(picture.prompt) : 0;
  const std::size_t column =
      prompt +
      columns(std::string_view(picture.text).substr(0, std::min(byte, picture.text.size())));
  const std::size_t inside = column < row.start ? 0 : column - row.start;
  return std::min(row.fixed + inside, width - 1);
}

std::string Row::text() const {
  std::string out;
  for (const auto& cell : cells) {
    out += cell.glyph;
  }
  return out;
}

std::string repaint(const Row& before, const Row& after, Abilities abilities) {
  const auto [old_end, new_end] =
      std::pair(painted(before, abilities.colours), painted(after, abilities.colours));
  std::size_t same = 0;
  while (same < old_end && same < new_end && before.cells[same] == after.cells[same]) {
    ++same;
  }
  while (same > 0 && ((same < new_end && after.cells[same].glyph.empty()) ||
                      (same < old_end && before.cells[same].glyph.empty()))) {
    --same;
  }
  Pen pen{after, abilities, before.cursor, {}};
  if (same < old_end || same < new_end) {
    pen.move(same);
    pen.write(new_end);
    pen.erase(old_end);
  }
  pen.move(after.cursor);
  return pen.out;
}

}  // namespace millrace::cli
