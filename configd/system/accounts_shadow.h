// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "system/accounts.h"

namespace millrace::system {

// Of the passwd and shadow files below `root`, changed by the programs of Debian's passwd package.
// Only those of "/" have processes.
std::unique_ptr<Accounts> make_accounts(std::filesystem::path root);

}  // namespace millrace::system
