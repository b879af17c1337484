// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.h"

namespace millrace::base {

// The whole file. Errors: UnknownPath when absent, Io otherwise.
Result<std::string> read_file(const std::filesystem::path& path);

// Replaces the file atomically: temporary file in the same directory with `mode`, fsync, rename,
// fsync of the directory. Creates missing parent directories. Errors: Io; the old file is intact.
Result<void> write_file(const std::filesystem::path& path, std::string_view content,
                        unsigned mode = 0644);

}  // namespace millrace::base
