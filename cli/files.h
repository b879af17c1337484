// SPDX-License-Identifier: GPL-2.0-or-later
//
// `file list|show|copy|delete|rename|compare|checksum`, with the rights of the user and in the
// places that the user has.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "cli/completion.h"
#include "cli/places.h"

namespace millrace::cli {

// `words` begin with the name of the action; a `--` among them is only for the eye. What it prints;
// the error says why nothing was done.
std::expected<std::string, std::string> file_command(std::vector<std::string> words,
                                                     const Places& places);

// The files and folders whose names start with `prefix`, at most `most`; folders end in `/`.
std::vector<Choice> file_names(const std::string& prefix, const Places& places, std::size_t most);

}  // namespace millrace::cli
