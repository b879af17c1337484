// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/keep_unknown.h"

#include <algorithm>
#include <array>
#include <expected>
#include <ranges>
#include <span>
#include <utility>

#include "syntax/command_line.h"
#include "syntax/writer.h"
#include "tree/command.h"
#include "tree/text.h"
#include "tree/view.h"

namespace millrace::tree {
namespace {

using base::Code;
using Words = std::vector<std::string_view>;

// What may be kept: the commands that make something. `delete` has nothing to be kept for.
constexpr std::array<std::string_view, 5> kMaking = {"set", "deactivate", "protect", "annotate",
                                                     "insert"};

// The words live in the line.
Words words_of(const syntax::ParsedLine& line) {
  Words words;
  for (const syntax::LineWord& word : line.line.words) {
    words.emplace_back(word.text);
  }
  return words;
}

std::vector<std::string> kept_in(const ConfigTree& tree) {
  std::vector<std::string> kept;
  if (tree.schema().root().child(kUnknownStatement) != nullptr) {
    for (const auto& [line, value] : View(tree)[kUnknownStatement].entries()) {
      kept.emplace_back(line);
    }
  }
  return kept;
}

std::expected<void, CommandError> run(Editor& editor, const Words& words) {
  Path level;
  return run_command(editor, level, words, schema::Abbreviations::No);
}

bool keep(Editor& editor, std::string_view line) {
  return run(editor, {"set", kUnknownStatement, line}).has_value();
}

void forget(Editor& editor, std::string_view line) {
  // It is there: whoever calls has just read it.
  static_cast<void>(run(editor, {"delete", kUnknownStatement, line}));
}

std::expected<void, CommandError> run_line(Editor& editor, const std::string& line) {
  const syntax::ParsedLine parsed = syntax::parse_line(line);
  const Words words = words_of(parsed);
  if (!parsed.errors.empty() || words.empty() || !std::ranges::contains(kMaking, words.front())) {
    return std::unexpected(CommandError{0, {.code = Code::Syntax, .message = "no command"}});
  }
  return run(editor, words);
}

UnknownStatement unknown(std::string_view line, const CommandError& error) {
  const syntax::ParsedLine parsed = syntax::parse_line(line);
  const Words words = words_of(parsed);
  // A bad value may be a secret, and the message of one quotes it.
  const bool is_value = error.error.code == Code::BadValue;
  const std::size_t end = std::min(words.size(), error.word + (is_value ? 0 : 1));
  std::string statement;
  for (std::size_t i = 1; i < end; ++i) {
    statement += statement.empty() ? "" : " ";
    syntax::append_quoted(statement, words[i]);
  }
  return {std::move(statement), is_value ? "its value is not possible" : error.error.message};
}

// What is kept of the object at `path`, all of which goes.
void forget_below(Editor& editor, std::span<const std::string_view> path) {
  for (const std::string& line : kept_in(editor.tree())) {
    const syntax::ParsedLine parsed = syntax::parse_line(line);
    const Words words = words_of(parsed);
    if (!words.empty() && words.size() > path.size() &&
        std::ranges::equal(path, words | std::views::drop(1) | std::views::take(path.size()))) {
      forget(editor, line);
    }
  }
}

// Statements as `set` lines and the marks on them, with the words of the blocks around them.
class NestedText {
 public:
  NestedText(Editor& editor, std::vector<UnknownStatement>& lost) : editor_(editor), lost_(lost) {}

  void run(const std::vector<syntax::Statement>& statements) {
    for (const syntax::Statement& each : statements) {
      statement(each, false);
    }
  }

 private:
  // Requires: all statements that are known are in the tree, so that setting them again changes
  // nothing.
  void statement(const syntax::Statement& statement, bool in_unknown) {
    const std::size_t size = path_.size();
    for (const syntax::Word& word : statement.words) {
      path_ += ' ';
      syntax::append_quoted(path_, word.text);
    }
    bool is_unknown = in_unknown || (statement.block && !is_known());
    if (statement.block && statement.children.empty()) {
      is_unknown = line("set", {}, is_unknown) || is_unknown;
    }
    for (const syntax::Statement& child : statement.children) {
      this->statement(child, is_unknown);
    }
    if (!statement.block && !statement.bracketed) {
      is_unknown = line("set", {}, is_unknown) || is_unknown;
    }
    for (const syntax::Word& value : statement.values) {
      is_unknown = line("set", value.text, is_unknown) || is_unknown;
    }
    if (is_unknown) {
      marks(statement);
    }
    path_.resize(size);
  }

