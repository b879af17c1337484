// SPDX-License-Identifier: GPL-2.0-or-later
//
// `commit confirmed`: a revision on trial comes back out unless somebody confirms it in time.
//
// The log says that a revision is on trial (its `prepare`) and that it was confirmed (a record of
// its own), so a crash at any moment leaves one or the other, never a trial that nobody remembers.
// The deadline is on the clock that counts from the boot, which no clock setting moves, and is kept
// in /run only: a restart of the daemon finds it and waits on; after a boot it is not there, and
// that is what says that the trial is over.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace millrace::commit {

using RevisionId = std::uint64_t;

// What was asked for.
struct TrialTerms {
  unsigned minutes = 10;
  // An operational command that decides instead of a person: the trial is confirmed when it
  // succeeds. Empty: a person decides.
  std::string verify = {};
};

// The revision in force is not confirmed yet.
struct Trial {
  RevisionId revision = 0;
  RevisionId previous = 0;  // the last confirmed one: what comes back
  std::string user;
  std::string via;
  TrialTerms terms;
  std::chrono::seconds deadline{0};  // on the clock of Engine::boot_time()
};

}  // namespace millrace::commit
