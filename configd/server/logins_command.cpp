// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/logins_command.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <format>
#include <map>

#include "base/file.h"
#include "base/user_name.h"
#include "ops/layout.h"
#include "ops/log_file.h"
#include "server/configuration_mode.h"
#include "server/origin.h"
#include "server/rendering.h"

namespace millrace::server {
namespace {

using nlohmann::json;

struct Login {
  std::string user;
  std::string terminal;
  std::string from;
  std::int64_t since = 0;
  std::int64_t idle = 0;  // seconds
  std::string what;
};

std::vector<ProcessStat> processes() {
  std::vector<ProcessStat> out;
  std::error_code problem;
  for (std::filesystem::directory_iterator at("/proc", problem), end; !problem && at != end;
       at.increment(problem)) {
    const std::string name = at->path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) {
      continue;
    }
    if (const auto text = base::read_file(at->path() / "stat")) {
      if (auto stat = read_process_stat(*text)) {
        out.push_back(std::move(*stat));
      }
    }
  }
  return out;
}

std::string owner(pid_t pid) {
  struct stat status{};
  if (stat(std::format("/proc/{}", pid).c_str(), &status) != 0) {
    return {};
  }
  return base::user_name(status.st_uid).value_or(std::to_string(status.st_uid));
}

std::int64_t booted() {
  timespec up{};
  clock_gettime(CLOCK_BOOTTIME, &up);
  return std::time(nullptr) - up.tv_sec;
}

// What the terminal was last read or written for, as w(1) has it.
std::int64_t idle_seconds(const std::string& terminal, std::int64_t now) {
  struct stat status{};
  return stat(("/dev/" + terminal).c_str(), &status) == 0
             ? std::max<std::int64_t>(now - status.st_atim.tv_sec, 0)
             : 0;
}

// One line for each terminal: the first process of its session says whose it is and since when, the
// one in front what is done there.
std::vector<Login> terminals(std::int64_t now) {
  const auto all = processes();
  const std::int64_t boot = booted();
  const auto ticks = static_cast<std::uint64_t>(sysconf(_SC_CLK_TCK));
  std::map<unsigned, const ProcessStat*> leaders;
  std::map<unsigned, const ProcessStat*> fronts;
  for (const auto& process : all) {
    if (process.terminal == 0) {
      continue;
    }
    // Who began a terminal may be out of our sight (a shell of the host in a container), or gone.
    const auto [first, is_new] = leaders.try_emplace(process.terminal, &process);
    const auto rank = [](const ProcessStat& each) {
      return std::pair(each.pid != each.session, each.started);
    };
    if (!is_new && rank(process) < rank(*first->second)) {
      first->second = &process;
    }
    if (process.group == process.foreground) {
      const auto [at, is_first] = fronts.try_emplace(process.terminal, &process);
      at->second = process.pid == process.group ? &process : at->second;
    }
  }
  std::vector<Login> out;
  for (const auto& [terminal, leader] : leaders) {
    const Origin origin = origin_of(leader->pid);
    const auto front = fronts.find(terminal);
    // A getty that waits for somebody is nobody.
    if (leader->name == "agetty" || leader->name == "login" || origin.terminal.empty()) {
      continue;
    }
    out.push_back({.user = owner(leader->pid),
                   .terminal = origin.terminal,
                   .from = origin.remote,
                   .since = boot + static_cast<std::int64_t>(leader->started / ticks),
                   .idle = idle_seconds(origin.terminal, now),
                   .what = (front == fronts.end() ? leader : front->second)->name});
  }
  return out;
}

// Programs without a terminal: NETCONF, scripts over ssh.
void add_programs(const Services& services, std::int64_t now, std::vector<Login>& logins) {
  for (const auto& [number, entry] : services.sessions.all()) {
    const Origin origin = origin_of(entry.pid);
    if (origin.terminal.empty()) {
      logins.push_back({.user = entry.user,
                        .terminal = "-",
                        .from = origin.remote,
                        .since = 0,
                        .idle = std::max<std::int64_t>(now - entry.active, 0),
                        .what = "session " + std::to_string(number)});
    }
  }
}

std::string idle_text(std::int64_t seconds) {
  return seconds < 60      ? "-"
         : seconds < 3600  ? std::to_string(seconds / 60)
         : seconds < 86400 ? std::format("{}:{:02}", seconds / 3600, seconds / 60 % 60)
                           : std::format("{}d", seconds / 86400);
}

}  // namespace

std::optional<ProcessStat> read_process_stat(std::string_view text) {
  const auto open = text.find('(');
  const auto close = text.rfind(')');  // the name may hold anything
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return std::nullopt;
  }
  ProcessStat out;
  std::from_chars(text.data(), text.data() + open, out.pid);
  out.name = ops::plain_text(text.substr(open + 1, close - open - 1));
  std::array<std::int64_t, 20> fields{};  // from the parent's pid on, field 4
  std::string_view rest = text.substr(close + 1);
  rest.remove_prefix(std::min<std::size_t>(rest.size(), 3));  // blank, state, blank
  for (auto& field : fields) {
    const auto end = std::min(rest.find(' '), rest.size());
    if (std::from_chars(rest.data(), rest.data() + end, field).ec != std::errc()) {
      return std::nullopt;
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  out.group = static_cast<pid_t>(fields[1]);
  out.session = static_cast<pid_t>(fields[2]);
  out.terminal = static_cast<unsigned>(fields[3]);
  out.foreground = static_cast<pid_t>(fields[4]);
  out.started = static_cast<std::uint64_t>(fields[18]);
  return out;
}

Outcome show_logins(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  const std::int64_t now = std::time(nullptr);
  auto logins = terminals(now);
  add_programs(call.shell.services(), now, logins);
  constexpr auto kRow = "{:<12} {:<8} {:<25} {:<16} {:>6} {}\n";
  std::string text = std::format(kRow, "USER", "TTY", "FROM", "LOGIN@", "IDLE", "WHAT");
  json data = {{"users", json::array()}};
  for (const auto& login : logins) {
    text += std::format(kRow, login.user, login.terminal, login.from.empty() ? "-" : login.from,
                        login.since == 0 ? "-" : ops::local_time(login.since).substr(0, 16),
                        idle_text(login.idle), login.what);
    data["users"].push_back({{"user", login.user},
                             {"tty", login.terminal},
                             {"from", login.from},
                             {"login-time", login.since},
                             {"idle-time", login.idle},
                             {"command", login.what}});
  }
  Reply reply = done(std::move(text));
  reply.data = std::move(data);
  return reply;
}

}  // namespace millrace::server
