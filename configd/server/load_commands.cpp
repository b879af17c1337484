// SPDX-License-Identifier: GPL-2.0-or-later
//
// load merge|replace|override|update|set FILE|terminal [relative]. The file is read by the client
// with the user's rights: the daemon never opens a path that a user typed.
#include <array>
#include <memory>
#include <utility>

#include "server/configuration_mode.h"
#include "tree/text.h"

namespace millrace::server {
namespace {

struct Action {
  std::string_view name;
  std::optional<tree::LoadAction> action;  // none: not supported yet
};

constexpr std::array kActions = {
    Action{"factory-default", std::nullopt},        Action{"merge", tree::LoadAction::Merge},
    Action{"override", tree::LoadAction::Override}, Action{"patch", std::nullopt},
    Action{"replace", tree::LoadAction::Replace},   Action{"set", tree::LoadAction::Set},
    Action{"update", tree::LoadAction::Update},
};

Outcome load(Shell& shell, const tree::Path& base, std::string text, tree::LoadAction action,
             const std::string& name) {
  tree::LoadReport report;
  const auto outcome = shell.candidate().edit([&](tree::Editor& editor) -> base::Result<void> {
    report = tree::load(editor, base, std::move(text), action);
    return {};
  });
  if (!outcome) {
    return failed(outcome.error());
  }
  // The last line is the result, what stands before it are complaints.
  std::string said = report.to_string(name);
  Reply reply{report.errors.empty(), {}, {}};
  const auto last = said.size() > 1 ? said.rfind('\n', said.size() - 2) : std::string::npos;
  reply.output = last == std::string::npos ? said : said.substr(last + 1);
  reply.errors = last == std::string::npos ? std::string() : said.substr(0, last + 1);
  if (!reply.output.ends_with('\n')) {
    reply.output += '\n';
  }
  return reply;
}

}  // namespace

Outcome load_command(Call& call) {
  const Action* action = nullptr;
  for (const auto& row : kActions) {
    if (is(call.word(), row.name)) {
      action = &row;
      break;
    }
  }
  if (!action) {
    return call.shell.refuse_word(
        call, call.next, "syntax error, expecting merge, replace, override, update or set.");
  }
  if (!action->action) {
    return call.shell.refuse_word(call, call.next,
                                  "'load " + std::string(action->name) + "' is not supported yet");
  }
  ++call.next;
  if (call.at_end()) {
    return call.shell.refuse_word(call, call.next,
                                  "missing argument, expecting <file> or terminal.");
  }
  std::string source(call.word());
  ++call.next;
  const bool relative = is(call.word(), "relative");
  call.next += relative ? 1 : 0;
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  const tree::Path base = relative ? call.level : tree::Path{};
  if (!may(call.shell.peer(), {.kind = Access::Kind::Edit, .path = &base})) {
    return failed("permission denied");
  }
  const bool terminal = source == "terminal";
  return call.shell.read(
      {terminal ? std::string() : source},
      [&shell = call.shell, base, name = source, how = *action->action](
          std::string text) -> Outcome { return load(shell, base, std::move(text), how, name); });
}

}  // namespace millrace::server
