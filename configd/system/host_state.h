// SPDX-License-Identifier: GPL-2.0-or-later
//
// The parts of the kernel that are no netlink objects. Internal to this folder.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace millrace::system {

base::Result<std::string> read_host_name();
base::Result<void> write_host_name(std::string_view name);
base::Result<std::string> read_sysctl(std::string_view name);  // without the newline
base::Result<void> write_sysctl(std::string_view name, std::string_view value);

}  // namespace millrace::system
