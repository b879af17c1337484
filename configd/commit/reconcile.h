// SPDX-License-Identifier: GPL-2.0-or-later
//
// Bringing subsystems to a configuration from a state nobody knows: after a boot, a crash, or an
// undo that failed. Each applier stands for itself, so that what can be applied is.
#pragma once

#include <map>
#include <span>
#include <string>

#include "commit/engine.h"

namespace millrace::commit {

// Runs the plans that `appliers` (in sorted order) make from the system as it is, until they have
// nothing left to do. More than one round can be needed, since a step of one may take with it what
// another has built. Returns the appliers that could not get there and why.
std::map<std::string, base::Error> reconcile(std::span<const Applier* const> appliers,
                                             const World& wanted, system::System& system,
                                             Observer* observer);

}  // namespace millrace::commit
