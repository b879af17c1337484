// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who belongs to an interface-range; internal to tree/ but for the checks of it.
//
//   member eth0          that one                member-range eth0 to eth3     those four
//   member eth[0-3,7]    the numbers, each       member eth*                   those that are there
//
// What is named belongs to the configuration from then on; a pattern with * or ? only matches.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace millrace::tree {

constexpr std::size_t kMostMembers = 4096;  // of one range, since each becomes an entry

struct RangeMembers {
  std::vector<std::string> names;  // in natural order, each once
  std::vector<std::string> globs;

  bool operator==(const RangeMembers&) const = default;
  bool names_it(std::string_view name) const;
  bool matches(std::string_view name) const;  // by name or pattern
  void settle();                              // sorts and drops what is there twice
};

// Every name that `text` stands for, with the numbers of its brackets put in.
// Errors: BadValue, brackets that hold no numbers, or more than kMostMembers names.
base::Result<std::vector<std::string>> numbered_names(std::string_view text);

// The names from `first` to `last`, which differ in the number at their ends.
// Errors: BadValue, other names, or more than kMostMembers.
base::Result<std::vector<std::string>> names_between(std::string_view first, std::string_view last);

// Adds the value of a `member`. Errors: as numbered_names.
base::Result<void> add_member(RangeMembers& members, std::string_view value);

}  // namespace millrace::tree
