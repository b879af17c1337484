// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/command_line.h"
#include "tree/command.h"
#include "tree/delta.h"

namespace millrace::tree {

base::Result<ConfigTree> apply(std::string_view encoded, const ConfigTree& tree) {
  Editor editor(tree);
  editor.trust();
  std::size_t number = 0;
  while (!encoded.empty()) {
    const std::size_t end = encoded.find('\n');
    const syntax::ParsedLine parsed = syntax::parse_line(encoded.substr(0, end));
    encoded.remove_prefix(end == std::string_view::npos ? encoded.size() : end + 1);
    ++number;
    const std::string line = "line " + std::to_string(number);
    if (!parsed.errors.empty()) {
      return base::fail(base::Code::Syntax, parsed.errors.front().message, line);
    }
    if (!parsed.line.pipes.empty()) {
      return base::fail(base::Code::Syntax, "found '|' in a recorded command", line);
    }
    std::vector<std::string_view> words;
    for (const syntax::LineWord& word : parsed.line.words) {
      words.push_back(word.text);
    }
    if (words.empty()) {
      continue;
    }
    Path level;
    if (auto done = run_command(editor, level, words, schema::Abbreviations::No); !done) {
      return base::fail_because(std::move(done.error().error), "the change does not apply", line);
    }
  }
  return editor.tree();
}

}  // namespace millrace::tree
