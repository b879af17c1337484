// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writer of the text form. It knows layout and quoting and nothing of schema: the tree calls it in
// order. What it writes, parse_statements reads back to the same words; a quoted word reads back
// the same in parse_line too.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "syntax/statement.h"

namespace millrace::syntax {

// The word as it must stand in either form: itself, or in double quotes with `"`, `\` and newline
// escaped when it is empty or holds a blank or one of ; { } [ ] " # | or would start a comment.
std::string quote(std::string_view word);
void append_quoted(std::string& out, std::string_view word);

class TextWriter {
 public:
  // Starts at `depth` levels of four blanks.
  explicit TextWriter(std::string& out, unsigned depth = 0) : out_(out), depth_(depth) {}

  void comment(std::string_view text);  // `/* text */` on its own line(s)
  void remark(std::string_view text);   // `## text` or `##`: generated, dropped when read
  void open(Tags tags, std::span<const std::string_view> words);       // `words {`
  void collapsed(Tags tags, std::span<const std::string_view> words);  // `words { ... }`
  void close();                                                        // `}`
  void leaf(Tags tags, std::span<const std::string_view> words,
            std::string_view remark = {});  // `words;` or `words; ## remark`
  void list(Tags tags, std::span<const std::string_view> words,
            std::span<const std::string_view> values,
            std::string_view remark = {});  // `words [ a b ];`

 private:
  void end_line(std::string_view remark);

  std::string& out_;
  unsigned depth_;
};

}  // namespace millrace::syntax
