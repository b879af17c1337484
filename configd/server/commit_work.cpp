// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/commit_work.h"

#include <utility>

#include "server/redaction.h"
#include "server/trial.h"

namespace millrace::server {
namespace {

void redact(Shell& shell, commit::CommitReport& report) {
  report.diagnostics =
      redacted(shell.peer(), shell.services().schema, std::move(report.diagnostics));
}

}  // namespace

commit::CommitReport commit_candidate_of(Shell& shell, const CommitTerms& terms,
                                         commit::Observer* observer) {
  auto& engine = shell.services().engine;
  commit::CommitReport report;
  const auto candidate = shell.candidate().to_commit();
  if (!candidate) {
    report.diagnostics = candidate.error();
    return report;
  }
  const auto before = engine.running();
  report = engine.commit({*candidate, shell.peer().user, shell.via(), terms.comment, terms.label,
                          terms.trial, terms.full, terms.prepared},
                         observer);
  redact(shell, report);
  if (report.committed) {
    shell.candidate().committed(*candidate);
    shell.record_commit(before, report.revision);
  }
  return report;
}

commit::CommitReport cancel_trial(Shell& shell, commit::RevisionId revision,
                                  commit::Observer* observer) {
  auto& services = shell.services();
  const auto before = services.engine.running();
  auto report = services.engine.reject(
      revision, shell.peer().user, shell.via(),
      "commit confirmed cancel of revision " + std::to_string(revision), observer);
  redact(shell, report);
  if (report.committed) {
    follow_rollback(services, before);
    shell.record_commit(before, report.revision);
  }
  return report;
}

}  // namespace millrace::server
