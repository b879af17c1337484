// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/range_members.h"

#include <algorithm>
#include <format>
#include <set>

#include "base/glob.h"
#include "schema/type.h"
#include "tree/number_list.h"

namespace millrace::tree {
namespace {

using base::Code;

std::unexpected<base::Error> too_many(std::string_view what) {
  return base::fail(Code::BadValue,
                    std::format("'{}' stands for more than {} names", what, kMostMembers));
}

// "0-3,5,!2", the brackets in `whole` without them.
base::Result<std::set<std::uint64_t>> numbers_of(std::string_view list, std::string_view whole) {
  auto numbers = read_numbers(list, kMostMembers);
  if (!numbers && numbers.error().too_many) {
    return too_many(whole);
  }
  if (!numbers) {
    return base::fail(Code::BadValue, std::format("found '{}' in '{}', expected numbers as in "
                                                  "[0-3], [1,5] or [0-9,!4]",
                                                  numbers.error().part, whole));
  }
  return std::move(*numbers);
}

}  // namespace

bool RangeMembers::names_it(std::string_view name) const {
  return std::ranges::binary_search(names, name, schema::natural_less);
}

bool RangeMembers::matches(std::string_view name) const {
  return names_it(name) || std::ranges::any_of(globs, [&](const std::string& glob) {
           return base::glob_matches(glob, name);
         });
}

void RangeMembers::settle() {
  std::ranges::sort(names, schema::natural_less);
  names.erase(std::ranges::unique(names).begin(), names.end());
  std::ranges::sort(globs);
  globs.erase(std::ranges::unique(globs).begin(), globs.end());
}

base::Result<std::vector<std::string>> numbered_names(std::string_view text) {
  std::vector<std::string> names{""};
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t open = rest.find('[');
    for (std::string& name : names) {
      name += rest.substr(0, open);
    }
    if (open == std::string_view::npos) {
      break;
    }
    const std::size_t close = rest.find(']', open);
    if (close == std::string_view::npos) {
      return base::fail(Code::BadValue, std::format("'{}' has no ']' for its '['", text));
    }
    const auto numbers = numbers_of(rest.substr(open + 1, close - open - 1), text);
    if (!numbers) {
      return std::unexpected(numbers.error());
    }
    if (names.size() * numbers->size() > kMostMembers) {
      return too_many(text);
    }
    std::vector<std::string> longer;
    for (const std::string& name : names) {
      for (const std::uint64_t number : *numbers) {
        longer.push_back(name + std::to_string(number));
      }
    }
    names = std::move(longer);
    rest.remove_prefix(close + 1);
  }
  return names;
}

base::Result<std::vector<std::string>> names_between(std::string_view first,
                                                     std::string_view last) {
  const std::size_t digits = first.find_last_not_of("0123456789") + 1;  // npos + 1 is the start
  const std::string_view stem = first.substr(0, digits);
  const auto low = read_number(first.substr(digits));
  const auto high = read_number(last.substr(std::min(digits, last.size())));
  if (!last.starts_with(stem) || !low || !high || *high < *low) {
    return base::fail(Code::BadValue,
                      std::format("found '{}' to '{}', expected a name with an equal or higher "
                                  "number at its end, such as {}3",
                                  first, last, stem));
  }
  if (*high - *low >= kMostMembers) {
    return too_many(std::format("{} to {}", first, last));
  }
  std::vector<std::string> names;
  for (std::uint64_t i = 0; i <= *high - *low; ++i) {
    names.push_back(std::string(stem) + std::to_string(*low + i));
  }
  return names;
}

base::Result<void> add_member(RangeMembers& members, std::string_view value) {
  auto names = numbered_names(value);
  if (!names) {
    return std::unexpected(names.error());
  }
  auto& into = value.find_first_of("*?") == std::string_view::npos ? members.names : members.globs;
  std::ranges::move(*names, std::back_inserter(into));
  return {};
}

}  // namespace millrace::tree
