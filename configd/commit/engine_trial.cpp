// SPDX-License-Identifier: GPL-2.0-or-later
//
// What waits: a revision for its confirmation, a prepared commit for its activation.
#include <ctime>

#include "commit/engine_impl.h"

namespace millrace::commit {

Diagnostics EngineImpl::prepare_commit(const tree::ConfigTree& candidate, Observer* observer) {
  Diagnostics diagnostics;
  auto ready = begin_commit(candidate, diagnostics, observer);
  if (diagnostics.has_errors()) {
    return diagnostics;
  }
  const auto done =
      ready ? ready->transaction.prepare() : Result<void>(std::unexpected(ready.error()));
  if (!done) {
    add_error(diagnostics, done.error());
    return diagnostics;
  }
  ready->transaction.observe(nullptr);
  prepared_.emplace(std::move(*ready));
  return diagnostics;
}

Result<Prepared> EngineImpl::take_prepared(const tree::ConfigTree& candidate) {
  auto taken = std::exchange(prepared_, std::nullopt);
  const std::string hint = "'commit prepare' first, then 'commit activate'";
  if (!taken) {
    return base::fail(Code::Conflict, "no commit is prepared that fits what runs now", {}, hint);
  }
  if (!tree::Delta(taken->candidate, candidate).empty()) {
    return base::fail(Code::Conflict, "the candidate has changed since it was prepared", {}, hint);
  }
  auto facts = read_facts(system_, defaults_);
  if (!facts) {
    return std::unexpected(facts.error());
  }
  if (differ(*facts, *taken->draft.after.facts)) {
    return base::fail(Code::Conflict, "the machine has changed since the commit was prepared", {},
                      hint);
  }
  return std::move(*taken);
}

std::chrono::seconds EngineImpl::deadline_of(const Revision& revision) const {
  return boot_clock_() + std::chrono::minutes(revision.trial->minutes);
}

Trial EngineImpl::trial_of(const Revision& revision, std::chrono::seconds deadline) {
  return {revision.id, revision.previous, revision.user, revision.via, *revision.trial, deadline};
}

void EngineImpl::replace_trial(const Revision& revision) {
  const auto old = trial();
  if (revision.trial) {
    const auto deadline = deadline_of(revision);  // the commit itself may have taken long
    volatile_.set_trial(revision.id, deadline);
    set_trial(trial_of(revision, deadline));
  } else {
    set_trial(std::nullopt);
  }
  if (old) {
    volatile_.clear_trial(old->revision);
  }
}

Result<void> EngineImpl::confirm(RevisionId revision) {
  if (!trial_ || trial_->revision != revision) {
    return not_on_trial(revision);
  }
  if (auto done = log_.confirm(); !done) {
    return done;
  }
  set_trial(std::nullopt);
  volatile_.clear_trial(revision);
  return {};
}

std::unexpected<base::Error> EngineImpl::not_on_trial(RevisionId revision) {
  return base::fail(Code::Conflict,
                    std::format("revision {} does not wait for a confirmation", revision));
}

CommitReport EngineImpl::reject(RevisionId revision, const std::string& user,
                                const std::string& via, const std::string& comment,
                                Observer* observer) {
  CommitReport report;
  if (!trial_ || trial_->revision != revision) {
    add_error(report.diagnostics, not_on_trial(revision).error());
    return report;
  }
  auto before = log_.tree_of(trial_->previous);
  if (!before) {
    add_error(report.diagnostics, before.error());
    return report;
  }
  CommitRequest request{*before, user, via, comment};
  report = commit(request, observer);
  return report.committed ? report : impose(std::move(request), report, observer);
}

CommitReport EngineImpl::impose(CommitRequest request, const CommitReport& refused,
                                Observer* observer) {
  CommitReport report;
  for (const auto& finding : refused.diagnostics.items()) {
    report.diagnostics.warning(finding.level, finding.statement, finding.message);
  }
  volatile_.forget_started();
  const auto id = record({0, std::time(nullptr), request.user, request.via, request.comment},
                         request.candidate);
  if (!id) {
    // For the log the trial goes on, so whatever start comes next rolls it back again.
    volatile_.distrust();
    report.diagnostics.warning(
        {}, {}, std::format("the revision log takes no records: {}", id.error().message));
  }
  auto facts = read_facts(system_, defaults_);
  hold(request.candidate, facts ? std::make_shared<Facts>(std::move(*facts)) : world_.facts);
  known_links_.set(*world_.facts);
  publish(request.candidate);
  reconcile_everything(report.diagnostics, observer);
  const auto old = trial();
  set_trial(std::nullopt);
  if (old && id) {
    volatile_.clear_trial(old->revision);
  }
  report.committed = true;
  report.revision = revisions_.front().id;
  report.degraded = this->degraded();
  return report;
}

}  // namespace millrace::commit
