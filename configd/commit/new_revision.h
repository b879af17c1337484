// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "commit/engine.h"

namespace millrace::commit {

// What the log will say of a commit, without its id. `revisions`: newest first, not empty when
// there is a trial to be. Errors: BadValue for a label that is none; Conflict for one that is taken
// and for too many trials in a row.
base::Result<Revision> new_revision(const CommitRequest& request,
                                    const std::vector<Revision>& revisions,
                                    const std::optional<Trial>& trial);

// The clock of trials: it goes on while the machine sleeps, and nobody can set it.
std::chrono::seconds seconds_since_boot();

}  // namespace millrace::commit
