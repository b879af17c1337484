// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/origin.h"

#include <sys/sysmacros.h>
#include <systemd/sd-login.h>

#include <cstdlib>
#include <format>
#include <memory>
#include <string_view>

#include "base/file.h"

namespace millrace::server {
namespace {

// The number of the controlling terminal (proc_pid_stat(5), field 7); 0 when there is none.
unsigned terminal_number(pid_t pid) {
  const auto stat = base::read_file(std::format("/proc/{}/stat", pid));
  if (!stat) {
    return 0;
  }
  // The name of the program, in parentheses, may hold anything.
  const auto end = stat->rfind(')');
  if (end == std::string::npos) {
    return 0;
  }
  std::string_view rest = std::string_view(*stat).substr(end + 1);
  for (int field = 0; field < 5; ++field) {  // a blank before each of state, ppid, pgrp, session
    const auto blank = rest.find(' ');
    if (blank == std::string_view::npos) {
      return 0;
    }
    rest.remove_prefix(blank + 1);
  }
  return static_cast<unsigned>(std::strtoul(std::string(rest).c_str(), nullptr, 10));
}

}  // namespace

Origin origin_of(pid_t pid) {
  Origin origin;
  if (const unsigned number = terminal_number(pid); number != 0) {
    const unsigned major = gnu_dev_major(number);
    const unsigned minor = gnu_dev_minor(number);
    origin.terminal = major >= 136 && major <= 143
                          ? std::format("pts/{}", minor + (major - 136) * 256)
                      : major == 4 && minor < 64 ? std::format("tty{}", minor)
                      : major == 4               ? std::format("ttyS{}", minor - 64)
                                                 : std::format("{}:{}", major, minor);
  }
  const auto release = [](char* text) { std::free(text); };
  char* name = nullptr;
  if (sd_pid_get_session(pid, &name) < 0) {
    return origin;
  }
  const std::unique_ptr<char, decltype(release)> session(name, release);
  char* host = nullptr;
  if (sd_session_get_remote_host(session.get(), &host) >= 0 && host) {
    const std::unique_ptr<char, decltype(release)> owned(host, release);
    origin.remote = host;
  }
  return origin;
}

}  // namespace millrace::server
