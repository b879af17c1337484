// SPDX-License-Identifier: GPL-2.0-or-later
#include <utility>

#include "base/password.h"
#include "server/configuration_mode.h"

namespace millrace::server {
namespace {

using base::Result;

Outcome edit(Call& call, const std::function<Result<void>(tree::Editor&)>& change) {
  auto outcome = call.shell.candidate().edit(change);
  if (outcome) {
    return done();
  }
  // The words were good as far as they went: a leaf without its value.
  if (outcome.error().message.starts_with("syntax error")) {
    return call.shell.refuse_word(call, call.words.size(), outcome.error().message + ".");
  }
  return edit_failed(outcome.error());
}

std::optional<Reply> forbidden(const Call& call, const tree::Path& path) {
  if (may(call.shell.peer(), {.kind = Access::Kind::Edit, .path = &path})) {
    return std::nullopt;
  }
  return failed("permission denied: " + path.to_string());
}

// The path that all of the remaining words name; values are not part of it.
std::expected<tree::Path, Reply> whole_path(const Call& call, std::size_t last) {
  auto walk = walk_path(call, call.next, last);
  if (!walk) {
    return std::unexpected(std::move(walk.error()));
  }
  if (!walk->values.empty()) {
    return std::unexpected(call.shell.refuse_word(call, last - 1, "syntax error."));
  }
  tree::Path path = call.level / walk->steps;
  if (auto reply = forbidden(call, path)) {
    return std::unexpected(std::move(*reply));
  }
  return path;
}

std::optional<Reply> nothing_named(const Call& call) {
  if (!call.at_end()) {
    return std::nullopt;
  }
  return call.shell.refuse_word(call, call.next, "missing argument, expecting <statement>.");
}

Outcome delete_everything(Call& call) {
  Question question{"Delete everything under this level?", false};
  Reply reply = call.shell.ask(
      std::move(question), [&shell = call.shell, level = call.level](bool yes) -> Outcome {
        if (!yes) {
          return done();
        }
        auto outcome = shell.candidate().edit([&](tree::Editor& editor) -> Result<void> {
          if (level.empty()) {
            editor.reset(tree::ConfigTree(shell.services().schema));
            return {};
          }
          return editor.remove({}, {level.steps, {}});
        });
        return outcome ? done() : edit_failed(outcome.error());
      });
  if (call.level.empty()) {
    reply.output = "This will delete the entire configuration\n";
  }
  return reply;
}

Outcome tag(Call& call, Result<void> (tree::Editor::*change)(const tree::Path&, bool), bool on) {
  if (auto reply = nothing_named(call)) {
    return std::move(*reply);
  }
  const auto path = whole_path(call, call.words.size());
  if (!path) {
    return path.error();
  }
  return edit(call, [&](tree::Editor& editor) { return (editor.*change)(*path, on); });
}

}  // namespace

namespace {

// A password is asked for, twice, and its hash takes the place of the statement.
Outcome ask_password(Call& call, const schema::Walk& walk) {
  tree::Path hash = call.level / walk.steps;
  const schema::Node& leaf = *hash.steps.back().node;
  hash.steps.back().node = leaf.parent->child(leaf.asks);
  if (auto reply = forbidden(call, hash)) {
    return std::move(*reply);
  }
  auto& shell = call.shell;
  return shell.ask_secret("New password:", [&shell, hash](std::string first) -> Outcome {
    return shell.ask_secret(
        "Retype new password:",
        [&shell, hash, first = std::move(first)](const std::string& second) -> Outcome {
          if (first != second) {
            return failed("the passwords differ; nothing was changed");
          }
          auto text = base::hash_password(first);
          if (!text) {
            return failed(text.error());
          }
          const auto outcome = shell.candidate().edit([&](tree::Editor& editor) {
            return editor.set({}, {hash.steps, {std::move(*text)}});
          });
          return outcome ? Outcome(done()) : Outcome(edit_failed(outcome.error()));
        });
  });
}

}  // namespace

Outcome set_command(Call& call) {
  if (auto reply = nothing_named(call)) {
    return std::move(*reply);
  }
  const auto walks = walk_statements(call, call.next, call.words.size());
  if (!walks) {
    return walks.error();
  }
  for (const auto& walk : *walks) {
    if (auto reply = forbidden(call, call.level / walk.steps)) {
      return std::move(*reply);
    }
  }
  if (walks->size() == 1 && !walks->front().steps.empty() &&
      !walks->front().steps.back().node->asks.empty()) {
    return ask_password(call, walks->front());
  }
  return edit(call, [&](tree::Editor& editor) -> Result<void> {
    for (const auto& walk : *walks) {
      if (auto outcome = editor.set(call.level, walk); !outcome) {
        return outcome;
      }
    }
    return {};
  });
}

Outcome delete_command(Call& call) {
  if (auto reply = forbidden(call, call.level)) {
    return std::move(*reply);
  }
  if (call.at_end()) {
    return delete_everything(call);
  }
  const auto walk = walk_path(call, call.next, call.words.size());
  if (!walk) {
    return walk.error();
  }
  if (auto reply = forbidden(call, call.level / walk->steps)) {
    return std::move(*reply);
  }
  return edit(call, [&](tree::Editor& editor) { return editor.remove(call.level, *walk); });
}

Outcome activate_command(Call& call) {
  return tag(call, &tree::Editor::set_inactive, false);
}
Outcome deactivate_command(Call& call) {
  return tag(call, &tree::Editor::set_inactive, true);
}
Outcome protect_command(Call& call) {
  return tag(call, &tree::Editor::set_protected, true);
}
Outcome unprotect_command(Call& call) {
  return tag(call, &tree::Editor::set_protected, false);
}

Outcome annotate_command(Call& call) {
  if (call.rest().size() < 2) {
    return call.shell.refuse_word(call, call.words.size(),
                                  "missing argument, expecting <statement> and \"comment\".");
  }
  const auto path = whole_path(call, call.words.size() - 1);
  if (!path) {
    return path.error();
  }
  return edit(call,
              [&](tree::Editor& editor) { return editor.annotate(*path, call.words.back().text); });
}

}  // namespace millrace::server
