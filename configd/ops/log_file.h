// SPDX-License-Identifier: GPL-2.0-or-later
//
// Files of messages that programs keep in /var/log and its folders. configd reads them for whoever
// has the right to, so their names decide alone what is read: no name leads out of the folder,
// through a link, or to anything but a regular file.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/fd.h"

namespace millrace::ops {

inline constexpr const char* kLogFolder = "/var/log";
// The journal, where Junos has a file; it is read with journalctl and never a file of the folder.
inline constexpr std::string_view kJournalName = "messages";

struct LogFile {
  std::string name;  // below the folder, "frr/frr.log"
  std::uint64_t size = 0;
  std::int64_t changed = 0;  // seconds since the epoch
  std::string owner;
};

// Newlines and tabs stay; other control characters become \xNN, since what a program writes in a
// log may come from anybody and is not to move the cursor of whoever reads it.
std::string plain_text(std::string_view text);

// Those that could be shown, by name. Errors: Io.
base::Result<std::vector<LogFile>> log_files(const std::filesystem::path& folder);
// Errors: BadValue for a name that is none, UnknownPath when there is no such file, Io.
base::Result<base::Fd> open_log(const std::filesystem::path& folder, std::string_view name,
                                bool for_clearing = false);
// The file, or the end of one that is longer than `most` bytes, from a whole line on and with a
// first line that says so. Errors: as above, and BadValue when it is no text.
base::Result<std::string> read_log(const std::filesystem::path& folder, std::string_view name,
                                   std::size_t most = std::size_t{4} << 20);
// Leaves the file empty; a program that has it open goes on at its start.
base::Result<void> clear_log(const std::filesystem::path& folder, std::string_view name);

}  // namespace millrace::ops
