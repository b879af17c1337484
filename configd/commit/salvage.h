// SPDX-License-Identifier: GPL-2.0-or-later
//
// A log that is damaged before its end: what of it can be believed, and where the rest is kept. A
// router must come up, so the newest revision that the log can still prove is taken: a chain of
// whole records from the empty configuration or from a snapshot whose checksum holds. What comes
// after the damage is believed only from the next such snapshot on, since its deltas stand on what
// is lost.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "commit/log_reader.h"

namespace millrace::commit {

// Chains that can be read from `folder`, the one that leads to the newest revision first; `whole`
// is the chain as it was read from its beginning. The last resort, nothing at all, is not among
// them.
std::vector<LogContents> readable_chains(const std::filesystem::path& folder, LogContents whole);

struct KeptAside {
  std::filesystem::path folder;
  std::vector<std::string> unreadable;  // files that the disk does not give back
};

// Copies all files of the log into a new folder "damaged-TIME", durable when it returns; of older
// such folders the last few stay. Errors: Io, a copy could not be written.
base::Result<KeptAside> keep_aside(const std::filesystem::path& folder);

// Removes the files of the log that do not belong to the chain, and all its snapshots when it is
// empty. What cannot be removed stays: the next start finds the same damage again.
void remove_others(const std::filesystem::path& folder, const LogContents& chain);

// The highest id in any record, file name or snapshot of `folder`: none up to it is free.
RevisionId highest_known_id(const std::filesystem::path& folder);

}  // namespace millrace::commit
