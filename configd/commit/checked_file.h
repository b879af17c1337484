// SPDX-License-Identifier: GPL-2.0-or-later
//
// A configuration in a file of its own: "# millrace {…} crc32c CRC", then the statements. People
// can read it, the JSON says where it comes from, and the checksum is over both, so that half a
// file or somebody's edit is noticed before it is believed.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"

namespace millrace::commit {

struct CheckedFile {
  nlohmann::json about;
  std::string text;
};

// Replaces the file atomically, durable when it returns, mode 0600. Errors: BadValue for text that
// is not UTF-8, Io.
base::Result<void> write_checked(const std::filesystem::path& path, const CheckedFile& file);
// Errors: UnknownPath when there is none, Syntax when it is damaged, Io.
base::Result<CheckedFile> read_checked(const std::filesystem::path& path);

// Removes a file for good. Errors: Io; not when there was none.
base::Result<void> remove_durably(const std::filesystem::path& path);

}  // namespace millrace::commit
