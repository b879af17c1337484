// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "server/completion_parts.h"
#include "server/shell.h"

namespace millrace::server {

Outcome monitor_start_command(Call& call);
Outcome monitor_stop_command(Call& call);
Outcome monitor_list_command(Call& call);

// The rest of `monitor start` (`running` false) and `monitor stop`.
void complete_monitor(Asking& asking, bool running);
// Names of log files, with their sizes.
void offer_log_files(Asking& asking);

// Gives all that came since the last call to whoever watches it and still has the right to.
void deliver_logs(Services& services);

}  // namespace millrace::server
