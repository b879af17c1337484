// SPDX-License-Identifier: GPL-2.0-or-later
//
// One file of the revision log, open for appending. Every append is durable when it returns, and an
// append that fails leaves the file as it was, or, when not even that can be had, the segment
// broken: after a failed fsync nobody knows what the disk holds, so nothing more may be promised.
// On a read-only disk it can be read, and takes records again as soon as the disk does.
#pragma once

#include <filesystem>
#include <string_view>

#include "base/fd.h"
#include "commit/revision_log.h"

namespace millrace::commit {

class Segment {
 public:
  // The file "log-BASE" in `folder`, created when absent. `good` bytes of it are kept.
  // Errors: Io; not when the file is there and only cannot be written to.
  static base::Result<Segment> open(const std::filesystem::path& folder, RevisionId base,
                                    std::size_t good);
  static std::filesystem::path path(const std::filesystem::path& folder, RevisionId base);

  std::size_t size() const { return size_; }
  bool read_only() const { return read_only_; }
  // Errors: Io.
  base::Result<void> append(std::string_view line);

 private:
  Segment(std::filesystem::path path, std::size_t size) : path_(std::move(path)), size_(size) {}

  int open_for_writing();

  base::Fd fd_;
  std::filesystem::path path_;
  std::size_t size_ = 0;
  bool broken_ = false;
  bool read_only_ = false;
};

// Makes names created in or removed from `folder` durable. Errors: Io.
base::Result<void> sync_folder(const std::filesystem::path& folder);

}  // namespace millrace::commit
