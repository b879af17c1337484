// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/session_list.h"

#include <utility>

#include "ops/layout.h"

namespace millrace::server {

std::uint64_t SessionList::next_number() {
  const std::lock_guard lock(mutex_);
  return ++last_;
}

void SessionList::editing(Editing entry) {
  const std::lock_guard lock(mutex_);
  const auto [place, added] = editing_.try_emplace(entry.session, entry);
  if (!added) {
    place->second.banner = std::move(entry.banner);
  }
}

void SessionList::left(std::uint64_t session) {
  const std::lock_guard lock(mutex_);
  editing_.erase(session);
}

std::string SessionList::to_string(std::uint64_t except) const {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const auto& [number, entry] : editing_) {
    if (number == except) {
      continue;
    }
    out += out.empty() ? "Users currently editing the configuration:\n" : "";
    out += "  " + entry.user;
    out += entry.terminal.empty() ? "" : " terminal " + entry.terminal;
    out += " (pid " + std::to_string(entry.pid) + ") on since " + ops::local_time(entry.since) +
           "\n      " + entry.banner + "\n";
  }
  return out;
}

}  // namespace millrace::server
