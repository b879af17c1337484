// SPDX-License-Identifier: GPL-2.0-or-later
//
// Moving between levels. A level is a path of the session and needs no statement behind it: `edit`
// into something that is not there creates nothing until the first `set`.
#include <charconv>
#include <utility>

#include "ops/layout.h"
#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

bool is_level(const schema::PathStep& step) {
  return step.node->kind == schema::Kind::Container ||
         (step.node->kind == schema::Kind::List && step.keyed);
}

Outcome leave(Call& call) {
  if (!call.shell.candidate().changed()) {
    return call.shell.leave_configuration();
  }
  const bool kept = call.shell.candidate().mode().value_or(EditMode::Shared) == EditMode::Shared;
  Reply reply = call.shell.ask(
      {kept ? "Exit with uncommitted changes?" : "Discard uncommitted changes?", true},
      [&shell = call.shell](bool yes) -> Outcome {
        return yes ? shell.leave_configuration() : done();
      });
  if (kept) {
    reply.output = "The configuration has been changed but not committed\n";
  }
  return reply;
}

}  // namespace

// `family inet`, written on one line, is one level.
tree::Path level_above(tree::Path level, const schema::Schema& schema) {
  tree::Path up = level.parent();
  while (!up.empty() && up.schema(schema).joined) {
    up = up.parent();
  }
  return up;
}

Outcome edit_command(Call& call) {
  if (call.at_end()) {
    return call.shell.refuse_word(call, call.next, "missing argument, expecting <statement>.");
  }
  const auto walk = walk_path(call, call.next, call.words.size());
  if (!walk) {
    return walk.error();
  }
  if (walk->steps.empty() || !walk->values.empty() || !is_level(walk->steps.back())) {
    const bool list = !walk->steps.empty() && walk->steps.back().node->kind == schema::Kind::List;
    return call.shell.refuse_word(
        call, list ? call.words.size() : call.words.size() - 1,
        list ? "missing argument, expecting the name of an entry." : "syntax error.",
        list ? "" : "this statement has no level of its own");
  }
  call.shell.go_down(call.level / walk->steps);
  return done();
}

Outcome up_command(Call& call) {
  std::size_t count = 1;
  const std::string_view word = call.word();
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (!word.empty() && code == std::errc() && end == word.data() + word.size()) {
    ++call.next;
  } else {
    count = 1;
  }
  tree::Path level = call.level;
  for (; count > 0; --count) {
    if (level.empty()) {
      return failed("already at the top of the configuration");
    }
    level = level_above(std::move(level), call.shell.services().schema);
  }
  if (call.at_end()) {
    call.shell.go_up(std::move(level));
    return done();
  }
  call.level = std::move(level);
  return run_configuration(call);
}

Outcome top_command(Call& call) {
  if (call.at_end()) {
    call.shell.go_up({});
    return done();
  }
  call.level = {};
  return run_configuration(call);
}

Outcome exit_command(Call& call) {
  if (is(call.word(), "configuration-mode")) {
    ++call.next;
    if (auto reply = leftover(call)) {
      return std::move(*reply);
    }
    return leave(call);
  }
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  return call.shell.go_back() ? Outcome(done()) : leave(call);
}

Outcome status_command(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  std::string text = call.shell.services().sessions.to_string();
  if (call.shell.candidate().behind()) {
    const auto revisions = call.shell.services().engine.revisions();
    text += "! The configuration in force has changed since this private candidate was made";
    text += revisions.empty() ? ""
                              : ", last at " + ops::local_time(revisions.front().time) + " by " +
                                    revisions.front().user;
    text += "\n  'update' takes it in\n";
  }
  return done(std::move(text));
}

}  // namespace millrace::server
