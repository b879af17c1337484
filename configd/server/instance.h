// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>

#include "base/error.h"
#include "base/fd.h"

namespace millrace::server {

// The lock that makes this the only configd of its state: held as long as the Fd lives, gone with
// the process however it ends. Errors: Locked, naming the holder; Io.
base::Result<base::Fd> lock_instance(const std::filesystem::path& folder);

}  // namespace millrace::server
