// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <format>

#include "syntax/command_line.h"
#include "syntax/lexeme.h"
#include "tree/bulk_edit.h"
#include "tree/command.h"
#include "tree/edit.h"
#include "tree/load_elements.h"
#include "tree/load_patch.h"
#include "tree/load_text.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

using base::Code;

// The words of a line that has nothing but words, which is nearly every line of a large file: most
// of the time that such a file takes would go into the grammar and copies of words. False when the
// line needs the grammar.
bool split_plain(std::string_view line, std::vector<std::string_view>& words) {
  static constexpr std::string_view kStructure = "\"[]|#\\";
  words.clear();
  std::size_t start = 0;
  for (std::size_t at = 0; at <= line.size(); ++at) {
    const char c = at < line.size() ? line[at] : ' ';
    if (c != ' ') {
      if (c < 0x21 || c > 0x7e || kStructure.find(c) != std::string_view::npos) {
        return false;
      }
      continue;
    }
    if (at > start) {
      words.push_back(line.substr(start, at - start));
    }
    start = at + 1;
  }
  return true;
}

class CommandLoader {
 public:
  CommandLoader(Editor& editor, Path level) : editor_(editor), level_(std::move(level)) {}

  LoadReport run(std::string_view text) {
    for (at_.line = 1; !text.empty(); ++at_.line) {
      const std::size_t end = text.find('\n');
      line(text.substr(0, end));
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return std::move(report_);
  }

 private:
  void line(std::string_view source) {
    source_ = source;
    if (split_plain(source, words_)) {
      command([&](std::size_t word) {
        return static_cast<std::uint32_t>(words_[word].data() - source.data()) + 1;
      });
      return;
    }
    const syntax::ParsedLine parsed = syntax::parse_line(source);
    if (!parsed.errors.empty()) {
      fail(parsed.errors.front().column, "syntax error, " + parsed.errors.front().message, {});
      return;
    }
    if (!parsed.line.pipes.empty()) {
      fail(1, "syntax error, a command of configuration has no pipe", {});
      return;
    }
    words_.clear();
    std::vector<std::string> ranges;
    if (!parsed.line.words.empty() && parsed.line.words.front().text == "wildcard") {
      ranges = words_with_ranges(parsed.line.words);
      words_.assign(ranges.begin(), ranges.end());
    } else {
      for (const syntax::LineWord& word : parsed.line.words) {
        words_.push_back(word.text);
      }
    }
    command([&](std::size_t word) { return parsed.line.words[word].column; });
  }

  template <class Column>
  void command(const Column& column) {
    if (words_.empty()) {
      return;
    }
    const auto done = run_command(editor_, level_, words_, schema::Abbreviations::No);
    if (done) {
      ++report_.statements;
      return;
    }
    const base::Error& error = done.error().error;
    if (done.error().of_state) {  // a warning, as when typed
      report_.warnings.push_back(
          std::format("line {}: '{}': {}", at_.line, source_, error.message));
    } else {
      fail(column(std::min(done.error().word, words_.size() - 1)), error.message, error.hint);
    }
  }

  void fail(std::uint32_t column, std::string message, std::string hint) {
    at_.column = column;
    report_.errors.push_back(
        {at_, level_.to_string(), std::string(source_), std::move(message), std::move(hint)});
  }

  Editor& editor_;
  Path level_;
  LoadReport report_;
  syntax::Position at_;
  std::string_view source_;
  std::vector<std::string_view> words_;
};

void run_commands(Editor& editor, const Path& base,
                  const std::vector<StatementsOfElements::Command>& commands, LoadReport& report) {
  for (const auto& command : commands) {
    Path level = base;
    const std::vector<std::string_view> words(command.words.begin(), command.words.end());
    const auto done = run_command(editor, level, words, schema::Abbreviations::No);
    if (done) {
      ++report.statements;
    } else if (done.error().of_state) {
      report.warnings.push_back(
          std::format("line {}: {}", command.at.line, done.error().error.message));
    } else {
      report.errors.push_back({command.at, base.to_string(), command.words.front(),
                               done.error().error.message, done.error().error.hint});
    }
  }
}

}  // namespace

LoadForm form_of(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const std::string_view start = first == std::string_view::npos ? text : text.substr(first);
  const bool is_xml = start.starts_with("<?xml") || start.starts_with("<configuration") ||
                      start.starts_with("<rpc");
  return is_xml ? LoadForm::Xml : start.starts_with('{') ? LoadForm::Json : LoadForm::Text;
}

namespace {

LoadReport loaded(Editor& editor, const Path& base, std::string text, LoadAction action,
                  LoadForm form) {
  if (action == LoadAction::Set) {
    return CommandLoader(editor, base).run(text);
  }
  if (action == LoadAction::Patch) {
    return load_patch(editor, base, text);
  }
  LoadReport report;
  const ConfigTree before = editor.tree();
  StatementsOfElements read;
  if (form == LoadForm::Text) {
    read.document = syntax::parse_statements(std::move(text));
  } else {
    read = statements_of(std::move(text), form, base.schema(before.schema()));
  }
  const bool from_nothing = action == LoadAction::Override || action == LoadAction::Update;
  if (!from_nothing && edit::guarded(before.root(), base.steps)) {
    report.warnings.push_back(std::format("'{}': statement is protected", base.to_string()));
    return report;
  }
  run_commands(editor, base, read.before, report);
  // Attributes of JSON and XML are never statements by mistake, so they count in a merge too.
  const bool tagged =
      action == LoadAction::Replace || (action == LoadAction::Merge && form != LoadForm::Text);
  ConfigTree tree = from_nothing && base.empty() ? ConfigTree(before.schema()) : editor.tree();
  TextLoader loader(read.document, tagged, report);
  tree = edit::changed(std::move(tree), base.steps, [&](Node& node) {
    if (from_nothing) {
      edit::clear(node, edit::Keep::Nothing);
    }
    loader.run(node, base);
  });
  if (from_nothing && report.statements == 0) {
    // Whoever typed nonsense, or nothing, did not mean to throw everything away.
    if (report.errors.empty()) {
      report.warnings.emplace_back("the input has no statements; the candidate stays as it is");
    }
    editor.reset(before);
    return report;
  }
  editor.reset(ConfigTree(tree.schema(), edit::shared(before.root_ptr(), tree.root_ptr())));
  run_commands(editor, base, read.after, report);
  std::ranges::stable_sort(report.errors, {}, &LoadError::at);
  return report;
}

}  // namespace

// What a report quotes comes from a file of somebody else and goes to a terminal.
LoadReport load(Editor& editor, const Path& base, std::string text, LoadAction action,
                LoadForm form) {
  constexpr std::size_t kMostQuoted = 1000;
  LoadReport report = loaded(editor, base, std::move(text), action, form);
  for (LoadError& error : report.errors) {
    for (std::string* part : {&error.level, &error.statement, &error.message, &error.hint}) {
      *part = syntax::printable(*part, kMostQuoted);
    }
  }
  for (std::string& warning : report.warnings) {
    warning = syntax::printable(warning, kMostQuoted);
  }
  return report;
}

}  // namespace millrace::tree
