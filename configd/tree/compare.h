// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

#include "syntax/element.h"
#include "tree/delta.h"
#include "tree/text.h"

namespace millrace::tree {

// `show | compare`: hunks of `[edit PATH]` and signed lines (+ only after, - only before, ! changed
// state of an existing object), in tree order, restricted to `base`. Empty when nothing differs.
// `load patch` makes the one tree of the other with it.
std::string compare_text(const Delta& delta, const Path& base, WriteOptions options = {});
// The same as set, delete, activate, … lines.
std::string compare_set(const Delta& delta, const Path& base, WriteOptions options = {});
// The same as an element `configuration` with what differs and the operations that lead there:
// loading it into delta.before() gives delta.after().
syntax::Element compare_element(const Delta& delta, const Path& base, WriteOptions options = {});

}  // namespace millrace::tree
