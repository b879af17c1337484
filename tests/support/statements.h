// SPDX-License-Identifier: GPL-2.0-or-later
//
// Statements as values for tests: compared by what was read, not by where, and printed back.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "syntax/statement.h"
#include "syntax/writer.h"

namespace millrace::support {

inline std::vector<std::string_view> texts(const std::vector<syntax::Word>& words) {
  std::vector<std::string_view> result;
  for (const syntax::Word& word : words) {
    result.push_back(word.text);
  }
  return result;
}

inline bool same(const std::vector<syntax::Statement>& left,
                 const std::vector<syntax::Statement>& right) {
  return std::ranges::equal(
      left, right, [](const syntax::Statement& a, const syntax::Statement& b) {
        return a.tags == b.tags && texts(a.words) == texts(b.words) &&
               texts(a.values) == texts(b.values) && a.bracketed == b.bracketed &&
               a.block == b.block && a.comment == b.comment && same(a.children, b.children);
      });
}

inline void print(syntax::TextWriter& writer, const std::vector<syntax::Statement>& statements) {
  for (const syntax::Statement& statement : statements) {
    const std::vector<std::string_view> words = texts(statement.words);
    if (!statement.comment.empty()) {
      writer.comment(statement.comment);
    }
    if (statement.block) {
      writer.open(statement.tags, words);
      print(writer, statement.children);
      writer.close();
    } else if (statement.bracketed) {
      writer.list(statement.tags, words, texts(statement.values));
    } else {
      writer.leaf(statement.tags, words);
    }
  }
}

inline std::string print(const std::vector<syntax::Statement>& statements) {
  std::string text;
  syntax::TextWriter writer(text);
  print(writer, statements);
  return text;
}

}  // namespace millrace::support
