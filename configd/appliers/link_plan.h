// SPDX-License-Identifier: GPL-2.0-or-later
//
// From one state of devices to another, attribute by attribute: nothing is recreated that can be
// changed in place.
#pragma once

#include "appliers/link_state.h"
#include "commit/step.h"

namespace millrace::appliers {

// Pure. Requires: hardware is in both or in neither.
commit::Plan plan_links(const LinkStates& before, const LinkStates& after);

}  // namespace millrace::appliers
