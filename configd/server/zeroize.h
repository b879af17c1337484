// SPDX-License-Identifier: GPL-2.0-or-later
//
// `request system zeroize`: back to how the router came. A running configd cannot pull its own log
// from under it, so the command leaves a mark and restarts the machine, and the start does the work
// in two parts: the revisions go before the engine opens them, which then makes the machine what an
// empty configuration wants (no users, no services, root's own password); then goes what users and
// programs have written. The mark goes last, so a start that was cut short does it all again.
//
// Files are removed, not overwritten.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"

namespace millrace::server {

base::Result<void> mark_for_zeroize(const std::filesystem::path& state);
bool is_marked_for_zeroize(const std::filesystem::path& state);

// Before the engine: empties the folder of the state but for the mark. Errors: Io.
base::Result<void> erase_revisions(const std::filesystem::path& state);

// After the engine has started: homes, logs, host keys and temporary files below `root`, then the
// mark. `machine` runs a program (Services::machine). Errors: Io; what could be removed is.
base::Result<void> erase_traces(
    const std::filesystem::path& root, const std::filesystem::path& state,
    const std::function<base::Result<std::string>(const std::vector<std::string>&)>& machine);

}  // namespace millrace::server
