// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace millrace::fib {

// Returns when every program that was running at the call has ended, so that what no table leads to
// any more can be used again. A fraction of a millisecond, as a rule.
void wait_for_programs();

}  // namespace millrace::fib
