// SPDX-License-Identifier: GPL-2.0-or-later
//
// A line without errors, written again from its words with quote(), reads back the same.
#include <algorithm>
#include <cstdint>

#include "base/check.h"
#include "syntax/command_line.h"
#include "syntax/writer.h"

using namespace millrace;

namespace {

std::string write(const std::vector<syntax::LineWord>& words) {
  std::string text;
  unsigned bracket = 0;
  for (const syntax::LineWord& word : words) {
    if (word.bracket != bracket) {
      text += bracket > 0 ? "] " : "";
      text += word.bracket > 0 ? "[ " : "";
      bracket = word.bracket;
    }
    text += syntax::quote(word.text) + " ";
  }
  return text + (bracket > 0 ? "] " : "");
}

bool same(const std::vector<syntax::LineWord>& left, const std::vector<syntax::LineWord>& right) {
  return std::ranges::equal(left, right, [](const auto& a, const auto& b) {
    return a.text == b.text && a.bracket == b.bracket;
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const syntax::ParsedLine parsed =
      syntax::parse_line({reinterpret_cast<const char*>(bytes), size});
  for (const syntax::LineError& error : parsed.errors) {
    base::check(error.column >= 1 && error.column <= size + 1, "an error is within the line");
  }
  if (!parsed.errors.empty()) {
    return 0;
  }
  std::string line = write(parsed.line.words);
  for (const auto& pipe : parsed.line.pipes) {
    line += "| " + write(pipe);
  }
  const syntax::ParsedLine again = syntax::parse_line(line);
  base::check(again.errors.empty(), "a written line has no errors");
  base::check(same(parsed.line.words, again.line.words), "a written line has the same words");
  base::check(std::ranges::equal(parsed.line.pipes, again.line.pipes, same),
              "a written line has the same pipes");
  return 0;
}
