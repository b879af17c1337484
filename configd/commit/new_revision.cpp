// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/new_revision.h"

#include <algorithm>
#include <ctime>
#include <format>

namespace millrace::commit {
namespace {

using base::Code;

// Of commits on trial in a row: what comes back must still be in the log.
constexpr std::size_t kMaxTrials = 40;

}  // namespace

base::Result<Revision> new_revision(const CommitRequest& request,
                                    const std::vector<Revision>& revisions,
                                    const std::optional<Trial>& trial) {
  Revision revision{0,           std::time(nullptr), request.user,
                    request.via, request.comment,    request.label};
  if (!request.label.empty()) {
    if (auto valid = check_name(request.label); !valid) {
      return std::unexpected(valid.error());
    }
    const auto taken = std::ranges::find(revisions, request.label, &Revision::label);
    if (taken != revisions.end()) {
      return base::fail(Code::Conflict, std::format("the label '{}' belongs to revision {}",
                                                    request.label, taken->id));
    }
  }
  if (request.trial) {
    revision.trial = request.trial;
    revision.previous = trial ? trial->previous : revisions.front().id;
    if (revisions.size() > kMaxTrials && revision.previous < revisions[kMaxTrials].id) {
      return base::fail(Code::Conflict, "too many commits in a row without a confirmation", {},
                        "confirm them with 'commit', or take them back with 'commit confirmed "
                        "cancel'");
    }
  }
  return revision;
}

std::chrono::seconds seconds_since_boot() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec);
}

}  // namespace millrace::commit
