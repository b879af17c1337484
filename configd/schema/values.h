// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of schema/: the canonical forms that need more than a few lines, one function a family of
// types. All of them return BadValue errors in the words of the CLI.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "schema/type.h"

namespace millrace::schema {

// "invalid value 'TEXT': expected WHAT".
std::unexpected<base::Error> invalid(std::string_view text, std::string_view expected,
                                     std::string hint = {});

// The text as an error message may repeat it: control characters replaced, long texts cut.
std::string shown(std::string_view text);

// "1..4094" or "1..4, 8..9".
std::string ranges_text(const std::vector<Range>& ranges);

// Valid UTF-8 without control characters (C0, DEL and C1): what a value may hold at all.
bool is_printable(std::string_view text);

// Whether the whole text matches. Requires: check_pattern accepted the pattern.
bool matches(const std::string& pattern, std::string_view text);
// Errors: BadValue when it is no POSIX extended regular expression.
base::Result<void> check_pattern(const std::string& pattern);

base::Result<std::string> canonical_string(const Type& type, std::string_view text);
base::Result<std::string> canonical_interface(const Type& type, std::string_view text);
base::Result<std::string> canonical_logical_interface(const Type& type, std::string_view text);
base::Result<std::string> canonical_host_name(std::string_view text);
base::Result<std::string> canonical_domain_name(std::string_view text);
base::Result<std::string> canonical_host(std::string_view text);

}  // namespace millrace::schema
