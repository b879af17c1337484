// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a program without a shell. There is no function here that takes a command string, on
// purpose: no input can become a second command.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace millrace::base {

struct ProcessResult {
  int status = 0;      // exit status, or 128 + signal
  std::string output;  // standard output
  std::string errors;  // standard error
};

// No program that we run has so much to say; a mirror that sends without end does.
inline constexpr std::size_t kMostOutput = std::size_t{64} << 20;

// Runs `argv` (argv[0] searched in the fixed system path) with a clean environment, feeds `input`,
// and waits. The process group is killed at the deadline, or when it has written more than
// kMostOutput. Errors: Io when it cannot be started or had to be killed; a non-zero status is not
// an error here.
Result<ProcessResult> run_process(const std::vector<std::string>& argv, std::string_view input = {},
                                  std::chrono::milliseconds deadline = std::chrono::seconds(30));

}  // namespace millrace::base
