// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rules between statements: mandatory, ref, unique, must, and warnings for statements that have no
// effect. Pure functions of trees; they never look at the live system, so that the answer does not
// depend on the hour. All findings are reported, in tree order.
#pragma once

#include "base/diagnostics.h"
#include "tree/delta.h"

namespace millrace::check {

// What the change can have broken: the constraints of added and changed nodes, those whose read-set
// meets the delta, and referrers of deleted entries. Requires: `delta.before()` passed check_all
// and both trees are effective. Cost follows the change (a deleted entry costs its referrers'
// lists). Finds exactly the errors that check_all finds, and the warnings of what came or changed.
base::Diagnostics check(const tree::Delta& delta);

// Everything; for the first tree of a process and for tests.
base::Diagnostics check_all(const tree::ConfigTree& tree);

}  // namespace millrace::check
