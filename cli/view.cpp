// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/view.h"

#include <algorithm>
#include <string_view>

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

std::string to_terminal(const Row& row, bool colours) {
  std::string out = "\r";
  bool dim = false;
  for (const auto& cell : row.cells) {
    const bool ghost = cell.style == Style::Ghost;
    if (ghost && !colours) {
      break;
    }
    if (ghost && !dim) {
      out += "\x1b[2m";
      dim = true;
    }
    out += cell.glyph;
  }
  if (dim) {
    out += "\x1b[0m";
  }
  out += "\x1b[K\r";
  if (row.cursor > 0) {
    out += "\x1b[" + std::to_string(row.cursor) + "C";
  }
  return out;
}

}  // namespace millrace::cli
