// SPDX-License-Identifier: GPL-2.0-or-later
//
// `configuration.commit`, `.confirm` and `.reject`: what `commit` is on the command line, for
// programs. Nobody can be asked here, so a commit that would confirm what another user has on trial
// is refused with the code "confirm-pending" unless the program says `force`.
#include <memory>
#include <utility>

#include "schema/values.h"
#include "server/commit_work.h"
#include "server/probe.h"
#include "server/programs.h"
#include "server/redaction.h"
#include "server/trial.h"

namespace millrace::server {
namespace {

using nlohmann::json;

constexpr unsigned kMaxMinutes = 65535;

struct Wanted {
  std::string comment;
  std::string label;
  std::optional<commit::TrialTerms> trial;
  bool force = false;
  bool full = false;
  bool check = false;
  bool prepare = false;
  bool activate = false;
};

std::unexpected<RpcError> invalid(std::string message) {
  return std::unexpected(RpcError{kInvalidParams, std::move(message)});
}

std::expected<bool, RpcError> flag(const json& params, const char* name) {
  const auto found = params.find(name);
  if (found == params.end()) {
    return false;
  }
  return found->is_boolean() ? std::expected<bool, RpcError>(found->get<bool>())
                             : invalid(std::string(name) + " is neither true nor false");
}

std::expected<std::string, RpcError> text(const json& params, const char* name) {
  const auto found = params.find(name);
  if (found == params.end()) {
    return std::string();
  }
  if (!found->is_string() || !schema::is_printable(found->get_ref<const std::string&>())) {
    return invalid(std::string(name) + " is not a string without control characters");
  }
  return found->get<std::string>();
}

// true, a number of minutes, or {"minutes": N, "verify": COMMAND}.
std::expected<std::optional<commit::TrialTerms>, RpcError> read_trial(const json& params) {
  const auto found = params.find("confirmed");
  if (found == params.end() || *found == json(false)) {
    return std::nullopt;
  }
  commit::TrialTerms terms;
  json minutes = *found;
  if (found->is_object()) {
    minutes = found->value("minutes", json(terms.minutes));
    auto verify = text(*found, "verify");
    if (!verify) {
      return std::unexpected(std::move(verify.error()));
    }
    terms.verify = std::move(*verify);
  }
  if (minutes == json(true)) {
    return terms;
  }
  if (!minutes.is_number_integer() || minutes.get<std::int64_t>() < 1 ||
      minutes.get<std::int64_t>() > kMaxMinutes) {
    return invalid(
        "confirmed is neither true, minutes (1..65535) nor an object of minutes and verify");
  }
  terms.minutes = minutes.get<unsigned>();
  return terms;
}

std::expected<Wanted, RpcError> read(const json& params) {
  Wanted wanted;
  for (const auto& [name, into] :
       {std::pair{"comment", &wanted.comment}, {"label", &wanted.label}}) {
    auto value = text(params, name);
    if (!value) {
      return std::unexpected(std::move(value.error()));
    }
    *into = std::move(*value);
  }
  for (const auto& [name, into] : {std::pair{"force", &wanted.force},
                                   {"full", &wanted.full},
                                   {"check", &wanted.check},
                                   {"prepare", &wanted.prepare},
                                   {"activate", &wanted.activate}}) {
    const auto value = flag(params, name);
    if (!value) {
      return std::unexpected(value.error());
    }
    *into = *value;
  }
  auto trial = read_trial(params);
  if (!trial) {
    return std::unexpected(std::move(trial.error()));
  }
  wanted.trial = std::move(*trial);
  const bool more = wanted.activate || wanted.full || wanted.trial || !wanted.label.empty() ||
                    !wanted.comment.empty() || (wanted.prepare && wanted.check);
  if ((wanted.prepare || wanted.check) && more) {
    return invalid(std::string(wanted.check ? "check" : "prepare") +
                   " commits nothing and stands alone");
  }
  if (wanted.activate && wanted.full) {
    return invalid("activate does what was prepared and no more");
  }
  return wanted;
}

// Null when the probe may decide.
std::optional<RpcError> wrong_probe(Shell& shell, const Wanted& wanted) {
  if (!wanted.trial || wanted.trial->verify.empty()) {
    return std::nullopt;
  }
  const auto probe = Probe::parse(shell.services(), wanted.trial->verify);
  if (!probe) {
    return to_rpc({probe.error().code, "verify: " + probe.error().message});
  }
  if (!probe->allowed(shell.peer())) {
    return to_rpc({base::Code::Denied, "permission denied"});
  }
  return std::nullopt;
}

RpcError pending_error(const Foreign& foreign, const commit::Engine& engine) {
  const auto trial = engine.trial();
  RpcError error = to_rpc({base::Code::Locked,
                           "revision " + std::to_string(foreign.revision) + " by " +
                               (trial ? trial->user : std::string("another user")) +
                               " waits for its confirmation",
                           {},
                           "\"force\": true does it all the same"});
  error.data["code"] = "confirm-pending";
  return error;
}

struct Outcomes {
  std::optional<RpcError> refused;
  commit::CommitReport report;
};

ProgramResult to_result(const Outcomes& outcomes) {
  if (outcomes.refused) {
    return std::unexpected(*outcomes.refused);
  }
  const auto& report = outcomes.report;
  if (report.committed) {
    return json{{"revision", report.revision}, {"diagnostics", to_json(report.diagnostics)}};
  }
  base::Code code = base::Code::Internal;
  for (const auto& item : report.diagnostics.items()) {
    if (item.severity == base::Severity::Error) {
      code = item.code;
      break;
    }
  }
  RpcError error = to_rpc({code, "commit failed"});
  error.data["diagnostics"] = to_json(report.diagnostics);
  error.data["degraded"] = report.degraded;
  return std::unexpected(std::move(error));
}

void run(Shell& shell, const Wanted& wanted, Outcomes& out, commit::Observer* observer) {
  auto& services = shell.services();
  const std::string& user = shell.peer().user;
  if (const auto waiting = services.engine.schedule().waiting()) {
    out.refused = to_rpc(scheduled_error(*waiting));
    return;
  }
  const auto foreign = foreign_trial(services.engine, user);
  const bool commits = !wanted.prepare && !wanted.check;
  if (foreign && !wanted.force && commits) {
    out.refused = pending_error(*foreign, services.engine);
    return;
  }
  if (commits) {
    out.report = commit_candidate_of(
        shell, {wanted.comment, wanted.label, wanted.trial, wanted.full, wanted.activate},
        observer);
    return;
  }
  const auto candidate = shell.candidate().wanted();
  if (!candidate) {
    out.report.diagnostics = candidate.error();
    return;
  }
  out.report.diagnostics =
      redacted(shell.peer(), services.schema,
               wanted.check ? services.engine.check_candidate(*candidate)
                            : services.engine.prepare_commit(*candidate, observer));
  out.report.committed = !out.report.diagnostics.has_errors();
  out.report.revision = services.engine.revisions().front().id;
}

}  // namespace

ProgramOutcome commit_configuration(Shell& shell, const json& params) {
  auto wanted = read(params);
  if (!wanted) {
    return ProgramResult(std::unexpected(std::move(wanted.error())));
  }
  if (!may(shell.peer(), {.kind = Access::Kind::Commit})) {
    return ProgramResult(std::unexpected(to_rpc({base::Code::Denied, "permission denied"})));
  }
  if (const auto allowed = shell.candidate().may_commit(); !allowed) {
    return ProgramResult(std::unexpected(to_rpc(allowed.error())));
  }
  if (auto wrong = wrong_probe(shell, *wanted)) {
    return ProgramResult(std::unexpected(std::move(*wrong)));
  }
  auto outcomes = std::make_shared<Outcomes>();
  return Deferred<ProgramResult>{[&shell, wanted = *wanted, outcomes](commit::Observer* observer) {
                                   run(shell, wanted, *outcomes, observer);
                                 },
                                 [outcomes] { return to_result(*outcomes); }};
}

ProgramOutcome end_trial(Shell& shell, const json& params, bool confirm) {
  const auto force = flag(params, "force");
  if (!force) {
    return ProgramResult(std::unexpected(force.error()));
  }
  if (!may(shell.peer(), {.kind = Access::Kind::Commit})) {
    return ProgramResult(std::unexpected(to_rpc({base::Code::Denied, "permission denied"})));
  }
  auto outcomes = std::make_shared<Outcomes>();
  return Deferred<ProgramResult>{
      [&shell, outcomes, confirm, force = *force](commit::Observer* observer) {
        auto& services = shell.services();
        const auto trial = services.engine.trial();
        const auto foreign = foreign_trial(services.engine, shell.peer().user);
        if (!trial) {
          outcomes->refused = to_rpc({base::Code::Conflict, std::string(kNothingOnTrial)});
        } else if (foreign && !force) {
          outcomes->refused = pending_error(*foreign, services.engine);
        } else if (foreign && !confirm && !changes_everything(shell.peer())) {
          outcomes->refused = to_rpc({base::Code::Denied, std::string(kForeignTrial)});
        } else if (confirm) {
          const auto done = services.engine.confirm(trial->revision);
          outcomes->report.committed = done.has_value();
          outcomes->report.revision = trial->revision;
          if (!done) {
            outcomes->refused = to_rpc(done.error());
          }
        } else {
          outcomes->report = cancel_trial(shell, trial->revision, observer);
        }
      },
      [outcomes] { return to_result(*outcomes); }};
}

}  // namespace millrace::server
