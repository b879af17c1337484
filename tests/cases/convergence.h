// SPDX-License-Identifier: GPL-2.0-or-later
//
// The property of convergence: random sequences of edits and commits, with failures, crashes, power
// cuts, full disks, hardware that comes and goes, daemons that refuse and other people's objects on
// the way, lead where one commit of the final configuration leads on a fresh machine; and what
// fails changes nothing. sequence.h says what a line can be and what must hold after each.
//
//   MILLRACE_SEED=N         begins with the sequence of that seed; each one has the seed of the one
//                           before plus one
//   MILLRACE_SEQUENCES=N    as many
//   MILLRACE_FAILURES=N     goes on until that many went wrong
//   MILLRACE_SEQUENCE=FILE  plays the lines of the file as well
//   MILLRACE_RELEASE=1      10,000
//
// A sequence that goes wrong is cut down to lines that are all needed for it, and printed so. What
// is worth keeping goes to sequences/NAME.lines, with a comment that says why, and is played each
// time.
#pragma once

namespace millrace::cases {

void register_sequences();

}  // namespace millrace::cases
