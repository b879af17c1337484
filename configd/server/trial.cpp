// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/trial.h"

#include <algorithm>
#include <chrono>

#include "base/log.h"
#include "ops/layout.h"
#include "tree/delta.h"

namespace millrace::server {

std::int64_t minutes_left(const commit::Engine& engine, const commit::Trial& trial) {
  const auto seconds = std::max(trial.deadline - engine.boot_time(), std::chrono::seconds(0));
  return std::chrono::ceil<std::chrono::minutes>(seconds).count();
}

std::string trial_banner(const commit::Engine& engine) {
  const auto trial = engine.trial();
  return trial ? "# commit confirmed will be rolled back in " +
                     std::to_string(minutes_left(engine, *trial)) + " minutes"
               : std::string();
}

std::optional<Foreign> foreign_trial(const commit::Engine& engine, const std::string& user) {
  const auto trial = engine.trial();
  if (!trial || trial->user == user) {
    return std::nullopt;
  }
  return Foreign{trial->revision, "commit confirmed by " + trial->user +
                                      " will be rolled back in " +
                                      std::to_string(minutes_left(engine, *trial)) +
                                      " minutes; this commit would confirm it. Continue?"};
}

base::Error scheduled_error(const commit::ScheduledCommit& waiting) {
  return {base::Code::Locked,
          "a commit by " + waiting.user + " will be executed at " +
              (waiting.at ? ops::local_time(*waiting.at) : std::string("reboot")),
          {},
          "'clear system commit' in operational mode drops it"};
}

void announce(Services& services, const std::string& text, std::uint64_t except) {
  base::log(base::Level::Notice, text);
  services.notices.broadcast(text, except);
}

void follow_rollback(Services& services, const tree::ConfigTree& before) {
  if (tree::Delta(before, services.candidate.snapshot()).empty()) {
    services.candidate.reset(services.engine.running());
  }
}

}  // namespace millrace::server
