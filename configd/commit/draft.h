// SPDX-License-Identifier: GPL-2.0-or-later
//
// A commit before anything of it has happened, as engine.cpp passes it from stage to stage.
#pragma once

#include <vector>

#include "base/diagnostics.h"
#include "check/check.h"
#include "commit/applier.h"
#include "commit/transaction.h"

namespace millrace::commit {

// A candidate on its way: everything that is known before a step runs.
struct Draft {
  World after;
  tree::Delta delta;  // of the effective trees
  base::Diagnostics diagnostics;
  std::vector<const Applier*> touched;
  check::Index index;  // of after.tree
};

// A commit that has come as far as it can without changing anything.
struct Prepared {
  tree::ConfigTree candidate;
  Draft draft;
  Transaction transaction;
};

// The error as a finding, its causes behind its message.
void add_error(base::Diagnostics& diagnostics, const base::Error& error);

}  // namespace millrace::commit
