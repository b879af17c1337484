// SPDX-License-Identifier: GPL-2.0-or-later
//
// `commit at`: one candidate that waits for its time. It is kept whole, in a checked file
// "scheduled.conf" of the state folder, so that it survives the daemon and the power; while it
// waits nobody may edit or commit, so it cannot fall behind what runs. The file is removed before
// the candidate is committed: a crash between the two drops a commit that nobody has seen happen,
// where the other order might repeat one that was taken back since.
//
// Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "base/error.h"
#include "tree/config_tree.h"

namespace millrace::commit {

struct ScheduledCommit {
  std::optional<std::int64_t> at;  // seconds since the epoch; empty: when the router boots
  std::string user;
  std::string via;
  std::string comment;
  std::string label;
};

class Schedule {
 public:
  // Reads what waits. `volatile_folder` is emptied by a boot, which is how one is noticed. A file
  // that is damaged, or has statements that this version does not know, is dropped, and `problem()`
  // says so.
  Schedule(const std::filesystem::path& folder, const std::filesystem::path& volatile_folder,
           const schema::Schema& schema);

  const std::string& problem() const { return problem_; }
  std::optional<ScheduledCommit> waiting() const;
  std::optional<tree::ConfigTree> candidate() const;
  // Whether what waits is to run, now that the wall clock says `now`.
  bool due(std::int64_t now) const;
  // Durable when it returns. Errors: Locked when one waits already, Io.
  base::Result<void> add(const ScheduledCommit& commit, const tree::ConfigTree& candidate);
  // Durable when it returns. Errors: UnknownPath when none waits, Io: it waits on.
  base::Result<void> remove();
  // The same, and hands out what waited.
  base::Result<std::pair<ScheduledCommit, tree::ConfigTree>> take();

 private:
  base::Result<void> remove_locked();

  const std::filesystem::path path_;
  const std::filesystem::path marker_;  // there since the machine was asked, until it boots
  std::string problem_;
  bool booted_since_ = false;
  mutable std::mutex mutex_;
  std::optional<std::pair<ScheduledCommit, tree::ConfigTree>> waiting_;
};

}  // namespace millrace::commit
