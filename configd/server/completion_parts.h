// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of completion*.cpp: one question on its way through modes and commands.
#pragma once

#include <span>

#include "server/completion.h"
#include "server/shell.h"

namespace millrace::server {

struct Asking {
  Shell& shell;
  std::span<const syntax::LineWord> words;  // before the cursor's word, of the command or the pipe
  std::size_t next = 0;                     // the first word that is not understood yet
  std::string_view prefix;                  // the part of a word at the cursor
  tree::Path level;                         // where paths start
  Completion out = {};

  std::vector<std::string_view> rest() const { return texts(words.subspan(next)); }
  bool at_end() const { return next >= words.size(); }
  std::string_view word() const { return at_end() ? std::string_view() : words[next].text; }

  // Adds a word of the language if the prefix fits it.
  void keyword(std::string_view text, std::string_view help, char marker = ' ');
  void name(std::string text, std::string_view help, char marker = ' ');
  void placeholder(std::string text, std::string_view help, char marker = ' ');
  // The name of a file, which only the client can list.
  void file(std::string_view help);
  // The line could run here: Enter, and the pipe.
  void complete(bool pipes = true);
  // Complains about word number `word`; the one at the cursor when it is words.size().
  void wrong(std::size_t word, std::string message, bool past_word = false);
  // Whether a word was offered that the prefix could become.
  bool has_words() const;
};

// What a path below `asking.level` may go on with. Commands differ in what they take: `set` values,
// `delete` what exists in `tree`, `show` that and keys that are patterns, `edit` levels.
enum class PathUse : std::uint8_t { Set, Existing, Shown, Level };
void complete_path(Asking& asking, const tree::ConfigTree& tree, PathUse use);

void complete_operational(Asking& asking);
void complete_configuration(Asking& asking);

// `command` is what the pipe stands behind.
enum class Piped : std::uint8_t { Text, Candidate, Running };
void complete_pipe(Asking& asking, Piped command);

// completion_words.cpp: "0  2026-11-30 14:01:02 UTC by alice via cli".
void offer_revisions(Asking& asking);
void offer_checkpoints(Asking& asking);
// completion_session.cpp: words behind `set cli` and `help`.
void complete_set_cli(Asking& asking);
void complete_help(Asking& asking);
// The words behind `rollback`, one of which the cursor may be in: false then.
bool complete_revision(Asking& asking);
void offer_type(Asking& asking, const schema::Type& type, std::string_view name,
                std::string_view help);

}  // namespace millrace::server