  void marks(const syntax::Statement& statement) {
    if (!statement.comment.empty()) {
      line("annotate", statement.comment, true);
    }
    if (statement.tags.inactive) {
      line("deactivate", {}, true);
    }
    if (statement.tags.protect) {
      line("protect", {}, true);
    }
  }

  // Whether the words so far lead somewhere.
  bool is_known() const {
    const syntax::ParsedLine parsed = syntax::parse_line(path_);
    const Words words = words_of(parsed);
    const auto keys = words.front() == "groups" ? schema::Keys::Patterns : schema::Keys::Names;
    return schema::walk(editor_.tree().schema().root(), words, schema::Abbreviations::No, keys)
        .has_value();
  }

  // Whether it had to be kept.
  bool line(std::string_view verb, std::string_view last, bool is_unknown) {
    std::string text = std::string(verb) + path_;
    if (!last.empty()) {
      text += ' ';
      syntax::append_quoted(text, last);
    }
    const auto done = is_unknown ? std::unexpected(CommandError{}) : run_line(editor_, text);
    if (!done && !keep(editor_, text)) {
      lost_.push_back(unknown(text, done.error()));
    }
    return !done.has_value();
  }

  Editor& editor_;
  std::vector<UnknownStatement>& lost_;
  std::string path_;  // a blank before each word
};

}  // namespace

std::vector<UnknownStatement> apply_keeping(Editor& editor, std::string_view encoded) {
  editor.trust();
  std::vector<UnknownStatement> lost;
  while (!encoded.empty()) {
    const std::size_t end = encoded.find('\n');
    const std::string line(encoded.substr(0, end));
    encoded.remove_prefix(end == std::string_view::npos ? encoded.size() : end + 1);
    const syntax::ParsedLine parsed = syntax::parse_line(line);
    const Words words = words_of(parsed);
    if (words.empty()) {
      continue;
    }
    const auto done = run(editor, words);
    if (words.front() == "delete") {
      forget_below(editor, std::span(words).subspan(1));
      if (!done && words.size() == 3 && words[1] == kUnknownStatement) {
        // Somebody threw away what the version before us kept and we know.
        const syntax::ParsedLine thrown = syntax::parse_line(words[2]);
        Words making = words_of(thrown);
        if (!making.empty() && making.front() == "set") {
          making.front() = "delete";
          static_cast<void>(run(editor, making));
        }
      }
    } else if (!done && !(std::ranges::contains(kMaking, words.front()) && keep(editor, line))) {
      lost.push_back(unknown(line, done.error()));
    }
  }
  return lost;
}

std::vector<UnknownStatement> load_keeping(Editor& editor, std::string text) {
  const LoadReport report = load(editor, {}, text, LoadAction::Override);
  std::vector<UnknownStatement> lost;
  if (!report.errors.empty()) {
    editor.trust();
    const syntax::Document document = syntax::parse_statements(std::move(text));
    NestedText(editor, lost).run(document.statements);
    for (const syntax::SyntaxError& error : document.errors) {
      lost.push_back({error.context, error.to_string()});
    }
  }
  return lost;
}

void restore_known(Editor& editor) {
  for (const std::string& line : kept_in(editor.tree())) {
    if (run_line(editor, line)) {
      forget(editor, line);
    }
  }
}

std::vector<UnknownStatement> unknown_statements(const ConfigTree& tree) {
  std::vector<UnknownStatement> found;
  Editor editor(tree);
  for (const std::string& line : kept_in(tree)) {
    const auto done = run_line(editor, line);
    found.push_back(done ? UnknownStatement{line, "it is known"} : unknown(line, done.error()));
  }
  return found;
}

}  // namespace millrace::tree
