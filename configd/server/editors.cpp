// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/editors.h"

#include <algorithm>

namespace millrace::server {

using base::Code;
using base::Result;

std::uint64_t Editors::holder() const {
  const std::lock_guard lock(mutex_);
  for (const auto& [session, mode] : editing_) {
    if (mode == EditMode::Exclusive) {
      return session;
    }
  }
  return 0;
}

std::vector<std::uint64_t> Editors::in(EditMode wanted) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint64_t> out;
  for (const auto& [session, mode] : editing_) {
    if (mode == wanted) {
      out.push_back(session);
    }
  }
  return out;
}

std::optional<EditMode> Editors::mode(std::uint64_t session) const {
  const std::lock_guard lock(mutex_);
  const auto found = editing_.find(session);
  return found == editing_.end() ? std::nullopt : std::optional(found->second);
}

std::unexpected<base::Error> Editors::locked(std::uint64_t holder) const {
  std::string who = sessions_.describe(holder);
  if (who.ends_with('\n')) {
    who.pop_back();
  }
  return base::fail(Code::Locked, "configuration database locked by:\n" + who);
}

namespace {

std::unexpected<base::Error> private_in_use() {
  return base::fail(Code::Locked, "private edits in use", {},
                    "try 'configure private' or 'configure exclusive'");
}

}  // namespace

Result<void> Editors::enter(std::uint64_t session, EditMode mode,
                            const std::function<bool()>& changed) {
  const std::lock_guard gate(gate_);
  {
    const std::lock_guard lock(mutex_);
    if (editing_.contains(session)) {
      return base::fail(Code::Conflict, "this session edits already");
    }
    if (editing_.size() >= kMaxEditors) {
      return base::fail(Code::Locked,
                        std::to_string(kMaxEditors) + " users edit the configuration already", {},
                        "'request system logout' ends a session");
    }
  }
  const std::uint64_t held_by = holder();
  if (mode == EditMode::Shared) {
    if (held_by == 0 && !in(EditMode::Private).empty()) {
      return private_in_use();
    }
  } else if (held_by != 0) {
    return locked(held_by);
  } else if (changed()) {
    return base::fail(Code::Locked, "configuration database modified", {},
                      "'configure', then 'commit' or 'rollback 0', makes it clean");
  }
  const std::lock_guard lock(mutex_);
  editing_.emplace(session, mode);
  return {};
}

void Editors::leave(std::uint64_t session) {
  const std::lock_guard lock(mutex_);
  editing_.erase(session);
}

Result<void> Editors::change_shared(std::uint64_t session,
                                    const std::function<Result<void>()>& change) {
  const std::lock_guard gate(gate_);
  const std::uint64_t held_by = holder();
  if (held_by != 0 && held_by != session) {
    return locked(held_by);
  }
  if (held_by == 0 && !in(EditMode::Private).empty()) {
    return private_in_use();
  }
  return change();
}

Result<void> Editors::may_commit(std::uint64_t session) const {
  const std::uint64_t held_by = holder();
  if (held_by != 0 && held_by != session) {
    return locked(held_by);
  }
  return {};
}

}  // namespace millrace::server
