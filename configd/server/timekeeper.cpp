// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/timekeeper.h"

#include "base/log.h"
#include "base/words.h"
#include "ops/layout.h"
#include "server/probe.h"
#include "server/trial.h"

namespace millrace::server {
namespace {

using base::Level;

constexpr std::chrono::seconds kRetry{30};
// Right after a commit a host may answer over a way that is about to go.
constexpr int kSuccesses = 3;

std::string first_error(const base::Diagnostics& diagnostics) {
  for (const auto& finding : diagnostics.items()) {
    if (finding.severity == base::Severity::Error) {
      return finding.message;
    }
  }
  return "no reason is known";
}

}  // namespace

std::function<void()> Timekeeper::due(std::int64_t now) {
  if (const auto trial = services_.engine.trial();
      trial && services_.engine.boot_time() >= retry_) {
    const bool proved = probed_ == trial->revision && successes_ >= kSuccesses;
    if (proved || services_.engine.boot_time() >= trial->deadline) {
      return end_trial(*trial);
    }
  }
  return services_.engine.schedule().due(now) ? run_scheduled() : std::function<void()>();
}

std::function<void()> Timekeeper::end_trial(const commit::Trial& trial) {
  retry_ = services_.engine.boot_time() + kRetry;
  if (probed_ != trial.revision || successes_ < kSuccesses) {
    return [this, trial] { roll_back(trial); };
  }
  return [this, trial] {
    if (const auto done = services_.engine.confirm(trial.revision); !done) {
      base::log(Level::Error, "commit " + std::to_string(trial.revision) +
                                  " cannot be confirmed: " + done.error().message);
      return;
    }
    retry_ = {};
    announce(services_, "commit " + std::to_string(trial.revision) + " by " + trial.user +
                            " is confirmed: '" + trial.terms.verify + "' succeeds");
  };
}

void Timekeeper::roll_back(const commit::Trial& trial) {
  const auto before = services_.engine.running();
  std::string why =
      "commit " + std::to_string(trial.revision) + " by " + trial.user + " was not confirmed";
  if (!trial.terms.verify.empty()) {
    why += " ('" + trial.terms.verify + "' fails" +
           (last_failure_.empty() ? ")" : ": " + last_failure_ + ")");
  }
  const auto report =
      services_.engine.reject(trial.revision, "root", "other",
                              why + ", rolled back to revision " + std::to_string(trial.previous));
  if (!report.committed) {
    const auto now = services_.engine.trial();
    if (now && now->revision == trial.revision) {
      announce(services_, why + ", and cannot be rolled back: " + first_error(report.diagnostics));
    }
    return;  // else somebody was faster
  }
  retry_ = {};
  follow_rollback(services_, before);
  std::string text =
      why + " and has been rolled back to revision " + std::to_string(trial.previous);
  for (const auto& subsystem : report.degraded) {
    text += "\nwarning: " + subsystem + " does not follow the configuration";
  }
  announce(services_, text);
}

std::function<void()> Timekeeper::run_scheduled() {
  return [this] {
    auto taken = services_.engine.schedule().take();
    if (!taken) {
      if (taken.error().code != base::Code::UnknownPath) {
        base::log(Level::Error, "the scheduled commit cannot begin: " + taken.error().message);
      }
      return;
    }
    const auto& [what, candidate] = *taken;
    const auto report =
        services_.engine.commit({candidate, what.user, what.via, what.comment, what.label});
    announce(services_,
             "the scheduled commit of " + what.user +
                 (report.committed ? " is complete: revision " + std::to_string(report.revision)
                                   : " failed: " + first_error(report.diagnostics)));
  };
}

std::function<void()> Timekeeper::due_probe() {
  const auto trial = services_.engine.trial();
  if (!trial || trial->terms.verify.empty()) {
    return {};
  }
  if (probed_ != trial->revision) {
    probed_ = trial->revision;
    successes_ = 0;
    last_failure_.clear();
  }
  if (successes_ >= kSuccesses) {
    return {};
  }
  return [this, text = trial->terms.verify] {
    const auto probe = Probe::parse(services_, text);
    const auto done = probe ? probe->run(services_) : std::unexpected(probe.error());
    successes_ = done ? successes_ + 1 : 0;
    last_failure_ = done ? std::string() : base::one_line(done.error().message);
  };
}

}  // namespace millrace::server
