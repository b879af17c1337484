// SPDX-License-Identifier: GPL-2.0-or-later
//
// A repository as an archive: one commit for each revision that it does not have yet.
#pragma once

#include <filesystem>
#include <string>

#include "commit/engine.h"

namespace millrace::server {

// `url` without "git+"; `folder` keeps the clone. Blocks. Errors: ApplyFailed with what git said,
// Io.
base::Result<void> push_revisions(const commit::Engine& engine, const std::string& host,
                                  const std::string& url, const std::filesystem::path& folder);

}  // namespace millrace::server
