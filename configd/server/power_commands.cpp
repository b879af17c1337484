// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/power_commands.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <utility>

#include "base/file.h"
#include "ops/layout.h"
#include "schema/values.h"
#include "server/configuration_mode.h"
#include "server/zeroize.h"

namespace millrace::server {
namespace {

constexpr const char* kScheduled = "/run/systemd/shutdown/scheduled";
constexpr unsigned kLongest = 1'000'000;  // minutes

struct Kind {
  std::string_view verb;    // of the question
  std::string_view option;  // of shutdown(8)
  std::string_view noun;    // of the message to everybody
};
constexpr Kind kReboot{"Reboot", "-r", "reboot"};
constexpr Kind kHalt{"Halt", "-H", "halt"};
constexpr Kind kPowerOff{"Power Off", "-P", "power-off"};

struct Wanted {
  std::string when = "now";
  std::string message;
};

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() && !text.empty()
             ? std::optional(value)
             : std::nullopt;
}

// `at T`, `in M` and `message "…"`, in any order, each once.
std::expected<Wanted, Reply> read_wanted(Call& call) {
  Wanted wanted;
  bool timed = false;
  bool told = false;
  while (!call.at_end()) {
    const std::string_view word = call.word();
    const bool at = is(word, "at");
    const bool in = is(word, "in");
    if ((!at && !in && !is(word, "message")) || ((at || in) ? timed : told)) {
      return std::unexpected(call.shell.refuse_word(
          call, call.next, "syntax error, expecting <at>, <in> or <message>."));
    }
    if (++call.next; call.at_end()) {
      return std::unexpected(call.shell.refuse_word(call, call.next, "missing argument."));
    }
    const std::string value(call.word());
    if (in) {
      const auto minutes = number(value);
      if (!minutes || *minutes > kLongest) {
        return std::unexpected(call.shell.refuse_word(
            call, call.next, "invalid value '" + schema::shown(value) + "': expected minutes"));
      }
      wanted.when = "+" + std::to_string(*minutes);
    } else if (at) {
      auto when = shutdown_time(value, std::time(nullptr));
      if (!when) {
        return std::unexpected(call.shell.refuse_word(call, call.next, when.error()));
      }
      wanted.when = std::move(*when);
    } else if (!schema::is_printable(value) || value.starts_with('-')) {
      return std::unexpected(call.shell.refuse_word(
          call, call.next, "invalid message: expected text that does not start with '-'"));
    } else {
      wanted.message = value;
    }
    (at || in ? timed : told) = true;
    ++call.next;
  }
  return wanted;
}

// What would not be there afterwards.
std::string losses(Services& services) {
  std::string text;
  if (!(services.candidate.snapshot() == services.engine.running())) {
    text +=
        "warning: the configuration has been changed but not committed; the changes will be lost\n";
  }
  if (const auto trial = services.engine.trial()) {
    text += "warning: commit " + std::to_string(trial->revision) + " by " + trial->user +
            " is not confirmed; the router starts with revision " +
            std::to_string(trial->previous) + "\n";
  }
  return text;
}

// A program that forgets to answer must not take silence for a reboot.
Outcome refused(Shell& shell) {
  const auto sessions = shell.services().sessions.all();
  const auto mine = sessions.find(shell.session());
  const bool person = mine != sessions.end() && !mine->second.terminal.empty();
  return person ? done() : failed("not confirmed: the answer 'yes' is expected on the next line");
}

Outcome shut_down(Shell& shell, const Kind& kind, const Wanted& wanted) {
  auto& services = shell.services();
  if (!services.machine) {
    return failed("this system has no machine to stop");
  }
  const std::string who = shell.peer().user + "@" + short_host_name();
  services.notices.broadcast("*** System " + std::string(kind.noun) + " " +
                                 (wanted.when == "now" ? "now" : "at " + wanted.when) + " by " +
                                 who + (wanted.message.empty() ? "" : ": " + wanted.message) +
                                 " ***",
                             shell.session());
  std::vector<std::string> argv = {"shutdown", std::string(kind.option), wanted.when};
  if (!wanted.message.empty()) {
    argv.push_back(wanted.message);
  }
  const auto ran = services.machine(argv);
  if (!ran) {
    return failed(ran.error());
  }
  if (wanted.when == "now") {
    return done("Shutdown NOW!\n");
  }
  const auto scheduled = base::read_file(kScheduled);
  const auto time = scheduled ? read_scheduled(*scheduled) : std::nullopt;
  return done(time ? "Shutdown at " + ops::local_time(time->time) + "\n"
                   : "Shutdown at " + wanted.when + "\n");
}

Outcome stop_machine(Call& call, const Kind& kind) {
  auto wanted = read_wanted(call);
  if (!wanted) {
    return std::move(wanted.error());
  }
  Reply reply =
      call.shell.ask({std::string(kind.verb) + " the system ?", false},
                     [&shell = call.shell, kind, wanted = std::move(*wanted)](bool yes) -> Outcome {
                       return yes ? shut_down(shell, kind, wanted) : refused(shell);
                     });
  reply.errors = losses(call.shell.services());
  return reply;
}

}  // namespace

