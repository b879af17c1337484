// SPDX-License-Identifier: GPL-2.0-or-later
//
// What sessions say about a commit that waits for its confirmation, and who may give it.
#pragma once

#include <optional>
#include <string>

#include "server/services.h"

namespace millrace::server {

// Until the deadline, begun ones counted: 0 when it has passed.
std::int64_t minutes_left(const commit::Engine& engine, const commit::Trial& trial);

// "# commit confirmed will be rolled back in 5 minutes", before every prompt of configuration mode;
// empty when nothing is on trial.
std::string trial_banner(const commit::Engine& engine);

// A commit by `user` would confirm what somebody else has on trial, who may not expect that.
struct Foreign {
  commit::RevisionId revision = 0;
  std::string question;  // "commit confirmed by alice, … Confirm it?"
};
std::optional<Foreign> foreign_trial(const commit::Engine& engine, const std::string& user);

// Why nobody may edit or commit while a commit is scheduled.
base::Error scheduled_error(const commit::ScheduledCommit& waiting);

// Tells everybody who is logged in, but the session `except` (0: nobody), and the log.
void announce(Services& services, const std::string& text, std::uint64_t except = 0);

// `running` has been replaced by a rollback that no session asked for: a shared candidate without
// edits of its own goes back as well, edits stay.
void follow_rollback(Services& services, const tree::ConfigTree& before);

}  // namespace millrace::server
