// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the files of the revision log say, before any configuration is rebuilt.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

#include "commit/revision_log.h"

namespace millrace::commit {

// A committed revision and where its delta is.
struct LogEntry {
  Revision revision;
  RevisionId segment = 0;  // the base of the file that holds its prepare
  std::size_t offset = 0;
  std::size_t length = 0;
  bool confirmed = false;                // of a revision on trial
  std::optional<tree::ConfigTree> tree;  // when it has been rebuilt and kept
};

// Revision 0, the empty configuration, begun at `time`.
LogEntry initial_entry(std::int64_t time);

struct LogContents {
  std::map<RevisionId, LogEntry> entries;  // oldest first
  std::vector<RevisionId> segments;        // bases of the files that have a head, oldest first
  RevisionId last_file = 0;                // base of the newest file, headed or not; 0 if none
  std::size_t good = 0;                    // bytes of it to keep
  RevisionId next_id = 1;                  // never used before
  Recovery recovery;                       // all but `committed` and `salvaged`
  // Damage other than a torn tail: all the above is what comes before it.
  std::optional<std::string> damage;
};

// Reads the chain in `folder`, from the file of `first` on. Errors: Io when the folder cannot be
// read.
base::Result<LogContents> read_log(const std::filesystem::path& folder, RevisionId first = 0);

// Bases of the files in `folder`, oldest first. Errors: Io.
base::Result<std::vector<RevisionId>> log_files(const std::filesystem::path& folder);

}  // namespace millrace::commit
