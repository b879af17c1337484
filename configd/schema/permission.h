// SPDX-License-Identifier: GPL-2.0-or-later
//
// The permissions of login classes, by their Junos names. An area is a part of the configuration:
// AREA shows it, AREA-control changes it. The others are for commands.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace millrace::schema {

inline constexpr std::array<std::string_view, 9> kAreas = {
    "access", "admin", "firewall", "interface", "routing", "security", "snmp", "system", "trace"};

inline constexpr std::array<std::string_view, 12> kPermissions = {
    "all",   "clear",    "configure", "control", "maintenance", "network",
    "reset", "rollback", "shell",     "trace",   "view",        "view-configuration"};

inline bool is_area(std::string_view name) {
  return std::ranges::contains(kAreas, name);
}

}  // namespace millrace::schema
