// SPDX-License-Identifier: GPL-2.0-or-later
//
// How configd speaks to dataplaned: everything that is configured stands in one file of lines,
// which configd writes and the daemon reads at start and at SIGHUP; everything that is asked goes
// over one socket.
//
// The file: `enable`; `interface NAME MODE`; `table-size NAME NUMBER`, NAME one of kTableSizes.
// Empty lines and
// `#` comments.
//
// The socket (stream): the client sends one JSON object {"request": …} and closes its sending side;
// the daemon answers with one JSON object and closes. A refusal is {"error": TEXT}.
//
//   "show"    → {"enabled", "alarms": [TEXT], "interfaces": [INTERFACE], "tables": {NAME: {"used",
//   "limit"}}} "routes"  with "limit", "family" → {"routes": [{"prefix", "table", "kind",
//   "index"}], "total"} "adjacencies" → {"adjacencies": [{"address", "interface", "state", "mac",
//   "mtu", "users"}]} "clear"   → {} : counters of all ports and units begin at zero
//
//   INTERFACE {"name", "mode", "mode-reason", "tier", "tier-reason", "counters": {REASON:
//   {"packets", "bytes"}},
//              "sent": {UNIT: {"packets", "bytes"}}}
#pragma once

#include <string_view>

namespace millrace::abi {

inline constexpr std::string_view kControlSocket = "/run/millrace/dataplane/control";
inline constexpr std::string_view kConfigurationFile = "/etc/millrace/dataplane.conf";
inline constexpr std::string_view kTableSizes[] = {"routing-instances", "nodes",  "entries",
                                                   "adjacencies",       "groups", "neighbours"};

}  // namespace millrace::abi
