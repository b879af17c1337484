// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers as people list them: `0-3,5,!2` is 0, 1, 3 and 5; `!N` and `!N-M` leave out. Internal to
// tree/.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <set>
#include <string_view>

namespace millrace::tree {

struct BadNumbers {
  std::string_view part;  // of the list, which cannot be read; empty when it names too many
  bool too_many = false;
};

// Errors: a part that is no number and no range, or more than `most` numbers named, some of them
// perhaps again and again.
std::expected<std::set<std::uint64_t>, BadNumbers> read_numbers(std::string_view list,
                                                                std::size_t most);
std::optional<std::uint64_t> read_number(std::string_view text);

}  // namespace millrace::tree
