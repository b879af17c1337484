// SPDX-License-Identifier: GPL-2.0-or-later
//
// load ACTION FILE|URL|terminal [relative] [json|xml], load factory-default. Files and URLs are
// read by the client with the user's rights: the daemon never opens a path that a user typed.
#include <utility>

#include "base/file.h"
#include "server/configuration_mode.h"
#include "server/loading.h"

namespace millrace::server {
namespace {

constexpr std::string_view kFactoryDefault = "factory-default";

struct Wanted {
  tree::LoadAction action = tree::LoadAction::Merge;
  std::optional<tree::LoadForm> form;  // none: the text tells
  tree::Path base;
};

Outcome load(Shell& shell, const Wanted& wanted, std::string text, const std::string& name) {
  tree::LoadReport report;
  const auto outcome = shell.candidate().edit([&](tree::Editor& editor) -> base::Result<void> {
    const tree::ConfigTree before = editor.tree();
    const auto form = wanted.form.value_or(tree::form_of(text));
    const auto loaded = edit_as_seen(shell.peer(), editor, [&](tree::Editor& seen) {
      report = tree::load(seen, wanted.base, std::move(text), wanted.action, form);
      return base::Result<void>();
    });
    if (!loaded) {
      return loaded;
    }
    keep_permitted(shell.peer(), before, editor, report);
    return {};
  });
  return outcome ? load_reply(report, name) : failed(outcome.error());
}

Outcome load_factory_default(Call& call) {
  if (auto reply = leftover(call)) {
    return std::move(*reply);
  }
  if (!may(call.shell.peer(), {.kind = Access::Kind::Edit})) {
    return failed("permission denied");
  }
  const auto& file = call.shell.services().factory_default;
  auto text = base::read_file(file);
  if (!text) {
    return failed(text.error());
  }
  return load(call.shell, {tree::LoadAction::Update, tree::LoadForm::Text, {}}, std::move(*text),
              file.string());
}

// `relative` and the form, in any order.
std::optional<Reply> read_options(Call& call, Wanted& wanted) {
  for (; !call.at_end(); ++call.next) {
    const std::string_view word = call.word();
    if (is(word, "relative")) {
      wanted.base = call.level;
    } else if (is(word, "json") || is(word, "xml")) {
      wanted.form = is(word, "json") ? tree::LoadForm::Json : tree::LoadForm::Xml;
      if (wanted.action == tree::LoadAction::Set || wanted.action == tree::LoadAction::Patch) {
        return call.shell.refuse_word(call, call.next,
                                      "syntax error: commands and patches have no other form.");
      }
    } else {
      return leftover(call);
    }
  }
  return std::nullopt;
}

}  // namespace

Outcome load_command(Call& call) {
  const LoadAction* action = nullptr;
  for (const LoadAction& row : load_actions()) {
    if (is(call.word(), row.name)) {
      action = &row;
      break;
    }
  }
  if (!action && is(call.word(), kFactoryDefault)) {
    ++call.next;
    return load_factory_default(call);
  }
  if (!action) {
    return call.shell.refuse_word(call, call.next,
                                  "syntax error, expecting merge, override, patch, replace, set, "
                                  "update or factory-default.");
  }
  ++call.next;
  if (call.at_end()) {
    return call.shell.refuse_word(call, call.next,
                                  "missing argument, expecting <file>, <url> or terminal.");
  }
  const std::string source(call.word());
  ++call.next;
  Wanted wanted{action->action, std::nullopt, {}};
  if (auto reply = read_options(call, wanted)) {
    return std::move(*reply);
  }
  if (!may(call.shell.peer(), {.kind = Access::Kind::Edit, .path = &wanted.base})) {
    return failed("permission denied");
  }
  const bool terminal = source == "terminal";
  return call.shell.read({terminal ? std::string() : source},
                         [&shell = call.shell, wanted, name = source](std::string text) -> Outcome {
                           return load(shell, wanted, std::move(text), name);
                         });
}

}  // namespace millrace::server
