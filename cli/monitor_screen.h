// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <expected>
#include <string>

namespace millrace::cli {

// `monitor interface`, once a second until `q`, on the terminal that is standard input and output;
// empty: all interfaces. The terminal must be in the mode it was found in. The error says why there
// is no screen.
std::expected<void, std::string> monitor_interface(const std::string& host,
                                                   const std::string& interface);

}  // namespace millrace::cli
