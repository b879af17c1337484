// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string_view>

namespace millrace::base {

// Tells the service manager, as sd_notify(3) does: one datagram to $NOTIFY_SOCKET. Without that
// variable there is nobody to tell. `state`: "READY=1\nSTATUS=…".
void notify_manager(std::string_view state);

}  // namespace millrace::base
