// SPDX-License-Identifier: GPL-2.0-or-later
//
// FRR's daemons through their own vty sockets. FRR has no transaction and its exit status is not to
// be trusted, so every line gets its own reply and nothing is believed until it is read back
// (docs/architecture.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace millrace::system {

enum class FrrDaemon : std::uint8_t { Zebra, Mgmtd, Staticd, Bgpd, Ospfd };
std::string_view to_string(FrrDaemon daemon);  // "zebra", …

struct FrrReply {
  std::string line;
  int status = 0;    // CMD_SUCCESS 0, CMD_WARNING 1, … (lib/command.h)
  std::string text;  // what the daemon printed
  bool refused() const { return status != 0; }
};

class Frr {
 public:
  virtual ~Frr() = default;

  // Enters configuration mode, runs `lines` one by one, leaves. Stops at the first refusal, which
  // is the last reply. On Mgmtd the lines are one transaction, whose own reply comes last, and
  // after a refusal none of them is in force; other daemons keep the lines before it. Lines of
  // policies alone are one transaction everywhere, since FRR checks all of them each time, and the
  // reply of that comes last. A reply that is not a refusal proves nothing: read back. Errors: Io
  // when the daemon is not there or does not answer in time.
  virtual base::Result<std::vector<FrrReply>> configure(FrrDaemon daemon,
                                                        const std::vector<std::string>& lines) = 0;
  // One command in enable mode: "show running-config", "show ip route json".
  virtual base::Result<std::string> show(FrrDaemon daemon, std::string_view command) = 0;
  // Several of them, with one connection where that is cheaper.
  virtual base::Result<std::vector<std::string>> show_each(
      FrrDaemon daemon, const std::vector<std::string>& commands);
  // The daemon answers. Costs a connection and nothing else.
  virtual base::Result<void> answers(FrrDaemon daemon) = 0;
};

}  // namespace millrace::system
