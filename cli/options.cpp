// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/options.h"

namespace millrace::cli {

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::expected<Options, std::string> read_options(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string& argument = arguments[at];
    if (argument == "--help" || argument == "-h") {
      options.help = true;
      continue;
    }
    if (argument != "-c" && argument != "--socket") {
      return std::unexpected("unknown argument '" + argument + "'");
    }
    if (++at == arguments.size()) {
      return std::unexpected(argument + " needs a value");
    }
    if (argument == "--socket") {
      options.socket = arguments[at];
      continue;
    }
    options.has_commands = true;
    for (auto& line : split_lines(arguments[at])) {
      options.commands.push_back(std::move(line));
    }
  }
  return options;
}

}  // namespace millrace::cli
