// SPDX-License-Identifier: GPL-2.0-or-later
//
// A whole configuration as text, headed by "# millrace snapshot ID crc32c CRC". Readable by people,
// and checked before it is believed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "commit/revision_log.h"

namespace millrace::commit {

std::filesystem::path snapshot_path(const std::filesystem::path& folder, RevisionId id);

// Replaces the file atomically, durable when it returns, mode 0600. O(configuration).
base::Result<void> write_snapshot(const std::filesystem::path& folder, RevisionId id,
                                  const tree::ConfigTree& tree);

// Statements that the schema of today does not know are kept inert (tree/keep_unknown.h), those
// that it did not know before are back in their place. `remarks` names what could not be kept.
// Errors: UnknownPath when there is none, Syntax when it is damaged, Io.
base::Result<tree::ConfigTree> read_snapshot(const std::filesystem::path& folder, RevisionId id,
                                             const schema::Schema& schema,
                                             std::vector<std::string>& remarks);

// `encoded` applied to `tree`, with what is not known as above, so that a router comes up after an
// upgrade.
tree::ConfigTree replay(std::string_view encoded, const tree::ConfigTree& tree, RevisionId id,
                        std::vector<std::string>& remarks);

}  // namespace millrace::commit
