// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace millrace::system {

struct FileContent {
  std::string text;
  unsigned mode = 0644;
  bool operator==(const FileContent&) const = default;
};

// Files that configd owns, by absolute path. Writes are atomic.
class Files {
 public:
  virtual ~Files() = default;
  // Removes what a write that was killed left beside the file, so that whoever reconciles a file
  // leaves nothing of an interrupted commit.
  virtual base::Result<std::optional<FileContent>> read(std::string_view path) = 0;
  virtual base::Result<void> write(std::string_view path, const FileContent& content) = 0;
  virtual base::Result<void> remove(std::string_view path) = 0;  // absent: success
  // Runs `argv` on a temporary file that holds `content`; {} in argv is its path. Errors:
  // ApplyFailed with what the program said when it exits non-zero.
  virtual base::Result<void> validate(const FileContent& content,
                                      const std::vector<std::string>& argv) = 0;
};

}  // namespace millrace::system
