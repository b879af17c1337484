// SPDX-License-Identifier: GPL-2.0-or-later
//
// The list of commits as people and programs see it: what waits, the 50 revisions, what is kept
// beside them.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "commit/engine.h"

namespace millrace::ops {

// "2026-11-30 14:01:02 UTC by alice via cli commit confirmed, rollback in 10mins"
std::string revision_line(const commit::Revision& revision);

// `show system commit`. `with_ids` adds the stable id of each revision.
std::string revisions_text(const commit::Engine& engine, bool with_ids);
// {"revisions": […], "trial": {…}, "scheduled": {…}, "rescue": {…}, "checkpoints": […], "remarks",
// "degraded"}; what there is none of is left out, the lists are always there.
nlohmann::json revisions_json(const commit::Engine& engine);

}  // namespace millrace::ops