std::expected<std::string, std::string> shutdown_time(std::string_view text, std::int64_t now) {
  const auto refuse = [&] {
    return std::unexpected("invalid time '" + schema::shown(text) +
                           "': expected now, +minutes, hh:mm or yymmddhhmm");
  };
  if (text == "now") {
    return "now";
  }
  if (text.starts_with('+')) {
    const auto minutes = number(text.substr(1));
    return minutes && *minutes <= kLongest
               ? std::expected<std::string, std::string>("+" + std::to_string(*minutes))
               : refuse();
  }
  const auto two = [&](std::size_t at) { return number(text.substr(at, 2)).value_or(100); };
  if (text.size() == 5 && text[2] == ':') {
    return two(0) < 24 && two(3) < 60 ? std::expected<std::string, std::string>(std::string(text))
                                      : refuse();
  }
  if (text.size() != 10 ||
      !std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
    return refuse();
  }
  std::tm date{};
  date.tm_year = static_cast<int>(two(0)) + 100;
  date.tm_mon = static_cast<int>(two(2)) - 1;
  date.tm_mday = static_cast<int>(two(4));
  date.tm_hour = static_cast<int>(two(6));
  date.tm_min = static_cast<int>(two(8));
  date.tm_isdst = -1;
  const std::tm typed = date;
  const std::int64_t time = std::mktime(&date);
  if (date.tm_mon != typed.tm_mon || date.tm_mday != typed.tm_mday ||
      date.tm_hour != typed.tm_hour || date.tm_min != typed.tm_min) {
    return refuse();
  }
  if (time <= now) {
    return std::unexpected("the time " + ops::local_time(time) + " has passed");
  }
  return "+" + std::to_string((time - now + 59) / 60);
}

std::optional<Shutdown> read_scheduled(std::string_view text) {
  Shutdown out;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with("USEC=")) {
      const auto value = line.substr(5);
      std::from_chars(value.data(), value.data() + value.size(), out.time);
      out.time /= 1'000'000;
    } else if (line.starts_with("MODE=")) {
      out.mode = line.substr(5);
    }
  }
  return out.time > 0 && !out.mode.empty() ? std::optional(out) : std::nullopt;
}

Outcome reboot_command(Call& call) {
  return stop_machine(call, kReboot);
}
Outcome halt_command(Call& call) {
  return stop_machine(call, kHalt);
}
Outcome power_off_command(Call& call) {
  return stop_machine(call, kPowerOff);
}

Outcome clear_reboot_command(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  auto& services = call.shell.services();
  const auto scheduled = base::read_file(kScheduled);
  const auto waits = scheduled ? read_scheduled(*scheduled) : std::nullopt;
  if (!waits || !services.machine) {
    return done("No shutdown/reboot scheduled.\n");
  }
  if (const auto ran = services.machine({"shutdown", "-c"}); !ran) {
    return failed(ran.error());
  }
  services.notices.broadcast("*** System " + waits->mode + " at " + ops::local_time(waits->time) +
                                 " is cancelled by " + call.shell.peer().user + " ***",
                             call.shell.session());
  return done(waits->mode + " at " + ops::local_time(waits->time) + " is cancelled\n");
}

Outcome show_reboot_command(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  const auto scheduled = base::read_file(kScheduled);
  const auto waits = scheduled ? read_scheduled(*scheduled) : std::nullopt;
  Reply reply = done(waits ? waits->mode + " at " + ops::local_time(waits->time) + "\n"
                           : "No shutdown/reboot scheduled.\n");
  return reply;
}

Outcome zeroize_command(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  Reply reply = call.shell.ask(
      {"Erase all data, including configuration and log files?", false},
      [&shell = call.shell](bool yes) -> Outcome {
        if (!yes) {
          return refused(shell);
        }
        auto& services = shell.services();
        if (!services.machine || services.state.empty()) {
          return failed("this system has no machine to erase");
        }
        if (const auto marked = mark_for_zeroize(services.state); !marked) {
          return failed(marked.error());
        }
        return shut_down(shell, kReboot, {.when = "now", .message = "all data is erased"});
      });
  reply.errors =
      "warning: System will be rebooted and may not boot without configuration\n"
      "warning: all users, configurations, logs and host keys will be gone\n";
  return reply;
}

void complete_power(Asking& asking) {
  std::string_view last;
  bool timed = false;
  bool told = false;
  while (!asking.at_end()) {
    last = asking.word();
    const bool message = is(last, "message");
    (message ? told : timed) = true;
    if (++asking.next; asking.at_end()) {
      if (message) {
        asking.placeholder("<text>", "Text in quotes");
      } else if (is(last, "in")) {
        asking.placeholder("<minutes>", "Minutes from now");
      } else if (is(last, "at")) {
        asking.placeholder("<time>", "now, +minutes, hh:mm or yymmddhhmm");
      }
      return;
    }
    ++asking.next;
  }
  asking.complete();
  if (!timed) {
    asking.keyword("at", "Time of day or date to do it");
    asking.keyword("in", "Minutes to wait");
  }
  if (!told) {
    asking.keyword("message", "What to say to everybody");
  }
  if (!asking.prefix.empty() && !asking.has_words()) {
    asking.wrong(asking.words.size(), "syntax error, expecting <at>, <in> or <message>.");
  }
}

}  // namespace millrace::server
