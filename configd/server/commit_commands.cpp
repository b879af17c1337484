// SPDX-License-Identifier: GPL-2.0-or-later
//
// Commit, plan and rollback. What they do to the system happens on the commit thread; the candidate
// is taken there too, so that a commit which waited for another one carries all edits made since.
#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <utility>

#include "base/log.h"
#include "ops/layout.h"
#include "schema/values.h"
#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

struct CommitOptions {
  bool check = false;
  bool and_quit = false;
  std::string comment;
};

std::string reason(const base::Diagnostics& diagnostics) {
  bool missing = true;
  for (const auto& item : diagnostics.items()) {
    if (item.severity != base::Severity::Error) {
      continue;
    }
    if (item.code == base::Code::ApplyFailed || item.code == base::Code::Io) {
      return "(the system refused the change; nothing was changed)";
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
    reply.errors += "error: configuration check-out failed: " + reason(diagnostics) + "\n";
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
            "commit by " + user + " via " + via + " failed: " + reason(report.diagnostics));
  for (const auto& subsystem : report.degraded) {
    base::log(base::Level::Error, subsystem + " does not follow the configuration");
    reply.errors += "warning: " + subsystem +
                    " does not follow the configuration; it is tried again with the next commit\n";
  }
  reply.errors += "error: commit failed: " + reason(report.diagnostics) + "\n";
  return reply;
}

std::expected<CommitOptions, Reply> read_options(Call& call) {
  CommitOptions options;
  for (; !call.at_end(); ++call.next) {
    const std::string_view word = call.word();
    if (is(word, "check")) {
      options.check = true;
    } else if (is(word, "and-quit")) {
      options.and_quit = true;
    } else if (word.size() > 2 && is(word, "comment")) {
      if (++call.next >= call.words.size()) {
        return std::unexpected(
            call.shell.refuse_word(call, call.next, "missing argument, expecting \"comment\"."));
      }
      options.comment = call.word();
      // In `show system commit` a line break would look like another commit.
      if (!schema::is_printable(options.comment)) {
        return std::unexpected(call.shell.refuse_word(
            call, call.next, "invalid comment: expected text without control characters"));
      }
    } else {
      for (const std::string_view later : {"activate", "at", "confirmed", "full", "no-synchronize",
                                           "peers-synchronize", "prepare", "synchronize"}) {
        if (is(word, later)) {
          return std::unexpected(call.shell.refuse_word(
              call, call.next, "'commit " + std::string(later) + "' is not supported yet"));
        }
      }
      return std::unexpected(
          call.shell.refuse_word(call, call.next, "syntax error, expecting <command>."));
    }
  }
  if (options.check && (options.and_quit || !options.comment.empty())) {
    return std::unexpected(call.shell.refuse_word(
        call, call.words.size(), "syntax error: 'check' commits nothing and stands alone."));
  }
  return options;
}

Outcome check_candidate(Call& call) {
  auto diagnostics = std::make_shared<base::Diagnostics>();
  return Deferred<Reply>{[&shell = call.shell, diagnostics](commit::Observer*) {
                           const auto wanted = shell.candidate().wanted();
                           *diagnostics = wanted ? shell.services().engine.check_candidate(*wanted)
                                                 : wanted.error();
                         },
                         [diagnostics] { return check_reply(*diagnostics); }};
}

std::string list_revisions(const commit::Engine& engine) {
  std::string text;
  std::size_t index = 0;
  for (const auto& revision : engine.revisions()) {
    const std::string what = ops::local_time(revision.time) + " by " + revision.user + " via " +
                             revision.via +
                             (revision.comment.empty() ? "" : " " + revision.comment);
    text += ops::row({{2, std::to_string(index++)}, {6, what}});
  }
  return text;
}

// Some changes, such as the description of a unit without a device of its own, are only recorded.
std::string plan_text(const std::vector<commit::StepLine>& steps, bool changed) {
  if (steps.empty()) {
    return changed ? "nothing to do in the system: the changes are only recorded\n"
                   : "nothing to do: the candidate equals the running configuration\n";
  }
  std::string text;
  std::string_view applier;
  std::size_t disruptive = 0;
  for (const auto& step : steps) {
    if (step.applier != applier) {
      text += step.applier + ":\n";
      applier = step.applier;
    }
    text += (step.disruptive ? "  ! " : "    ") + step.description +
            (step.disruptive ? " (disruptive)\n" : "\n");
    disruptive += step.disruptive ? 1 : 0;
  }
  text += std::to_string(steps.size()) + (steps.size() == 1 ? " step" : " steps") + ", " +
          std::to_string(disruptive) + " disruptive\n";
  return text;
}

Reply plan_reply(const base::Diagnostics& diagnostics,
                 const base::Result<std::vector<commit::StepLine>>& steps, bool changed) {
  if (diagnostics.has_errors()) {
    return check_reply(diagnostics);
  }
  if (!steps) {
    return failed(steps.error());
  }
  Reply reply = done(plan_text(*steps, changed));
  nlohmann::json list = nlohmann::json::array();
  for (const auto& step : *steps) {
    list.push_back({{"applier", step.applier},
                    {"description", step.description},
                    {"disruptive", step.disruptive}});
  }
  reply.data = {{"steps", std::move(list)}};
  return reply;
}

}  // namespace

