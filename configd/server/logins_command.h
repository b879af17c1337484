// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "server/shell.h"

namespace millrace::server {

// `show system users`: everybody at a terminal, and programs that are connected to configd, as w(1)
// shows it. /proc knows the terminals and what runs on each; no record of logins is asked, since a
// process that is there cannot have been forgotten by one.
Outcome show_logins(Call& call);

// One process of /proc/PID/stat (proc_pid_stat(5)); nothing when the text is not that.
struct ProcessStat {
  pid_t pid = 0;
  std::string name;
  pid_t session = 0;
  unsigned terminal = 0;  // device number; 0 is none
  pid_t foreground = 0;   // process group in front of its terminal
  pid_t group = 0;
  std::uint64_t started = 0;  // clock ticks since the boot
};
std::optional<ProcessStat> read_process_stat(std::string_view text);

}  // namespace millrace::server
