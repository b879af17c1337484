// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <memory>

#include "system/units.h"

namespace millrace::system {

// systemd, through systemctl(1).
std::unique_ptr<Units> make_systemd_units();

// Where no systemd runs: `table` says what a unit is, one a line, blank lines and # comments aside:
//
//   UNIT PIDFILE PROGRAM ARGUMENT…      chrony.service /run/chrony/chronyd.pid /usr/sbin/chronyd
//
// PROGRAM goes into the background by itself and writes its process id into PIDFILE. Reload is
// SIGHUP. The table is read at every call; a unit that it does not list cannot be started.
std::unique_ptr<Units> make_direct_units(std::filesystem::path table);

}  // namespace millrace::system
