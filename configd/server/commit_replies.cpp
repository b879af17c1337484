// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/commit_replies.h"

#include "base/log.h"

namespace millrace::server {

std::string commit_failure(const base::Diagnostics& diagnostics) {
  bool missing = true;
  for (const auto& item : diagnostics.items()) {
    if (item.severity != base::Severity::Error) {
      continue;
    }
    if (item.code == base::Code::ApplyFailed || item.code == base::Code::Io) {
      return "(the system refused the change; nothing was changed)";
    }
    if (item.code == base::Code::Conflict) {
      // Statements have a level; labels, trials and prepared commits have none.
      return item.level.empty() && item.statement.empty()
                 ? "(it does not fit what was committed before)"
                 : "(others have changed the same statements)";
    }
    missing = missing && item.message.starts_with("Missing mandatory statement");
  }
  return missing ? "(missing mandatory statements)" : "(statements constraint check failed)";
}

Reply check_reply(const base::Diagnostics& diagnostics) {
  Reply reply{!diagnostics.has_errors(), {}, diagnostics.to_string()};
  if (reply.ok) {
    reply.output = "configuration check succeeds\n";
  } else {
    reply.errors += "error: configuration check-out failed: " + commit_failure(diagnostics) + "\n";
  }
  return reply;
}

Reply commit_reply(const commit::CommitReport& report, const std::string& user,
                   const std::string& via) {
  Reply reply{report.committed, {}, report.diagnostics.to_string()};
  if (report.committed) {
    base::log(base::Level::Notice, "commit " + std::to_string(report.revision) + " by " + user +
                                       " via " + via + ": complete");
    reply.output = "commit complete\n";
    return reply;
  }
  base::log(base::Level::Warning,
            "commit by " + user + " via " + via + " failed: " + commit_failure(report.diagnostics));
  for (const auto& subsystem : report.degraded) {
    base::log(base::Level::Error, subsystem + " does not follow the configuration");
    reply.errors += "warning: " + subsystem +
                    " does not follow the configuration; it is tried again until it does\n";
  }
  reply.errors += "error: commit failed: " + commit_failure(report.diagnostics) + "\n";
  return reply;
}

}  // namespace millrace::server
