// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <expected>
#include <string>
#include <vector>

namespace millrace::cli {

struct Ran {
  int status = 0;      // exit status, or 128 + signal
  std::string output;  // when captured
};

// Runs a program on this terminal with this user's rights and waits; an interrupt reaches the
// program and not us. argv[0] is looked up in the fixed system path; no shell is involved.
// `capture` collects standard output instead of showing it. Errors: it cannot be started.
std::expected<Ran, std::string> run_program(const std::vector<std::string>& argv, bool capture);

}  // namespace millrace::cli
