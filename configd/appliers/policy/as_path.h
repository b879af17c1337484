// SPDX-License-Identifier: GPL-2.0-or-later
//
// Regular expressions over AS paths. Those of Junos match the whole path and their letters are
// autonomous systems: 65000, 65000-65010, `.` for any, with * + ? {m} {m,} {m,n}, alternatives,
// parentheses, [ … ] for one of several; "()" is the empty path. Those of FRR are POSIX expressions
// over the text "65000 65001 {1,2}", so each autonomous system becomes its digits and what ends
// them. A set of autonomous systems in a path counts as one that only `.` matches.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace millrace::appliers::policy {

// Errors: BadValue with what is wrong in `text`, or that FRR could not take the result.
base::Result<std::string> as_path_expression(std::string_view text);

// A POSIX expression, in parentheses where needed, for the decimal numbers from `low` to `high`.
std::string number_range(std::uint32_t low, std::uint32_t high);

}  // namespace millrace::appliers::policy
