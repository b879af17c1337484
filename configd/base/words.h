// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::base {

// What stands between white space. Quotes have no meaning.
std::vector<std::string> split_words(std::string_view line);

// All of them, with `between` between two.
std::string joined(std::span<const std::string> words, std::string_view between = " ");

// How many characters UTF-8 text has.
std::size_t characters(std::string_view text);

// In double quotes, with a backslash before each quote and backslash: as the CLI, YANG (RFC 7950,
// 6.1.3) and configurations of curl read it. Requires: no control characters.
std::string quoted(std::string_view text);

// With a blank for each control character, and none at the end: for logs and comments.
std::string one_line(std::string text);

}  // namespace millrace::base
