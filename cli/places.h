// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a user's files may be. Who may start a shell may use every file that the kernel lets them;
// to all others the CLI is the only door, and it leads to a few folders: their home, /tmp and
// /var/tmp, and for reading /var/log. A link out of them counts as where it leads.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace::cli {

class Places {
 public:
  enum class Use : std::uint8_t { Read, Write };

  static Places everywhere() { return {}; }
  static Places confined(const std::filesystem::path& home);

  // The file as it may be opened. The error says which places there are.
  std::expected<std::string, std::string> open(const std::string& name, Use use) const;

 private:
  bool confined_ = false;
  std::vector<std::filesystem::path> writable_;
  std::vector<std::filesystem::path> readable_;
};

}  // namespace millrace::cli
