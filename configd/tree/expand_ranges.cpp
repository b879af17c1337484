// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <charconv>
#include <format>
#include <set>

#include "tree/bulk_edit.h"

namespace millrace::tree {
namespace {

using base::Code;

constexpr std::size_t kMost = 100'000;  // words, and lines, of one command

struct Range {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  bool excluded = false;
};

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = code == std::errc() && end == text.data() + text.size();
  return good ? std::optional(value) : std::nullopt;
}

std::optional<Range> read_range(std::string_view text) {
  Range range;
  range.excluded = text.starts_with('!');
  text.remove_prefix(range.excluded ? 1 : 0);
  const std::size_t dash = text.find('-');
  const auto low = number(text.substr(0, dash));
  const auto high = dash == std::string_view::npos ? low : number(text.substr(dash + 1));
  if (!low || !high || *low > *high) {
    return std::nullopt;
  }
  range.low = *low;
  range.high = *high;
  return range;
}

// The numbers that the text between the brackets stands for; nothing when it is no list of ranges.
base::Result<std::set<std::uint64_t>> numbers_of(std::string_view inside) {
  std::set<std::uint64_t> numbers;
  std::vector<Range> excluded;
  while (true) {
    const std::size_t comma = inside.find(',');
    const auto range = read_range(inside.substr(0, comma));
    if (!range) {
      return base::fail(Code::Syntax,
                        std::format("invalid range '{}': expected numbers such as 0-5 or 1,3,!4",
                                    inside.substr(0, comma)));
    }
    if (range->excluded) {
      excluded.push_back(*range);
    } else if (range->high - range->low >= kMost) {
      return base::fail(Code::Syntax, "a range of more than 100000 numbers");
    } else {
      for (std::uint64_t value = range->low; value <= range->high; ++value) {
        numbers.insert(value);
      }
    }
    if (comma == std::string_view::npos) {
      break;
    }
    inside.remove_prefix(comma + 1);
  }
  std::erase_if(numbers, [&](std::uint64_t value) {
    return std::ranges::any_of(
        excluded, [&](const Range& range) { return range.low <= value && value <= range.high; });
  });
  if (numbers.empty()) {
    return base::fail(Code::Syntax, "the range leaves nothing");
  }
  return numbers;
}

}  // namespace

base::Result<std::vector<std::string>> expand_ranges(std::string_view word) {
  std::vector<std::string> words = {""};
  while (!word.empty()) {
    const std::size_t open = word.find('[');
    const std::size_t close = open == std::string_view::npos ? open : word.find(']', open);
    const std::string_view plain = close == std::string_view::npos ? word : word.substr(0, open);
    for (std::string& each : words) {
      each += plain;
    }
    if (close == std::string_view::npos) {
      break;
    }
    const auto numbers = numbers_of(word.substr(open + 1, close - open - 1));
    if (!numbers) {
      return std::unexpected(numbers.error());
    }
    if (words.size() * numbers->size() > kMost) {
      return base::fail(Code::Syntax, "the ranges stand for more than 100000 names");
    }
    std::vector<std::string> longer;
    longer.reserve(words.size() * numbers->size());
    for (const std::string& each : words) {
      for (const std::uint64_t value : *numbers) {
        longer.push_back(each + std::to_string(value));
      }
    }
    words = std::move(longer);
    word.remove_prefix(close + 1);
  }
  return words;
}

std::vector<std::string> words_with_ranges(std::span<const syntax::LineWord> words) {
  std::vector<std::string> out;
  for (const syntax::LineWord& word : words) {
    const bool is_alone = word.bracket != 0 &&
                          std::ranges::count(words, word.bracket, &syntax::LineWord::bracket) == 1;
    out.push_back(is_alone ? "[" + word.text + "]" : word.text);
  }
  return out;
}

base::Result<std::vector<std::vector<std::string>>> expand_ranges(
    std::span<const std::string_view> words) {
  std::vector<std::vector<std::string>> lines = {{}};
  for (const std::string_view word : words) {
    auto expanded = expand_ranges(word);
    if (!expanded) {
      return std::unexpected(std::move(expanded.error()));
    }
    if (lines.size() * expanded->size() > kMost) {
      return base::fail(Code::Syntax, "the ranges stand for more than 100000 statements");
    }
    std::vector<std::vector<std::string>> longer;
    longer.reserve(lines.size() * expanded->size());
    for (const auto& line : lines) {
      for (const std::string& each : *expanded) {
        longer.push_back(line);
        longer.back().push_back(each);
      }
    }
    lines = std::move(longer);
  }
  return lines;
}

}  // namespace millrace::tree
