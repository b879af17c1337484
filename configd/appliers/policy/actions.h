// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `then` changes as set clauses of FRR. Clauses of one entry are applied in an order that FRR
// does not promise, so what must come one after the other (a community deleted, then one added)
// stands in different groups: one entry each.
#pragma once

#include <string>
#include <vector>

#include "appliers/policy/model.h"
#include "appliers/policy/scope.h"

namespace millrace::appliers::policy {

// Empty when nothing changes. What cannot be expressed is refused in `scope`.
std::vector<std::vector<std::string>> set_groups(const Actions& actions, Scope& scope);

}  // namespace millrace::appliers::policy
