// SPDX-License-Identifier: GPL-2.0-or-later
//
// What `from` and `to` ask, but for prefixes and subroutines. What is known while compiling (the
// family, the neighbour of an import) is decided here and costs the router nothing.
#pragma once

#include <vector>

#include "appliers/policy/community.h"
#include "appliers/policy/model.h"
#include "appliers/policy/scope.h"

namespace millrace::appliers::policy {

// All have to hold. What cannot be expressed is refused in `scope`.
std::vector<Condition> conditions_of(const Term& term, Scope& scope);

// Whether `from protocol` lets a route of that source through.
bool lets_through(const Term& term, Source source);

}  // namespace millrace::appliers::policy
