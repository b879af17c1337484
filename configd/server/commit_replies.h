// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a check and a commit have to say to the person who asked for them.
#pragma once

#include <string>

#include "server/reply.h"

namespace millrace::server {

// "(statements constraint check failed)": why, in the words that scripts know.
std::string commit_failure(const base::Diagnostics& diagnostics);

Reply check_reply(const base::Diagnostics& diagnostics);
// Also writes the daemon's log.
Reply commit_reply(const commit::CommitReport& report, const std::string& user,
                   const std::string& via);

}  // namespace millrace::server
