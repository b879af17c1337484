// SPDX-License-Identifier: GPL-2.0-or-later
//
// What configd remembers until the next boot, in a folder that a boot empties:
//
//   started      configd brought the system to a committed revision since the boot; the lines are
//                the subsystems that are degraded
//   committing   the revision being committed, so that a restart can say what became of it
//   trial-ID     the deadline of a revision on trial, in seconds since the boot
//
// Its absence is always safe (everything is reconciled), so errors of writing are dropped.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

#include "commit/revision_log.h"

namespace millrace::commit {

class VolatileState {
 public:
  explicit VolatileState(std::filesystem::path folder);

  bool started() const;
  std::set<std::string> degraded() const;
  void set_started(const std::set<std::string>& degraded);
  // For the life of this process `started` is absent, whatever set_started says.
  void distrust();

  // From here to the next set_started a crash makes the next start look at everything.
  void forget_started();

  std::optional<std::chrono::seconds> trial_deadline(RevisionId id) const;
  void set_trial(RevisionId id, std::chrono::seconds deadline);
  void clear_trial(RevisionId id);

  std::optional<RevisionId> committing() const;
  void set_committing(RevisionId id);
  void clear_committing();

  std::filesystem::path link_defaults() const { return folder_ / "link-defaults"; }

 private:
  std::filesystem::path trial_path(RevisionId id) const;

  std::filesystem::path folder_;
  bool distrusted_ = false;
};

}  // namespace millrace::commit
