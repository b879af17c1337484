// SPDX-License-Identifier: GPL-2.0-or-later
//
// The forms of `commit`. What they do to the system happens on the commit thread; the candidate is
// taken there too, so that a commit which waited for another one carries all edits made since.
#include <ctime>
#include <memory>
#include <utility>

#include "base/log.h"
#include "ops/layout.h"
#include "server/commit_options.h"
#include "server/commit_replies.h"
#include "server/commit_work.h"
#include "server/configuration_mode.h"
#include "server/probe.h"
#include "server/redaction.h"
#include "server/trace.h"
#include "server/trial.h"
#include "tree/delta.h"

namespace millrace::server {
namespace {

using Form = CommitOptions::Form;

base::Diagnostics redacted(Shell& shell, base::Diagnostics findings) {
  return server::redacted(shell.peer(), shell.services().schema, std::move(findings));
}

std::string automatic_rollback(const commit::TrialTerms& terms) {
  return "commit confirmed will be automatically rolled back in " + std::to_string(terms.minutes) +
         " minutes unless confirmed\n";
}

// Whether a commit may still begin: it may have waited for others, or for an answer. `agreed`: the
// trial that this user's commit may end, as it was when the user was asked. Errors: Locked when one
// is scheduled by now, Conflict when another one is on trial.
base::Result<void> still_agreed(const commit::Engine& engine, const std::string& user,
                                commit::RevisionId agreed) {
  if (const auto waiting = engine.schedule().waiting()) {
    return std::unexpected(scheduled_error(*waiting));
  }
  const auto foreign = foreign_trial(engine, user);
  if (foreign && foreign->revision != agreed) {
    return base::fail(base::Code::Conflict,
                      "revision " + std::to_string(foreign->revision) +
                          " has been committed meanwhile and waits for its confirmation");
  }
  return {};
}

void add(base::Diagnostics& diagnostics, const base::Error& error) {
  diagnostics.error(error.code, error.path, {}, error.message, error.hint);
}

// ===== check, prepare, at =====

struct Checked {
  base::Diagnostics diagnostics;
  std::string note;  // what else there is to say
};

// A check by the one whose commit is on trial confirms it, as automation for Junos expects, but
// only when there is nothing else that it could have been about.
void confirm_by_check(Shell& shell, const tree::ConfigTree& candidate, Checked& checked) {
  auto& engine = shell.services().engine;
  const auto trial = engine.trial();
  if (!trial || trial->user != shell.peer().user || checked.diagnostics.has_errors()) {
    return;
  }
  const std::string revision = "revision " + std::to_string(trial->revision);
  if (!tree::Delta(engine.running(), candidate).empty()) {
    checked.note =
        revision + " still waits for its confirmation: the candidate has other changes\n";
  } else if (auto done = engine.confirm(trial->revision); done) {
    checked.note = "commit confirmed: " + revision + " is confirmed\n";
  } else {
    add(checked.diagnostics, done.error());
  }
}

Outcome check_candidate(Shell& shell) {
  auto checked = std::make_shared<Checked>();
  return Deferred<Reply>{[&shell, checked](commit::Observer*) {
                           const auto wanted = shell.candidate().wanted();
                           if (!wanted) {
                             checked->diagnostics = wanted.error();
                             return;
                           }
                           checked->diagnostics =
                               redacted(shell, shell.services().engine.check_candidate(*wanted));
                           confirm_by_check(shell, *wanted, *checked);
                         },
                         [checked] {
                           Reply reply = check_reply(checked->diagnostics);
                           reply.output += checked->note;
                           return reply;
                         }};
}

Outcome prepare_candidate(Shell& shell) {
  auto diagnostics = std::make_shared<base::Diagnostics>();
  return Deferred<Reply>{
      [&shell, diagnostics](commit::Observer* observer) {
        auto& services = shell.services();
        const auto wanted = shell.candidate().wanted();
        *diagnostics = redacted(
            shell, wanted ? services.engine.prepare_commit(*wanted, observer) : wanted.error());
      },
      [diagnostics] {
        Reply reply = check_reply(*diagnostics);
        if (reply.ok) {
          reply.output += "commit prepared, 'commit activate' puts it into force\n";
        }
        return reply;
      }};
}

Outcome schedule_candidate(Shell& shell, const CommitOptions& options) {
  auto diagnostics = std::make_shared<base::Diagnostics>();
  return Deferred<Reply>{
      [&shell, diagnostics, options](commit::Observer*) {
        auto& services = shell.services();
        const auto wanted = shell.candidate().wanted();
        *diagnostics =
            redacted(shell, wanted ? services.engine.check_candidate(*wanted) : wanted.error());
        if (diagnostics->has_errors()) {
          return;
        }
        const auto added = services.engine.schedule().add(
            {options.at, shell.peer().user, shell.via(), options.comment, options.label}, *wanted);
        if (!added) {
          add(*diagnostics, added.error());
        }
      },
      [&shell, diagnostics, at = options.at] {
        Reply reply = check_reply(*diagnostics);
        if (reply.ok) {
          reply.output += "commit at will be executed at " +
                          (at ? ops::local_time(*at) : std::string("reboot")) + "\n" +
                          shell.leave_configuration().output;
        }
        return reply;
      }};
}

// ===== commit =====

Outcome reject_trial(Shell& shell, commit::RevisionId revision) {
  auto report = std::make_shared<commit::CommitReport>();
  return Deferred<Reply>{
      [&shell, report, revision](commit::Observer* observer) {
        *report = cancel_trial(shell, revision, observer);
      },
      [&shell, report, revision] {
        Reply reply = commit_reply(*report, shell.peer().user, shell.via());
        if (reply.ok) {
          const std::string what = "revision " + std::to_string(revision) + " has been rolled back";
          reply.output = what + "\n" + reply.output;
          announce(shell.services(), shell.peer().user + ": commit confirmed cancel, " + what,
                   shell.session());
        }
        return reply;
      }};
}

Outcome commit_candidate(Shell& shell, const CommitOptions& options, commit::RevisionId agreed) {
  auto report = std::make_shared<commit::CommitReport>();
  auto timed = std::make_shared<std::string>();
  return Deferred<Reply>{
      [&shell, report, timed, options, agreed](commit::Observer* observer) {
        auto& services = shell.services();
        const std::string& user = shell.peer().user;
        if (const auto agreement = still_agreed(services.engine, user, agreed); !agreement) {
          add(report->diagnostics, agreement.error());
          return;
        }
        Trace trace(observer);
        *report = commit_candidate_of(shell,
                                      {options.comment, options.label, options.trial, options.full,
                                       options.form == Form::Activate},
                                      options.timed ? &trace : observer);
        trace.add(report->committed ? "complete" : "failed");
        *timed = options.timed && sees_everything(shell.peer()) ? trace.text() : std::string();
      },
      [&shell, report, timed, options] {
        Reply reply = commit_reply(*report, shell.peer().user, shell.via());
        reply.output = *timed + reply.output;
        if (reply.ok && options.trial) {
          const std::string text = automatic_rollback(*options.trial);
          reply.output.insert(timed->size(), text);
          announce(shell.services(), shell.peer().user + ": " + text.substr(0, text.size() - 1),
                   shell.session());
        }
        if (reply.ok && options.and_quit) {
          reply.output += shell.leave_configuration().output;
        }
        return reply;
      }};
}

// The command that is to decide, if there is one: null when all is well with it.
std::optional<Reply> wrong_probe(const Shell& shell, Services& services,
                                 const CommitOptions& options) {
  if (!options.trial || options.trial->verify.empty()) {
    return std::nullopt;
  }
  const auto probe = Probe::parse(services, options.trial->verify);
  if (!probe) {
    return failed(base::Error{probe.error().code,
                              "'" + options.trial->verify + "': " + probe.error().message});
  }
  return probe->allowed(shell.peer()) ? std::nullopt : std::optional(failed("permission denied"));
}

}  // namespace

Outcome commit_command(Call& call) {
  const auto read = read_commit_options(call);
  if (!read) {
    return read.error();
  }
  auto& shell = call.shell;
  auto& services = shell.services();
  if (!may(shell.peer(), {.kind = Access::Kind::Commit})) {
    return failed("permission denied");
  }
  if (auto wrong = wrong_probe(shell, services, *read)) {
    return std::move(*wrong);
  }
  CommitOptions options = *read;
  options.timed = call.pipes.display.has_value();
  if (options.form == Form::At || options.form == Form::Activate || options.form == Form::Now) {
    if (auto reply = commit_forbidden(call)) {
      return std::move(*reply);
    }
  }
  switch (options.form) {
    case Form::Check:
      return check_candidate(shell);
    case Form::Prepare:
      return prepare_candidate(shell);
    case Form::At:
      return schedule_candidate(shell, options);
    case Form::Cancel:
    case Form::Activate:
    case Form::Now:
      break;
  }
  const auto trial = services.engine.trial();
  if (options.form == Form::Cancel && !trial) {
    return failed(kNothingOnTrial);
  }
  const auto go_on = [&shell, options](commit::RevisionId agreed) {
    return options.form == Form::Cancel ? reject_trial(shell, agreed)
                                        : commit_candidate(shell, options, agreed);
  };
  const commit::RevisionId revision = trial ? trial->revision : 0;
  if (const auto foreign = foreign_trial(services.engine, shell.peer().user)) {
    if (options.form == Form::Cancel && !changes_everything(shell.peer())) {
      return failed(kForeignTrial);
    }
    const std::string question =
        options.form == Form::Cancel
            ? "Revision " + std::to_string(revision) + " is by " + trial->user + ". Roll it back?"
            : foreign->question;
    return shell.ask({question, false}, [go_on, revision](bool yes) {
      return yes ? go_on(revision) : Outcome(done());
    });
  }
  return go_on(revision);
}

}  // namespace millrace::server
