// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <format>
#include <set>

#include "tree/bulk_edit.h"
#include "tree/number_list.h"

namespace millrace::tree {
namespace {

using base::Code;

constexpr std::size_t kMost = 100'000;                    // words, and lines, of one command
constexpr std::size_t kMostText = std::size_t{64} << 20;  // bytes of them

// The numbers that the text between the brackets stands for.
base::Result<std::set<std::uint64_t>> numbers_of(std::string_view inside) {
  auto numbers = read_numbers(inside, kMost);
  if (!numbers && numbers.error().too_many) {
    return base::fail(Code::Syntax, std::format("a range of more than {} numbers", kMost));
  }
  if (!numbers) {
    return base::fail(Code::Syntax,
                      std::format("invalid range '{}': expected numbers such as 0-5 or 1,3,!4",
                                  numbers.error().part));
  }
  if (numbers->empty()) {
    return base::fail(Code::Syntax, "the range leaves nothing");
  }
  return std::move(*numbers);
}

// `count` times `length` bytes are more than anybody can have meant.
bool is_too_much(std::size_t count, std::size_t length) {
  return count > kMost || length > kMostText / std::max<std::size_t>(count, 1);
}

}  // namespace

base::Result<std::vector<std::string>> expand_ranges(std::string_view word) {
  const std::size_t length = word.size();
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
    if (is_too_much(words.size() * numbers->size(), length)) {
      return base::fail(Code::Syntax,
                        std::format("the ranges stand for more than {} names", kMost));
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
  std::size_t length = 0;
  std::vector<std::vector<std::string>> lines = {{}};
  for (const std::string_view word : words) {
    auto expanded = expand_ranges(word);
    if (!expanded) {
      return std::unexpected(std::move(expanded.error()));
    }
    length += word.size();
    if (is_too_much(lines.size() * expanded->size(), length)) {
      return base::fail(Code::Syntax,
                        std::format("the ranges stand for more than {} statements", kMost));
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
