// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/number_list.h"

#include <charconv>
#include <vector>

namespace millrace::tree {
namespace {

struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

std::optional<Range> read_range(std::string_view text) {
  const std::size_t dash = text.find('-');
  const auto low = read_number(text.substr(0, dash));
  const auto high = dash == std::string_view::npos ? low : read_number(text.substr(dash + 1));
  return low && high && *low <= *high ? std::optional(Range{*low, *high}) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> read_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_number = code == std::errc() && end == text.data() + text.size();
  return is_number ? std::optional(value) : std::nullopt;
}

std::expected<std::set<std::uint64_t>, BadNumbers> read_numbers(std::string_view list,
                                                                std::size_t most) {
  std::set<std::uint64_t> numbers;
  std::vector<Range> excluded;
  std::size_t named = 0;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view part = list.substr(0, comma);
    const bool excludes = part.starts_with('!');
    const auto range = read_range(part.substr(excludes ? 1 : 0));
    if (!range) {
      return std::unexpected(BadNumbers{part, false});
    }
    if (excludes) {
      excluded.push_back(*range);
    } else if (range->high - range->low >= most - named) {
      return std::unexpected(BadNumbers{{}, true});
    } else {
      const std::uint64_t count = range->high - range->low + 1;
      for (std::uint64_t i = 0; i < count; ++i) {  // the number after the last one may be zero
        numbers.insert(range->low + i);
      }
      named += count;
    }
    if (comma == std::string_view::npos) {
      break;
    }
    list.remove_prefix(comma + 1);
  }
  for (const Range& range : excluded) {
    numbers.erase(numbers.lower_bound(range.low), numbers.upper_bound(range.high));
  }
  return numbers;
}

}  // namespace millrace::tree
