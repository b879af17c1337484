// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/options.h"

#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace millrace::server {

std::expected<Options, std::string> read_options(const std::vector<std::string>& arguments) {
  Options options;
  const std::map<std::string_view, std::function<void(const std::string&)>> with_value = {
      {"--templates", [&](const std::string& value) { options.templates = value; }},
      {"--state", [&](const std::string& value) { options.state = value; }},
      {"--run", [&](const std::string& value) { options.run = value; }},
      {"--socket", [&](const std::string& value) { options.socket = value; }},
      {"--frr-sockets", [&](const std::string& value) { options.frr_sockets = value; }},
      {"--files-root", [&](const std::string& value) { options.files_root = value; }},
      {"--units", [&](const std::string& value) { options.units = value; }},
      {"--check",
       [&](const std::string& value) {
         options.check_file = value;
         options.action = Options::Action::Check;
       }},
      {"--export-yang",
       [&](const std::string& value) {
         options.yang_folder = value;
         options.action = Options::Action::ExportYang;
       }},
  };
  const std::map<std::string_view, Options::Action> alone = {
      {"--version", Options::Action::Version},
      {"--help", Options::Action::Help},
      {"--support-report", Options::Action::SupportReport},
  };
  for (std::size_t at = 0; at < arguments.size(); ++at) {
    const std::string_view argument = arguments[at];
    if (const auto found = alone.find(argument); found != alone.end()) {
      options.action = found->second;
      continue;
    }
    const auto equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
    const auto found = with_value.find(argument.substr(0, equals));
    if (found == with_value.end()) {
      return std::unexpected("unknown argument '" + std::string(argument) + "'");
    }
    if (equals != std::string_view::npos) {
      found->second(std::string(argument.substr(equals + 1)));
    } else if (++at < arguments.size()) {
      found->second(arguments[at]);
    } else {
      return std::unexpected(std::string(argument) + " needs a value");
    }
  }
  if (options.units != "systemd" && options.units != "direct") {
    return std::unexpected("--units is '" + options.units + "', expected systemd or direct");
  }
  if (options.socket.empty()) {
    options.socket = options.run / "configd.socket";
  }
  return options;
}

}  // namespace millrace::server
