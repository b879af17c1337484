// SPDX-License-Identifier: GPL-2.0-or-later
//
// A chain of policies as one program. Terms follow each other; one that does not match falls
// through to the next. What a term needs beyond one entry:
//
//   * alternatives of one kind are entries of their own, or tests before it that jump;
//   * a negation is a test that jumps to the next term;
//   * a subroutine is its own policies in line, with jumps to "holds" and "does not hold" in place
//     of accept and reject; what it changes stays changed, as in Junos. It is asked last of all;
//   * changes in a certain order are a block of entries.
//
// `default-action` is a memory that FRR lacks. The place in the program is the memory: behind a
// term that sets it the rest of the chain exists once more, up to once for each of the three
// states.
#pragma once

#include <string>
#include <vector>

#include "appliers/policy/expression.h"
#include "appliers/policy/program.h"
#include "appliers/policy/scope.h"

namespace millrace::appliers::policy {

// Findings go to `scope`.
void flatten(const std::vector<Expression>& chain, Program& program, Scope& scope);

}  // namespace millrace::appliers::policy
