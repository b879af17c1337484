// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files that are written behind the back of whoever changed them, on a thread of their own. A mark
// in a folder that a boot empties says which file is not on the disk yet, so that a process that
// was killed in between is found out by the next one. Thread-safe.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "system/files.h"

namespace millrace::system {

class WriteQueue {
 public:
  using Content = std::function<FileContent()>;
  using Write = std::function<base::Result<void>(const std::string& path, const FileContent&)>;

  // `write` runs on the queue's thread.
  WriteQueue(std::filesystem::path marks, Write write);
  ~WriteQueue();  // writes what is left

  // The last of several for a path wins. Errors: Io when the mark cannot be made.
  base::Result<void> add(std::string_view path, Content content);
  // Returns when nothing of `path` is waiting or being written.
  void settle(std::string_view path);
  // Something that was to be written is not. Requires: settle().
  bool marked(std::string_view path) const;
  void unmark(std::string_view path);

 private:
  void work();
  std::filesystem::path mark(std::string_view path) const;

  const std::filesystem::path marks_;
  const Write write_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  std::map<std::string, Content, std::less<>> waiting_;
  std::string writing_;
  bool stopping_ = false;
  std::thread thread_;  // begun with the first file
};

}  // namespace millrace::system
