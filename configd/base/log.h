// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lines for the journal: standard error with the syslog level prefix of sd-daemon(3). Only server/,
// main.cpp and the step runner log; one failure, one line.
#pragma once

#include <string_view>

namespace millrace::base {

enum class Level : unsigned char { Error = 3, Warning = 4, Notice = 5, Info = 6, Debug = 7 };

void log(Level level, std::string_view message);

}  // namespace millrace::base
