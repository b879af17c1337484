// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <functional>
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
  // Writes in the background what `content` makes there, for a file whose size a commit must not
  // wait for. The last of several wins; a write() or read() of the file, and the end of this
  // object, come after it. `content` must not throw. The default writes at once.
  virtual base::Result<void> write_soon(std::string_view path,
                                        std::function<FileContent()> content);
  // A process that ended in the middle, or a disk that refused it, left a write_soon() of the file
  // undone. A boot forgets this.
  virtual bool unwritten(std::string_view /*path*/) { return false; }
  // Runs `argv` on a temporary file that holds `content`; {} in argv is its path. Errors:
  // ApplyFailed with what the program said when it exits non-zero.
  virtual base::Result<void> validate(const FileContent& content,
                                      const std::vector<std::string>& argv) = 0;
};

}  // namespace millrace::system
