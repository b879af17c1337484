// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/canonical.h"

#include <algorithm>
#include <array>

#include "syntax/writer.h"

namespace millrace::server {
namespace {

// Their words are names, numbers, files and notes.
constexpr std::array<std::string_view, 14> kPlain = {
    "annotate", "commit", "configure", "copy", "exit",    "insert", "load",
    "quit",     "rename", "rollback",  "save", "set cli", "top",    "up"};

std::string typed(std::span<const syntax::LineWord> words) {
  std::string text;
  for (const auto& word : words) {
    text += ' ';
    syntax::append_quoted(text, word.text);
  }
  return text;
}

}  // namespace

std::string canonical(const ops::Match& match) {
  std::string text = match.command->words;
  for (const bool positional : {true, false}) {
    for (const auto& argument : match.command->arguments) {
      const std::string* value = match.argument(argument.name);
      if (!value || argument.positional != positional) {
        continue;
      }
      text += positional ? "" : " " + argument.name;
      text += value->empty() ? "" : " " + *value;
    }
  }
  return text;
}

std::string canonical(const tree::Path& level, std::span<const schema::Walk> walks) {
  std::string text;
  tree::Path around;  // statements that share a line share the path to it
  for (const auto& walk : walks) {
    const tree::Path path = level / walk.steps;
    const std::string words = path.to_string();
    const std::string common = around.to_string() + " ";
    text += text.empty() ? "" : " ";
    text += !around.empty() && words.starts_with(common) ? words.substr(common.size()) : words;
    for (const auto& value : walk.values) {
      const bool secret = !path.empty() && path.steps.back().node->secret;
      text += ' ';
      syntax::append_quoted(text, secret ? tree::kHiddenSecret : std::string_view(value));
    }
    around = path.empty() ? path : path.parent();
  }
  return text;
}

std::string canonical(const Call& call, const NamedHandler& row) {
  std::string text(row.name);
  if (call.at_end()) {
    return text;
  }
  if (row.path) {
    const auto walks =
        schema::walk(call.level.schema(call.shell.services().schema), texts(call.rest()),
                     schema::Abbreviations::Yes, call.level.keys());
    if (walks) {
      return text + " " + canonical(call.level, *walks);
    }
  }
  return text + (std::ranges::contains(kPlain, row.name) ? typed(call.rest()) : " …");
}

}  // namespace millrace::server
