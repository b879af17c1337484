// SPDX-License-Identifier: GPL-2.0-or-later
//
// Commands that end the machine's work: `request system reboot|halt|power-off [at T | in M]
// [message "…"]`, `request system zeroize`, and what is known of a shutdown that waits for its
// time. They ask first, and what is about to be lost is said before the question. systemd keeps the
// time (shutdown(8)), so a restart of configd does not forget it.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "server/completion_parts.h"
#include "server/shell.h"

namespace millrace::server {

Outcome reboot_command(Call& call);
Outcome halt_command(Call& call);
Outcome power_off_command(Call& call);
Outcome clear_reboot_command(Call& call);
Outcome show_reboot_command(Call& call);
Outcome zeroize_command(Call& call);

void complete_power(Asking& asking);

// When: "now", "+5", "23:30" or "yymmddhhmm" as shutdown(8) takes it ("now", "+N", "hh:mm"). `now`
// is in seconds since the epoch. Errors: a sentence that says what was expected.
std::expected<std::string, std::string> shutdown_time(std::string_view text, std::int64_t now);

struct Shutdown {
  std::int64_t time = 0;  // seconds since the epoch
  std::string mode;       // "reboot", "halt", "poweroff"
};
// What systemd-logind keeps in /run/systemd/shutdown/scheduled; nothing when the text is not that.
std::optional<Shutdown> read_scheduled(std::string_view text);

}  // namespace millrace::server
