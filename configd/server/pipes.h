// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pipes of a line. Those that render again from data (`display`, `compare`, `plan`) belong to
// the daemon and come first; those that filter text are checked here and carried out by the client.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "server/configuration_source.h"
#include "server/display.h"
#include "syntax/command_line.h"

namespace millrace::server {

struct Pipes {
  bool compare = false;
  ConfigurationSource compare_with;
  bool plan = false;
  std::optional<Display> display;
  std::size_t column = 0;  // of the first of the three above, for errors
  std::vector<std::vector<std::string>> client;

  bool rerenders() const { return compare || plan || display; }
  Format format() const { return display.value_or(Display{}).format; }
};

std::expected<Pipes, PipeError> read_pipes(const std::vector<std::vector<syntax::LineWord>>& pipes);

}  // namespace millrace::server