Outcome commit_command(Call& call) {
  const auto options = read_options(call);
  if (!options) {
    return options.error();
  }
  if (!may(call.shell.peer(), {.kind = Access::Kind::Commit})) {
    return failed("permission denied");
  }
  if (options->check) {
    return check_candidate(call);
  }
  auto report = std::make_shared<commit::CommitReport>();
  auto& shell = call.shell;
  return Deferred<Reply>{[&shell, report, comment = options->comment](commit::Observer* observer) {
                           const auto wanted = shell.candidate().to_commit();
                           if (!wanted) {
                             report->diagnostics = wanted.error();
                             return;
                           }
                           *report = shell.services().engine.commit(
                               {*wanted, shell.peer().user, shell.via(), comment}, observer);
                           if (report->committed) {
                             shell.candidate().committed(*wanted);
                           }
                         },
                         [&shell, report, and_quit = options->and_quit] {
                           Reply reply = commit_reply(*report, shell.peer().user, shell.via());
                           if (reply.ok && and_quit) {
                             reply.output += shell.leave_configuration().output;
                           }
                           return reply;
                         }};
}

Outcome rollback_command(Call& call) {
  auto& services = call.shell.services();
  std::size_t index = 0;
  if (!call.at_end()) {
    const std::string_view word = call.word();
    if (word == "?") {
      return done(list_revisions(services.engine));
    }
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (code != std::errc() || end != word.data() + word.size()) {
      return call.shell.refuse_word(call, call.next,
                                    word == "rescue" ? "'rollback rescue' is not supported yet"
                                                     : "invalid value '" + std::string(word) +
                                                           "': expected a number (0..49)");
    }
    if (index > 49) {
      return call.shell.refuse_word(call, call.next,
                                    "Value " + std::string(word) + " is not within range (0..49)");
    }
    ++call.next;
    if (auto reply = leftover(call)) {
      return std::move(*reply);
    }
  }
  if (!may(call.shell.peer(), {.kind = Access::Kind::Edit})) {
    return failed("permission denied");
  }
  auto tree = index == 0 ? base::Result<tree::ConfigTree>(call.shell.candidate().base())
                         : services.engine.revision(index);
  if (!tree) {
    return failed(tree.error());
  }
  if (auto outcome = call.shell.candidate().reset(std::move(*tree)); !outcome) {
    return failed(outcome.error());
  }
  return done("load complete\n");
}

Outcome show_plan(Call& call) {
  struct Found {
    base::Diagnostics diagnostics;
    base::Result<std::vector<commit::StepLine>> steps;
    bool changed = false;
  };
  auto found = std::make_shared<Found>();
  const bool as_json = call.pipes.format() == Format::Json;
  return Deferred<Reply>{
      [&shell = call.shell, found](commit::Observer*) {
        auto& engine = shell.services().engine;
        const auto wanted = shell.candidate().wanted();
        found->diagnostics = wanted ? engine.check_candidate(*wanted) : wanted.error();
        if (!found->diagnostics.has_errors()) {
          found->steps = engine.plan(*wanted);
          found->changed = !(*wanted == engine.running());
        }
      },
      [found, as_json] {
        Reply reply = plan_reply(found->diagnostics, found->steps, found->changed);
        if (as_json && reply.ok) {
          reply.output = reply.data.dump(2) + "\n";
        }
        return reply;
      }};
}

}  // namespace millrace::server
