// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/reading.h"

#include <algorithm>

namespace millrace::schema {

namespace {

bool is_name(std::string_view text) {
  const auto is_inner = [](char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '-' || byte == '.' || byte == '_';
  };
  return !text.empty() && text.front() != '-' && text.front() != '.' &&
         std::ranges::all_of(text, is_inner);
}

}  // namespace

std::string in_quotes(std::string_view word) {
  return std::format("'{}'", word);
}

base::Error Problems::to_error() const {
  std::string message =
      std::format("{} problem{} in the templates:", items_.size(), items_.size() == 1 ? "" : "s");
  for (const auto& [place, text] : items_) {
    message += std::format("\n  {}:{}:{}: {}", place.file, place.at.line, place.at.column, text);
  }
  return {.code = base::Code::Syntax, .message = std::move(message)};
}

void Reading::problem(const syntax::Statement& statement, std::string_view found,
                      std::string_view expected) const {
  problems_.add(place(statement), found, expected);
}

bool Reading::has_words(const syntax::Statement& statement, std::size_t count,
                        std::string_view expected) const {
  const std::string_view keyword = statement.words[0].text;
  if (statement.tags != syntax::Tags{}) {
    problem(statement, "a tag", "a statement without tags");
    return false;
  }
  if (statement.words.size() != count || statement.bracketed) {
    problem(statement,
            std::format("{} word{} after '{}'{}", statement.words.size() - 1,
                        statement.words.size() == 2 ? "" : "s", keyword,
                        statement.bracketed ? " and brackets" : ""),
            expected);
    return false;
  }
  return true;
}

bool Reading::take_nothing(const syntax::Statement& statement) const {
  return has_words(statement, 1, "nothing") && no_block(statement);
}

bool Reading::take_flag(const syntax::Statement& statement, bool& flag) const {
  if (!take_nothing(statement)) {
    return false;
  }
  flag = true;
  return true;
}

bool Reading::take_word(const syntax::Statement& statement, std::string& word) const {
  if (!has_words(statement, 2, "one word")) {
    return false;
  }
  word = statement.words[1].text;
  return true;
}

bool Reading::take_words(const syntax::Statement& statement,
                         std::vector<std::string>& words) const {
  if (!statement.bracketed) {
    std::string word;
    if (!take_word(statement, word)) {
      return false;
    }
    words = {word};
    return true;
  }
  if (statement.words.size() != 1 || statement.values.empty()) {
    problem(statement, std::format("{} words before the brackets", statement.words.size() - 1),
            "words in brackets");
    return false;
  }
  words.clear();
  for (const syntax::Word& value : statement.values) {
    words.emplace_back(value.text);
  }
  return true;
}

bool Reading::take_path(const syntax::Statement& statement, std::string& path) const {
  path.clear();
  for (std::size_t i = 1; i < statement.words.size(); ++i) {
    path += (path.empty() ? "" : " ") + std::string(statement.words[i].text);
  }
  if (path.empty() || statement.bracketed || statement.tags != syntax::Tags{}) {
    problem(statement, in_quotes(statement.words[0].text), "a path of statement names, or /");
    return false;
  }
  if (path == "/") {
    path.clear();
  }
  return true;
}

bool Reading::take_name(const syntax::Statement& statement, std::string& name) const {
  if (!has_words(statement, 2, "one name")) {
    return false;
  }
  if (!is_name(statement.words[1].text)) {
    problem(statement, in_quotes(statement.words[1].text),
            "a name of letters, digits, '-', '.' and '_'");
    return false;
  }
  name = statement.words[1].text;
  return true;
}

bool Reading::no_block(const syntax::Statement& statement) const {
  if (statement.block) {
    problem(statement, std::format("a block after '{}'", statement.words[0].text), "';'");
    return false;
  }
  return true;
}

bool Reading::needs_block(const syntax::Statement& statement) const {
  if (!statement.block) {
    problem(statement, std::format("no block after '{}'", statement.words[0].text), "'{'");
    return false;
  }
  return true;
}

void Reading::unknown(const syntax::Statement& statement, std::string_view known) const {
  problem(statement, in_quotes(statement.words[0].text), std::format("one of {}", known));
}

}  // namespace millrace::schema
