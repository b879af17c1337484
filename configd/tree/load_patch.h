// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "tree/text.h"

namespace millrace::tree {

// Applies what compare_text printed; internal to tree/. Headers name paths below `base`.
LoadReport load_patch(Editor& editor, const Path& base, std::string_view text);

}  // namespace millrace::tree
