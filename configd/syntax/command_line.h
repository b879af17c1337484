// SPDX-License-Identifier: GPL-2.0-or-later
//
// One line of the CLI or of a set-form file: words, then pipes. The daemon parses every line; the
// CLI only renders. `[ a b ]` yields the words with `bracket` > 0, numbered by group.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace millrace::syntax {

struct LineWord {
  std::string text;
  bool quoted = false;
  unsigned column = 1;   // from 1, in bytes
  unsigned bracket = 0;  // 0: outside brackets; n: inside the nth `[ … ]`
};

struct CommandLine {
  std::vector<LineWord> words;               // empty for a blank or comment line
  std::vector<std::vector<LineWord>> pipes;  // "| match x | count" → {{match,x},{count}}
};

struct LineError {
  unsigned column = 1;
  std::string message;  // "missing closing quote", "empty pipe"
};

struct ParsedLine {
  CommandLine line;
  std::vector<LineError> errors;  // empty when the line is good
};

// A line that starts with `#` is a comment and yields no words. Errors are never lost: a line with
// errors must not be run.
ParsedLine parse_line(std::string_view line);

}  // namespace millrace::syntax
