// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pipes that act on text: `match`, `except`, `find`, `count`, `last`, `trim`, `resolve`,
// `suppress-zeros`, `request message`, `save`, `append`, `tee`, and `hold`, `no-more` and
// `refresh`, which are the terminal's. The daemon has parsed them; files are written here, with the
// user's rights. Patterns are POSIX extended expressions.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/places.h"

namespace millrace::cli {

using TextPipe = std::vector<std::string>;  // {"match", "eth0"}

// What pipes need beside the text.
struct PipeHost {
  PipeHost(std::size_t lines) : screen_lines(lines) {}  // NOLINT: a number of lines is a host

  std::size_t screen_lines;  // what `last` shows without a number
  Places places = Places::everywhere();
  // Sends text to "all" or "user@tty".
  std::function<std::expected<void, std::string>(const std::string& whom, const std::string& text)>
      tell;
};

// Applies the pipes in order. Errors: a sentence for the user, such as a pattern that is none or a
// file that cannot be written.
std::expected<std::string, std::string> apply_pipes(const std::vector<TextPipe>& pipes,
                                                    std::string text, const PipeHost& host);

// `| resolve`: each address in the text that `name_of` knows becomes its name, up to the first dot
// unless `full_names`.
using NameOf = std::function<std::optional<std::string>(const std::string& address)>;
std::string resolve(std::string_view text, bool full_names, const NameOf& name_of);
// What the resolver of the system says.
std::optional<std::string> host_name_of(const std::string& address);

// `| suppress-zeros`: without the lines that have numbers, all of which are zero.
std::string suppress_zeros(std::string_view text);

}  // namespace millrace::cli
