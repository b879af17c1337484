// SPDX-License-Identifier: GPL-2.0-or-later
//
// Colours for people at terminals that have them (`set cli color`): what was added, removed and
// changed in a comparison, errors and warnings. They go around whole rows, so the text is the same.
#pragma once

#include <string>
#include <string_view>

namespace millrace::cli {

// Whether `text` is what `| compare` prints: signs below a line `[edit …]`.
bool is_comparison(std::string_view text);
std::string paint_comparison(std::string_view row);
std::string paint_errors(std::string_view text);

}  // namespace millrace::cli
