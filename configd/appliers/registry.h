// SPDX-License-Identifier: GPL-2.0-or-later
//
// The one list of subsystems. Appliers are internal to their .cpp; this sees a factory of each.
#pragma once

#include "commit/applier.h"

namespace millrace::appliers {

// Every applier, and one for each `render` of the schema. `schema` outlives the registry.
commit::Registry make_registry(const schema::Schema& schema);

// What each applier owns, for schema::assign_owners.
std::vector<schema::Ownership> ownership();

}  // namespace millrace::appliers
