// SPDX-License-Identifier: GPL-2.0-or-later
//
// `rollback`: an earlier configuration becomes the candidate; a commit puts it into force.
#include <utility>

#include "ops/layout.h"
#include "ops/revisions.h"
#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

std::string list_revisions(const commit::Engine& engine) {
  std::string text;
  std::size_t index = 0;
  for (const auto& revision : engine.revisions()) {
    const std::string what = ops::revision_line(revision) +
                             (revision.label.empty() ? "" : " label " + revision.label) +
                             (revision.comment.empty() ? "" : " " + revision.comment);
    text += ops::row({{2, std::to_string(index++)}, {6, what}});
  }
  return text;
}

}  // namespace

Outcome rollback_command(Call& call) {
  auto& shell = call.shell;
  ConfigurationSource source;
  if (call.word() == "?") {
    return done(list_revisions(shell.services().engine));
  }
  if (!call.at_end()) {
    const auto read = read_revision(call.rest());
    if (!read) {
      return shell.refuse_word(call, call.next + read.error().word, read.error().message);
    }
    source = read->source;
    call.next += read->used;
  }
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  if (!may(shell.peer(), {.kind = Access::Kind::Edit})) {
    return failed("permission denied");
  }
  const bool discards = source.kind == ConfigurationSource::Kind::Running ||
                        (source.kind == ConfigurationSource::Kind::Rollback && source.index == 0);
  if (!discards &&
      !may(shell.peer(),
           {.kind = Access::Kind::Operate, .command = "rollback", .permission = "rollback"})) {
    return failed("permission denied");
  }
  auto tree = discards ? base::Result<tree::ConfigTree>(shell.candidate().base())
                       : find_configuration(shell.services().engine, source);
  if (!tree) {
    return failed(tree.error());
  }
  if (auto outcome = shell.candidate().reset(std::move(*tree)); !outcome) {
    return failed(outcome.error());
  }
  return done("load complete\n");
}

}  // namespace millrace::server
