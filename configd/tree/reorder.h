// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "tree/children.h"

namespace millrace::tree {

// Of the names in both, a smallest set whose moves make the order of `before` that of `after`, in
// the order of `after`. The views point into `after`. Cost: O(n log n) when something moved.
std::vector<std::string_view> moved_names(const Children& before, const Children& after);

// Puts `node` into `result`, which has some of what `source` has, where `source` has it. False, and
// nothing done, when that is not known: `result` has none of the others.
bool put_in_place(Children& result, const Children& source, const NodePtr& node);

}  // namespace millrace::tree
