// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of schema/: reading statements of a template. Every problem is noted with its place and
// reading goes on, so that one start of the daemon reports all of them.
#pragma once

#include <compare>
#include <format>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "syntax/statement.h"

namespace millrace::schema {

// A point in a template; `file` outlives the build.
struct Place {
  std::string_view file;
  syntax::Position at;
  auto operator<=>(const Place&) const = default;

  std::string origin() const { return std::format("{}:{}", file, at.line); }
};

// In order of place, each once: a grouping is read at every use.
class Problems {
 public:
  void add(const Place& place, std::string text) { items_.emplace(place, std::move(text)); }
  void add(const Place& place, std::string_view found, std::string_view expected) {
    add(place, std::format("found {}, expected {}", found, expected));
  }
  bool empty() const { return items_.empty(); }
  // "N problems in the templates:" and a line each, FILE:LINE:COLUMN: TEXT.
  base::Error to_error() const;

 private:
  std::set<std::pair<Place, std::string>> items_;
};

// One file's statements. Each take_ function reads the arguments of `statement`, whose first word
// is a known keyword, and notes a problem and returns false when they have another shape.
class Reading {
 public:
  Reading(Problems& problems, std::string_view file) : problems_(problems), file_(file) {}

  Place place(const syntax::Statement& statement) const { return {file_, statement.at}; }
  std::string_view file() const { return file_; }
  Problems& problems() const { return problems_; }
  void problem(const syntax::Statement& statement, std::string_view found,
               std::string_view expected) const;

  bool take_nothing(const syntax::Statement& statement) const;                  // `presence;`
  bool take_flag(const syntax::Statement& statement, bool& flag) const;         // sets it
  bool take_word(const syntax::Statement& statement, std::string& word) const;  // `key name;`
  // `order [ a b ];`, or one word without brackets.
  bool take_words(const syntax::Statement& statement, std::vector<std::string>& words) const;
  // The words after the keyword as one path of schema names; `/` is the root, "".
  bool take_path(const syntax::Statement& statement, std::string& path) const;
  // A name of a node, grouping, feature …: letters, digits, `-`, `.`, `_`.
  bool take_name(const syntax::Statement& statement, std::string& name) const;

  bool no_block(const syntax::Statement& statement) const;
  bool needs_block(const syntax::Statement& statement) const;
  // For a word that none of the known ones is.
  void unknown(const syntax::Statement& statement, std::string_view known) const;

 private:
  bool has_words(const syntax::Statement& statement, std::size_t count,
                 std::string_view expected) const;

  Problems& problems_;
  std::string_view file_;
};

// "'x'", or what a statement looks like without words.
std::string in_quotes(std::string_view word);

}  // namespace millrace::schema
