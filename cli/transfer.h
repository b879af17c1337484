// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files of this host and of others, by the names that people use: `FILE`, `https://HOST/PATH`,
// `scp://USER@HOST/PATH`. The system's own tools move them, with this user's rights and keys, on
// this terminal, where they may ask for a password; no shell is involved.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "cli/places.h"

namespace millrace::cli {

// Whether `name` names something on another host, of a kind that we move.
bool is_url(std::string_view name);

// Everything in the file, which must be in one of `places`. Errors: what went wrong, naming the
// file.
std::expected<std::string, std::string> read_source(const std::string& name,
                                                    const Places& places = Places::everywhere());
// `append` is for files only. Errors: as above.
std::expected<void, std::string> write_target(const std::string& name, const std::string& text,
                                              bool append = false,
                                              const Places& places = Places::everywhere());

}  // namespace millrace::cli
