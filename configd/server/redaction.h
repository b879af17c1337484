// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the engine says about a configuration, for somebody who may not see all of it.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "commit/engine.h"
#include "server/access.h"

namespace millrace::server {

// Findings about statements that the peer may not see say only that there is one.
base::Diagnostics redacted(const Peer& peer, const schema::Schema& schema,
                           base::Diagnostics findings);
// Steps of appliers whose statements the peer may not all see say only that there is one.
std::vector<commit::StepLine> redacted(const Peer& peer, const schema::Schema& schema,
                                       std::vector<commit::StepLine> steps);

}  // namespace millrace::server
