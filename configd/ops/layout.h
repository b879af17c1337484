// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace millrace::ops {

struct Cell {
  std::size_t column = 0;
  std::string_view text;
};

// One line with each text at its column; a text that runs into the next column pushes it one blank
// further. Empty cells and trailing blanks leave no trace. Ends with a newline.
std::string row(std::initializer_list<Cell> cells);

// "2026-11-30 14:01:02 UTC", in the zone of the router.
std::string local_time(std::int64_t seconds);
// "00:02:06", "6d 02:13:09", "1w5d 20:30:29": ages as Junos prints them.
std::string age(std::uint64_t seconds);

// ASCII letters in lower case.
std::string lower(std::string_view text);

// The name that the configuration gives to a kernel device: "lo" → "lo0", "eth0" → "eth0".
std::string interface_name(std::string_view kernel);
// Always IF.UNIT: "eth0" → "eth0.0", "eth0.100" → "eth0.100", "lo" → "lo0.0".
std::string logical_name(std::string_view kernel);

}  // namespace millrace::ops
