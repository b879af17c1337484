// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

namespace millrace::cli {

// What `set cli` has changed in this session, as far as it is the client's.
struct Settings {
  bool complete_on_space = true;
  bool color = true;
  std::size_t idle_timeout = 0;  // minutes; 0: never
  std::optional<std::size_t> screen_length = {};
  std::optional<std::size_t> screen_width = {};
  std::string terminal = {};   // TERM
  std::string timestamp = {};  // of strftime; empty: no time is shown

  // Takes what a reply says; what it does not name stays.
  void take(const nlohmann::json& settings);
  // What `show cli` prints; rows and columns are those of the screen.
  std::string to_string(std::size_t rows, std::size_t columns, const std::string& directory) const;
  // The time as a line, or nothing.
  std::string time_line(std::int64_t now) const;
};

}  // namespace millrace::cli
