// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "ops/builtins.h"
#include "ops/layout.h"

namespace millrace::ops {
namespace {

using base::Result;
using nlohmann::json;

std::int64_t seconds_on(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return now.tv_sec;
}

}  // namespace

Result<Reply> version(const Match& /*match*/, Context& context) {
  auto host = context.system.kernel.host_name();
  if (!host) {
    return std::unexpected(std::move(host.error()));
  }
  utsname kernel{};
  uname(&kernel);
  const json data = {{"host-name", *host},
                     {"model", kernel.machine},
                     {"version", context.version},
                     {"kernel", kernel.release}};
  std::string text = "Hostname: " + *host + "\nModel: " + kernel.machine +
                     "\nMillrace: " + std::string(context.version) + "\nKernel: " + kernel.release +
                     "\n";
  return Reply{std::move(text), data};
}

Result<Reply> system_uptime(const Match& /*match*/, Context& context) {
  const auto now = seconds_on(CLOCK_REALTIME);
  const auto up = seconds_on(CLOCK_BOOTTIME);
  const auto age_of = [&](std::int64_t then) {
    return age(static_cast<std::uint64_t>(std::max<std::int64_t>(now - then, 0)));
  };
  std::string text = "Current time: " + local_time(now) + "\n";
  text += "System booted: " + local_time(now - up) + " (" + age_of(now - up) + " ago)\n";
  json data = {{"time", now}, {"booted", now - up}};
  if (const auto revisions = context.engine.revisions(); !revisions.empty()) {
    const auto& last = revisions.front();
    text += "Last configured: " + local_time(last.time) + " (" + age_of(last.time) + " ago) by " +
            last.user + "\n";
    data["configured"] = last.time;
    data["configured-by"] = last.user;
  }
  std::array<double, 3> load{};
  if (getloadavg(load.data(), 3) == 3) {
    std::array<char, 80> line{};
    std::snprintf(line.data(), line.size(), "Load averages: %.2f, %.2f, %.2f\n", load[0], load[1],
                  load[2]);
    text += line.data();
    data["load"] = load;
  }
  return Reply{std::move(text), std::move(data)};
}

}  // namespace millrace::ops
