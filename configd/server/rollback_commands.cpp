// SPDX-License-Identifier: GPL-2.0-or-later
//
// `rollback`: an earlier configuration becomes the candidate; a commit puts it into force.
#include <charconv>
#include <utility>

#include "ops/layout.h"
#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

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

}  // namespace

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

}  // namespace millrace::server
