// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <memory>

#include "system/kernel.h"

namespace millrace::system {

// The kernel of this machine, in the network namespace of the calling thread. Errors: Io.
base::Result<std::unique_ptr<Kernel>> open_kernel();

}  // namespace millrace::system
