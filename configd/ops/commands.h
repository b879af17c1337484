// SPDX-License-Identifier: GPL-2.0-or-later
//
// From typed words to an operational command. Commands come from the templates and, for what only a
// session can do (`configure`, `show configuration`), from the server. Any unambiguous prefix
// stands for a word. Keywords win over positional arguments, so an interface cannot be called
// `terse`.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"
#include "schema/walk.h"

namespace millrace::ops {

// Runner of what is no command but the first words of some.
inline constexpr std::string_view kGroupRunner = "group";
// Runner of commands that the server itself carries out; their remaining words are theirs to parse.
inline constexpr std::string_view kSessionRunner = "session";

struct Match {
  const schema::Command* command = nullptr;
  std::map<std::string, std::string, std::less<>> arguments;  // canonical; keywords alone: empty
  std::size_t used = 0;  // words consumed; fewer than given only for session commands

  const std::string* argument(std::string_view name) const;  // null when it was not given
  bool has(std::string_view name) const { return argument(name) != nullptr; }
};

// What a command may still be given.
struct Open {
  const schema::Command::Argument* value = nullptr;  // the value of a keyword comes next
  const schema::Command::Argument* positional = nullptr;
};

struct MatchError {
  std::size_t word = 0;  // index of the offending word; words.size(): more is expected
  std::string message;   // "unknown command.", "'x' is ambiguous.", …
  std::vector<schema::Choice> choices = {};  // of an ambiguous word
  bool past_word = false;                    // the caret belongs one column past the word
  const schema::Command::Argument* value_of = nullptr;  // the keyword whose value is missing
};

class Commands {
 public:
  // Copies the commands; of two with the same words the later one counts.
  explicit Commands(std::vector<schema::Command> commands);

  std::expected<Match, MatchError> match(std::span<const std::string_view> words) const;
  // What may stand after `words` and starts with `prefix`, by name; empty when `words` match
  // nothing.
  std::vector<schema::Choice> choices(std::span<const std::string_view> words,
                                      std::string_view prefix) const;
  // The arguments that may follow `words`; empty where no command with arguments is reached.
  Open open(std::span<const std::string_view> words) const;
  const std::vector<schema::Command>& all() const { return commands_; }

 private:
  struct Branch {
    std::map<std::string, std::size_t, std::less<>> next;  // word → index into branches_
    std::optional<std::size_t> command;                    // index into commands_
    std::string help = {};                                 // of a group
  };
  struct Place {
    std::size_t branch = 0;
    std::size_t used = 0;
  };
  void describe(const schema::Command& group);
  // Of the command there, or of the first one below: a word without a group has a help, too.
  std::string first_help(std::size_t branch) const;
  std::expected<Place, MatchError> descend(std::span<const std::string_view> words) const;

  std::vector<schema::Command> commands_;
  std::vector<Branch> branches_;  // [0] is the root
};

// The program to run: braces filled in from the arguments, words without their argument dropped.
std::vector<std::string> program(const Match& match);

}  // namespace millrace::ops
