// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "commit/engine.h"
#include "tree/text.h"

namespace millrace::server {

// What `show` says beside the statements of a candidate that could not be committed: mandatory
// statements that are missing, names that are not defined. Cost: that of checking what the
// candidate changes.
tree::Notes remarks_of(const commit::Engine& engine, const tree::ConfigTree& candidate);

}  // namespace millrace::server
