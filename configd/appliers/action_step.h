// SPDX-License-Identifier: GPL-2.0-or-later
//
// Steps as pairs of functions, for actions that need no class. Both functions keep the promises of
// commit/step.h: idempotent, and knowing before and after by themselves.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "commit/step.h"

namespace millrace::appliers {

using Action = std::function<base::Result<void>(system::System&)>;

std::unique_ptr<commit::Step> action_step(std::string description, Action apply, Action undo);
// State is lost or traffic interrupted even when all goes well.
std::unique_ptr<commit::Step> disruptive_step(std::string description, Action apply, Action undo);

}  // namespace millrace::appliers
