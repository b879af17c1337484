// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/index.h"

#include <algorithm>

#include "base/check.h"

namespace millrace::check {

Line::Line(Kind kind, std::uint32_t id) : text_(1, static_cast<char>(kind)) {
  number(id);
}

Line& Line::number(std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    text_.push_back(static_cast<char>(value >> shift & 0xff));
  }
  return *this;
}

std::uint32_t number_at(std::string_view line, std::size_t at) {
  std::uint32_t value = 0;
  for (const char byte : line.substr(at, sizeof(value))) {
    value = value << 8 | static_cast<unsigned char>(byte);
  }
  return value;
}

std::vector<std::string> fields_of(std::string_view line, std::size_t used) {
  line.remove_prefix(used);
  std::vector<std::string> fields;
  while (!line.empty()) {
    const std::size_t end = line.find('\0');
    fields.emplace_back(line.substr(0, end));
    line.remove_prefix(end + 1);
  }
  return fields;
}

void Index::add(std::string_view line) {
  if (lines_.find(line)) {
    ++lines_.slot(line)->count;
  } else {
    lines_.put({std::string(line), 1});
  }
}

void Index::take(std::string_view line) {
  const Item* item = lines_.find(line);
  base::check(item != nullptr, "the index has every line that its tree says");
  if (item->count > 1) {
    --lines_.slot(line)->count;
  } else {
    lines_.erase(line);
  }
}

void Index::add_all(std::vector<std::string> lines) {
  std::ranges::sort(lines);
  for (const std::string& line : lines) {
    add(line);
  }
}

std::uint32_t Index::count(std::string_view line) const {
  const Item* item = lines_.find(line);
  return item ? item->count : 0;
}

bool Index::holds_any(std::string_view prefix) const {
  bool found = false;
  each(prefix, [&](std::string_view, std::uint32_t) {
    found = true;
    return false;
  });
  return found;
}

bool operator==(const Index& left, const Index& right) {
  bool same = left.size() == right.size();
  if (same) {
    tree::BTree<Index::Traits>::diff(left.lines_, right.lines_,
                                     [&](const Index::Item*, const Index::Item*) { same = false; });
  }
  return same;
}

}  // namespace millrace::check
