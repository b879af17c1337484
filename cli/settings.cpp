// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/settings.h"

#include <cstdint>

#include "base/time_text.h"

namespace millrace::cli {

void Settings::take(const nlohmann::json& settings) {
  const auto text = [&](const char* name, std::string& value) {
    if (const auto found = settings.find(name); found != settings.end() && found->is_string()) {
      value = found->get<std::string>();
    }
  };
  const auto number = [&](const char* name, auto& value) {
    if (const auto found = settings.find(name);
        found != settings.end() && found->is_number_integer() && found->get<std::int64_t>() >= 0) {
      value = found->get<std::size_t>();
    }
  };
  const auto flag = [&](const char* name, bool& value) {
    if (const auto found = settings.find(name); found != settings.end() && found->is_boolean()) {
      value = found->get<bool>();
    }
  };
  flag("complete-on-space", complete_on_space);
  flag("color", color);
  number("idle-timeout", idle_timeout);
  number("screen-length", screen_length);
  number("screen-width", screen_width);
  text("terminal", terminal);
  text("timestamp", timestamp);
}

std::string Settings::to_string(std::size_t rows, std::size_t columns,
                                const std::string& directory) const {
  const auto on = [](bool is_on) { return is_on ? "on\n" : "off\n"; };
  std::string out = "CLI color set to ";
  out += on(color);
  out += "CLI complete-on-space set to ";
  out += on(complete_on_space);
  out += idle_timeout == 0
             ? std::string("CLI idle-timeout disabled\n")
             : "CLI idle-timeout set to " + std::to_string(idle_timeout) + " minutes\n";
  out += "CLI screen-length set to " + std::to_string(screen_length.value_or(rows)) + "\n";
  out += "CLI screen-width set to " + std::to_string(columns) + "\n";
  out += "CLI terminal is '" + terminal + "'\n";
  out += "CLI is operating in enhanced mode\n";
  out += timestamp.empty() ? std::string("CLI timestamp disabled\n")
                           : "CLI timestamp set to '" + timestamp + "'\n";
  return out + "CLI working directory is '" + directory + "'\n";
}

std::string Settings::time_line(std::int64_t now) const {
  if (timestamp.empty()) {
    return {};
  }
  return base::local_time(now, timestamp.c_str()) + "\n";
}

}  // namespace millrace::cli
