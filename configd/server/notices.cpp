// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/notices.h"

#include <utility>

namespace millrace::server {

void Notices::subscribe(std::uint64_t session, Deliver deliver) {
  const std::lock_guard lock(mutex_);
  sessions_.insert_or_assign(session, std::move(deliver));
}

void Notices::unsubscribe(std::uint64_t session) {
  const std::lock_guard lock(mutex_);
  sessions_.erase(session);
}

void Notices::broadcast(const std::string& text, std::uint64_t except) {
  const std::lock_guard lock(mutex_);
  for (const auto& [session, deliver] : sessions_) {
    if (session != except) {
      deliver(text);
    }
  }
}

bool Notices::tell(std::uint64_t session, const std::string& text) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session);
  if (found == sessions_.end()) {
    return false;
  }
  found->second(text);
  return true;
}

}  // namespace millrace::server
