// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order of a list that two people changed; internal to tree/. Pure, on names.
#pragma once

#include <string_view>
#include <vector>

namespace millrace::tree {

using Names = std::vector<std::string_view>;

struct MergedOrder {
  Names names;
  bool conflict = false;
};

// All names of `mine` and `theirs`, which hold no name that the merged list has not. Who alone
// moved what was in `base` decides the order; new names follow whom they followed on their side.
// Conflict: both moved, differently, or both put names into one place.
MergedOrder merge_order(const Names& base, const Names& mine, const Names& theirs);

}  // namespace millrace::tree
