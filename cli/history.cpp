// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/history.h"

#include <algorithm>
#include <ranges>
#include <vector>

namespace millrace::cli {

void History::add(std::string_view text, std::int64_t time) {
  const bool blank = text.find_first_not_of(' ') == std::string_view::npos;
  if (blank || (!lines_.empty() && lines_.back().text == text)) {
    return;
  }
  lines_.push_back({std::string(text), time});
  if (lines_.size() > limit_) {
    lines_.pop_front();
  }
}

std::optional<std::size_t> History::search(std::string_view text, std::size_t before) const {
  for (std::size_t at = std::min(before, lines_.size()); at > 0; --at) {
    if (lines_[at - 1].text.contains(text)) {
      return at - 1;
    }
  }
  return std::nullopt;
}

std::string_view History::suggestion(std::string_view text) const {
  if (text.empty()) {
    return {};
  }
  for (const auto& line : lines_ | std::views::reverse) {
    if (line.text.size() > text.size() && line.text.starts_with(text)) {
      return std::string_view(line.text).substr(text.size());
    }
  }
  return {};
}

std::optional<std::string> History::word(std::string_view prefix, std::size_t nth) const {
  std::vector<std::string_view> seen;
  for (const auto& line : lines_ | std::views::reverse) {
    for (const auto part : std::views::split(std::string_view(line.text), ' ')) {
      const std::string_view word(part);
      if (word.size() <= prefix.size() || !word.starts_with(prefix) ||
          std::ranges::contains(seen, word)) {
        continue;
      }
      if (seen.size() == nth) {
        return std::string(word);
      }
      seen.push_back(word);
    }
  }
  return std::nullopt;
}

}  // namespace millrace::cli
