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
// fsync of the directory. Creates missing parent directories. Not by two at once. Errors: Io; the
// old file is intact.
Result<void> write_file(const std::filesystem::path& path, std::string_view content,
                        unsigned mode = 0644);

// Removes what a write_file of `path` left beside it when its process was killed; the next
// write_file does so too. Nothing there is success. Errors: Io.
Result<void> discard_unfinished(const std::filesystem::path& path);

// Writes all of `bytes`, whatever number of writes that takes. 0, or the errno of what failed.
int write_all(int fd, std::string_view bytes);

}  // namespace millrace::base
