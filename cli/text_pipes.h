// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pipes that act on text: `match`, `except`, `find`, `count`, `last`, `trim`, `save`, `append`,
// `tee`, and `hold` and `no-more`, which are the pager's. The daemon has parsed them; files are
// written here, with the user's rights. Patterns are POSIX extended expressions.
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace millrace::cli {

using TextPipe = std::vector<std::string>;  // {"match", "eth0"}

// Applies the pipes in order. `screen_lines` is what `last` shows without a number. Errors: a
// sentence for the user, such as a pattern that is none or a file that cannot be written.
std::expected<std::string, std::string> apply_pipes(const std::vector<TextPipe>& pipes,
                                                    std::string text, std::size_t screen_lines);

}  // namespace millrace::cli
