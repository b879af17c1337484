// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <linux/netlink.h>

#include "fib/source.h"

namespace millrace::fib {

// Hands one message of the kernel to the sink, or nothing when it is none that forwarding needs.
// Never reads beyond the message, whatever its attributes say.
void parse_message(const nlmsghdr& message, Sink& sink);

}  // namespace millrace::fib
