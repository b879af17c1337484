// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pipes of a line. Those that render again from data (`display`, `compare`, `plan`) belong to
// the daemon and come first; those that filter text are checked here and carried out by the client.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "syntax/command_line.h"

namespace millrace::server {

enum class Format : std::uint8_t { Text, Set, RelativeSet, Json };

struct Pipes {
  bool compare = false;
  std::size_t compare_with = 0;  // revision index; 0 is running
  bool plan = false;
  std::optional<Format> display;
  std::size_t column = 0;  // of the first of the three above, for errors
  std::vector<std::vector<std::string>> client;

  bool rerenders() const { return compare || plan || display; }
};

struct PipeError {
  std::size_t column = 1;
  std::string message;
};

std::expected<Pipes, PipeError> read_pipes(const std::vector<std::vector<syntax::LineWord>>& pipes);

}  // namespace millrace::server
