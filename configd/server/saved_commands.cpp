// SPDX-License-Identifier: GPL-2.0-or-later
//
// `request system configuration rescue save|delete` and `… checkpoint save|delete NAME`: what runs
// now, kept beside the revisions.
#include <utility>

#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

Reply silent(const base::Result<void>& done_or_not) {
  return done_or_not ? done() : failed(done_or_not.error());
}

Outcome save_or_delete(Call& call, std::string_view verb, std::string_view name) {
  auto& engine = call.shell.services().engine;
  return is(verb, "save")
             ? silent(engine.saved().save(name, engine.running(), call.shell.peer().user))
             : silent(engine.saved().remove(name));
}

bool is_verb(std::string_view word) {
  return is(word, "save") || is(word, "delete");
}

}  // namespace

Outcome rescue_command(Call& call) {
  if (!is_verb(call.word())) {
    return call.shell.refuse_word(call, call.next, "syntax error, expecting <save> or <delete>.");
  }
  const std::string_view verb = call.word();
  ++call.next;
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  return save_or_delete(call, verb, commit::kRescue);
}

Outcome checkpoint_command(Call& call) {
  if (!is_verb(call.word())) {
    return call.shell.refuse_word(call, call.next, "syntax error, expecting <save> or <delete>.");
  }
  const std::string_view verb = call.word();
  if (++call.next; call.at_end()) {
    return call.shell.refuse_word(call, call.next, "missing argument, expecting <name>.");
  }
  const std::string_view name = call.word();
  if (const auto valid = commit::check_name(name); !valid) {
    return call.shell.refuse_word(call, call.next, valid.error().message);
  }
  ++call.next;
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  return save_or_delete(call, verb, name);
}

}  // namespace millrace::server
