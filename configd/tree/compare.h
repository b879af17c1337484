// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

#include "tree/delta.h"

namespace millrace::tree {

// `show | compare`: hunks of `[edit PATH]` and signed lines (+ only after, - only before, ! changed
// state of an existing object), in tree order, restricted to `base`. Empty when nothing differs.
std::string compare_text(const Delta& delta, const Path& base);
// The same as set, delete, activate, … lines.
std::string compare_set(const Delta& delta, const Path& base);

}  // namespace millrace::tree
