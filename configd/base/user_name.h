// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace millrace::base {

// The name that the machine has for a user, none when there is none. Reads the accounts.
std::optional<std::string> user_name(uid_t uid);

}  // namespace millrace::base
