// SPDX-License-Identifier: GPL-2.0-or-later
//
// Patterns of names as shells have them: `*` any characters, `?` one, `[a-c]` or `[!a-c]` one of
// some or of all others. Everything else stands for itself; there is no escape.
#pragma once

#include <string_view>

namespace millrace::base {

// Whether brackets are closed and not empty, and there is something.
bool is_glob(std::string_view pattern);

// Whether `pattern` matches all of `text`. Requires: is_glob. O(pattern · text).
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace millrace::base
