// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/session_list.h"

#include <ctime>
#include <utility>

#include "ops/layout.h"

namespace millrace::server {
namespace {

constexpr std::int64_t kWorthMentioning = 60;  // seconds of idling

}  // namespace

template <class Change>
void SessionList::change(std::uint64_t session, const Change& change) {
  const std::lock_guard lock(mutex_);
  if (const auto found = sessions_.find(session); found != sessions_.end()) {
    change(found->second);
  }
}

std::uint64_t SessionList::next_number() {
  const std::lock_guard lock(mutex_);
  return ++last_;
}

void SessionList::opened(std::uint64_t session, const std::string& user, pid_t pid) {
  const std::lock_guard lock(mutex_);
  auto& entry = sessions_[session];
  entry.user = user;
  entry.pid = pid;
  entry.active = std::time(nullptr);
}

void SessionList::closed(std::uint64_t session) {
  const std::lock_guard lock(mutex_);
  sessions_.erase(session);
}

void SessionList::set_terminal(std::uint64_t session, std::string terminal) {
  change(session, [&](Entry& entry) { entry.terminal = std::move(terminal); });
}

void SessionList::set_dismiss(std::uint64_t session,
                              std::function<void(const std::string&)> dismiss) {
  change(session, [&](Entry& entry) { entry.dismiss = std::move(dismiss); });
}

void SessionList::active(std::uint64_t session) {
  change(session, [](Entry& entry) { entry.active = std::time(nullptr); });
}

void SessionList::editing(std::uint64_t session, std::string mode, std::string banner) {
  change(session, [&](Entry& entry) {
    entry.editing = std::time(nullptr);
    entry.mode = std::move(mode);
    entry.banner = std::move(banner);
  });
}

void SessionList::moved(std::uint64_t session, std::string banner) {
  change(session, [&](Entry& entry) { entry.banner = std::move(banner); });
}

void SessionList::left(std::uint64_t session) {
  change(session, [](Entry& entry) { entry.editing = 0; });
}

std::string SessionList::describe(const Entry& entry) {
  std::string out = "  " + entry.user;
  out += entry.terminal.empty() ? "" : " terminal " + entry.terminal;
  out += " (pid " + std::to_string(entry.pid) + ") on since " + ops::local_time(entry.editing);
  if (const std::int64_t idle = std::time(nullptr) - entry.active; idle >= kWorthMentioning) {
    out += ", idle " + ops::age(static_cast<std::uint64_t>(idle));
  }
  return out + "\n      " + entry.mode + (entry.mode.empty() ? "" : " ") + entry.banner + "\n";
}

std::string SessionList::describe(std::uint64_t session) const {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session);
  return found == sessions_.end() ? std::string() : describe(found->second);
}

std::string SessionList::to_string(std::uint64_t except) const {
  const std::lock_guard lock(mutex_);
  std::string out;
  for (const auto& [session, entry] : sessions_) {
    if (session != except && entry.editing != 0) {
      out += out.empty() ? "Users currently editing the configuration:\n" : "";
      out += describe(entry);
    }
  }
  return out;
}

std::map<std::uint64_t, SessionList::Entry> SessionList::all() const {
  const std::lock_guard lock(mutex_);
  return sessions_;
}

}  // namespace millrace::server
