// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/layout.h"

#include <array>
#include <cstdio>

#include "base/time_text.h"

namespace millrace::ops {

std::string row(std::initializer_list<Cell> cells) {
  std::string out;
  for (const Cell& cell : cells) {
    if (cell.text.empty()) {
      continue;
    }
    if (out.size() < cell.column) {
      out.resize(cell.column, ' ');
    } else if (!out.empty()) {
      out += ' ';
    }
    out += cell.text;
  }
  out += '\n';
  return out;
}

std::string local_time(std::int64_t seconds) {
  return base::local_time(seconds, "%Y-%m-%d %H:%M:%S %Z");
}

std::string age(std::uint64_t seconds) {
  constexpr std::uint64_t kDay = 86400;
  const auto days = seconds / kDay;
  std::array<char, 32> clock{};
  std::snprintf(clock.data(), clock.size(), "%02u:%02u:%02u",
                static_cast<unsigned>(seconds % kDay / 3600),
                static_cast<unsigned>(seconds % 3600 / 60), static_cast<unsigned>(seconds % 60));
  if (days == 0) {
    return clock.data();
  }
  if (days < 7) {
    return std::to_string(days) + "d " + clock.data();
  }
  return std::to_string(days / 7) + "w" + std::to_string(days % 7) + "d " + clock.data();
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

std::string interface_name(std::string_view kernel) {
  return kernel == "lo" ? "lo0" : std::string(kernel);
}

std::string logical_name(std::string_view kernel) {
  if (kernel.contains('.')) {
    return std::string(kernel);
  }
  return interface_name(kernel) + ".0";
}

}  // namespace millrace::ops
