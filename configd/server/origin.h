// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <sys/types.h>

#include <string>

namespace millrace::server {

// Where a process is used from, as the kernel and logind say: nothing that the process or its
// client says counts.
struct Origin {
  std::string terminal;  // "pts/0"; empty: it has none
  std::string remote;    // "192.0.2.7" of an ssh login; empty: this machine, or nobody knows
};
Origin origin_of(pid_t pid);

}  // namespace millrace::server
