// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who edits, in which mode, and therefore who may change what. The rules are those of Junos:
//
//   shared     any number together; not while there are private candidates
//   private    any number together; refused while the shared candidate is changed or held
//   exclusive  holds the shared candidate; refused while it is changed or held. Others may enter
//              the shared mode and look, but neither change nor commit; private ones not commit
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "server/session_list.h"

namespace millrace::server {

inline constexpr std::size_t kMaxEditors = 32;

enum class EditMode : std::uint8_t { Shared, Private, Exclusive };

class Editors {
 public:
  // `sessions` outlives this and tells who holds a lock.
  explicit Editors(const SessionList& sessions) : sessions_(sessions) {}

  // Requires: the session edits nothing yet. `changed` tells whether the shared candidate is.
  // Errors: Locked, Conflict.
  base::Result<void> enter(std::uint64_t session, EditMode mode,
                           const std::function<bool()>& changed);
  void leave(std::uint64_t session);
  std::optional<EditMode> mode(std::uint64_t session) const;

  // Runs `change` of the shared candidate if this session may make one; meanwhile nobody enters
  // who would count on it to stand still. Errors: Locked, and those of `change`.
  base::Result<void> change_shared(std::uint64_t session,
                                   const std::function<base::Result<void>()>& change);
  // Whether somebody else's lock forbids a commit. Errors: Locked.
  base::Result<void> may_commit(std::uint64_t session) const;

  // The sessions in that mode.
  std::vector<std::uint64_t> in(EditMode mode) const;

 private:
  std::unexpected<base::Error> locked(std::uint64_t holder) const;
  std::uint64_t holder() const;  // of the exclusive lock; 0 is nobody

  const SessionList& sessions_;
  std::mutex gate_;           // held while the shared candidate changes, and while one enters
  mutable std::mutex mutex_;  // guards editing_
  std::map<std::uint64_t, EditMode> editing_;
};

}  // namespace millrace::server
