// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is done on the commit thread for whoever commits: a person at the command line or a program.
#pragma once

#include "server/shell.h"

namespace millrace::server {

// A commit of this session's user took the place of `before`, or failed: the report without what
// the user may not see, the session's candidate and the record of who did what follow.
void settle_commit(Shell& shell, const tree::ConfigTree& before, const tree::ConfigTree& candidate,
                   commit::CommitReport& report);

// `commit confirmed cancel`: what was before the trial of `revision`, which this user may end.
commit::CommitReport cancel_trial(Shell& shell, commit::RevisionId revision,
                                  commit::Observer* observer);

inline constexpr std::string_view kNothingOnTrial = "no commit waits for a confirmation";

// It takes back what its user may change, and the user of this session perhaps not.
inline constexpr std::string_view kForeignTrial =
    "permission denied: the commit on trial is somebody else's";

}  // namespace millrace::server
