// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rules of what expansion does away with, and so nobody behind it can see: groups that are applied
// are there and do not apply themselves, ranges name what can be.
#pragma once

#include "base/diagnostics.h"
#include "tree/config_tree.h"

namespace millrace::check {

// Both without their inactive statements. Requires: `before` has no errors of this kind; null when
// nothing is known. Cost: the parts of `after` that are of groups or ranges and not of `before`;
// all of them when a group came or went.
base::Diagnostics check_groups(const tree::ConfigTree* before, const tree::ConfigTree& after);

}  // namespace millrace::check
