// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is done on the commit thread for whoever commits: a person at the command line or a program.
#pragma once

#include "server/shell.h"

namespace millrace::server {

// What a commit is asked to be, whoever asks.
struct CommitTerms {
  std::string comment;
  std::string label;
  std::optional<commit::TrialTerms> trial;
  bool full = false;
  bool prepared = false;  // `commit activate`
};

// Commits this session's candidate as its user. The report is without what the user may not see;
// the session's candidate and the record of who did what follow.
commit::CommitReport commit_candidate_of(Shell& shell, const CommitTerms& terms,
                                         commit::Observer* observer);

// `commit confirmed cancel`: what was before the trial of `revision`, which this user may end.
commit::CommitReport cancel_trial(Shell& shell, commit::RevisionId revision,
                                  commit::Observer* observer);

inline constexpr std::string_view kNothingOnTrial = "no commit waits for a confirmation";

// It takes back what its user may change, and the user of this session perhaps not.
inline constexpr std::string_view kForeignTrial =
    "permission denied: the commit on trial is somebody else's";

}  // namespace millrace::server
