// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/bulk_commands.h"

#include <charconv>

#include "tree/bulk_edit.h"

namespace millrace::tree {
namespace {

using base::Code;
using Words = std::span<const std::string_view>;

std::unexpected<CommandError> fail(std::size_t word, Code code, std::string message) {
  return std::unexpected(CommandError{word, {code, std::move(message), {}, {}, nullptr}});
}

// The command is right, and there is nothing to do it to, or something protected.
std::unexpected<CommandError> of_state(std::size_t word, base::Error error) {
  const bool is_so = error.code == Code::UnknownPath || error.code == Code::Denied;
  return std::unexpected(CommandError{word, std::move(error), is_so});
}
std::unexpected<CommandError> not_found(std::size_t word) {
  return of_state(word, {.code = Code::UnknownPath, .message = "statement not found"});
}

std::unexpected<CommandError> expecting(std::size_t word, std::string_view what) {
  return fail(word, Code::Syntax, "syntax error, expecting " + std::string(what));
}

CommandDone each_line(Editor& editor, const Path& level, Words words,
                      schema::Abbreviations abbreviations) {
  const auto lines = expand_ranges(words.subspan(3));
  if (!lines) {
    return std::unexpected(CommandError{3, lines.error()});
  }
  const bool deletes = words[2] == "delete";
  const ConfigTree before = editor.tree();
  std::size_t absent = 0;
  for (const auto& line : *lines) {
    std::vector<std::string_view> command = {words[2]};
    command.insert(command.end(), line.begin(), line.end());
    Path here = level;
    auto done = run_command(editor, here, command, abbreviations);
    const bool is_absent =
        !done && done.error().of_state && done.error().error.code == Code::UnknownPath;
    if (deletes && is_absent && ++absent < lines->size()) {
      continue;
    }
    if (!done) {
      editor.reset(before);
      done.error().word = std::min(done.error().word + 2, words.size());
      return done;
    }
  }
  return {};
}

}  // namespace

CommandDone replace_words(Editor& editor, const Path& level, Words words) {
  if (words.size() < 2 || words[1] != "pattern") {
    return expecting(1, "'pattern'");
  }
  if (words.size() < 3) {
    return expecting(2, "<pattern>");
  }
  if (words.size() < 4 || words[3] != "with") {
    return expecting(3, "'with'");
  }
  if (words.size() < 5) {
    return expecting(4, "<text>");
  }
  std::optional<std::size_t> upto;
  if (words.size() > 5) {
    if (words[5] != "upto") {
      return expecting(5, "'upto'");
    }
    std::size_t most = 0;
    const std::string_view text = words.size() > 6 ? words[6] : std::string_view();
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), most);
    if (code != std::errc() || end != text.data() + text.size() || most == 0 || words.size() > 7) {
      return expecting(std::min<std::size_t>(words.size() - 1, 6), "<number>");
    }
    upto = most;
  }
  const auto pattern = base::Pattern::compile(std::string(words[2]));
  if (!pattern) {
    return fail(2, Code::Syntax, pattern.error());
  }
  const auto changed = replace_pattern(editor, level, *pattern, words[4], upto);
  if (!changed) {
    return of_state(2, changed.error());
  }
  return *changed > 0 ? CommandDone() : not_found(2);
}

std::expected<std::vector<Path>, CommandError> wildcard_matches(
    const ConfigTree& tree, const Path& level, Words words, schema::Abbreviations abbreviations) {
  if (words.size() < 3) {
    return expecting(words.size(), "<pattern>");
  }
  const auto walks = schema::walk(level.schema(tree.schema()), words.subspan(2, words.size() - 3),
                                  abbreviations, level.keys());
  if (!walks) {
    return std::unexpected(
        CommandError{walks.error().word + 2,
                     {walks.error().code, walks.error().message, {}, walks.error().hint, nullptr}});
  }
  if (walks->size() != 1 || !walks->front().values.empty()) {
    return expecting(words.size() - 1, "<pattern>");
  }
  const auto pattern = base::Pattern::compile(std::string(words.back()));
  if (!pattern) {
    return fail(words.size() - 1, Code::Syntax, pattern.error());
  }
  return matching(tree, level / std::span(walks->front().steps), *pattern);
}

base::Result<void> remove_all(Editor& editor, std::span<const Path> paths) {
  const ConfigTree before = editor.tree();
  for (const Path& path : paths) {
    if (!editor.tree().find(path)) {
      continue;
    }
    if (auto removed = editor.remove({}, {path.steps, {}}); !removed) {
      editor.reset(before);
      return removed;
    }
  }
  return {};
}

CommandDone wildcard_words(Editor& editor, const Path& level, Words words,
                           schema::Abbreviations abbreviations) {
  if (words.size() > 1 && words[1] == "delete") {
    const auto paths = wildcard_matches(editor.tree(), level, words, abbreviations);
    if (!paths) {
      return std::unexpected(paths.error());
    }
    if (paths->empty()) {
      return not_found(words.size() - 1);
    }
    auto removed = remove_all(editor, *paths);
    return removed ? CommandDone() : of_state(words.size() - 1, removed.error());
  }
  if (words.size() < 2 || words[1] != "range") {
    return expecting(1, "'delete' or 'range'");
  }
  if (words.size() < 3 || (words[2] != "set" && words[2] != "delete")) {
    return expecting(2, "'set' or 'delete'");
  }
  if (words.size() < 4) {
    return expecting(3, "<statement>");
  }
  return each_line(editor, level, words, abbreviations);
}

}  // namespace millrace::tree
