// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

namespace millrace::cli {

struct Options {
  std::filesystem::path socket = "/run/millrace/configd.socket";
  std::vector<std::string> commands;  // of -c, split into lines; empty: standard input
  bool has_commands = false;
  bool help = false;
};

inline constexpr const char* kUsage = "usage: cli [--socket PATH] [-c COMMAND]… [< SCRIPT]\n";

std::expected<Options, std::string> read_options(const std::vector<std::string>& arguments);

std::vector<std::string> split_lines(std::string_view text);

}  // namespace millrace::cli
