// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs an operational command. Five runners: a function of this folder, a program whose output is
// returned, a line for an FRR daemon, a program for the user's own terminal, which the client
// runs with the user's rights, and what the client does itself. Programs get an argument vector;
// there is no shell anywhere.
//
// Every builtin gathers what it shows once and writes text and JSON from that, so `| display json`
// cannot say something else than the text does.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "commit/engine.h"
#include "ops/commands.h"

namespace millrace::ops {

struct Context {
  const commit::Engine& engine;
  system::System system;
  std::string_view version;
  // The user asked for `data`. Otherwise a command may leave it out where it would be large.
  bool structured = true;
};

struct Reply {
  std::string text;
  nlohmann::json data;                  // null when the command has no structured form
  std::vector<std::string> run = {};    // for the user's terminal; the rest is empty then
  std::vector<std::string> local = {};  // for the client itself; the same
};

// Blocks while the system answers. Errors: what the system or the program said.
base::Result<Reply> run(const Match& match, Context& context);

}  // namespace millrace::ops
