// SPDX-License-Identifier: GPL-2.0-or-later
//
// One editing command as words: what the revision log and `load set` are made of, and what a person
// types at `[edit]`.
//
//   set PATH [VALUE…]          deactivate|activate PATH      rename|copy PATH K1 to [NAME] K2
//   delete [PATH [VALUE…]]     protect|unprotect PATH        insert PATH K1 before|after [NAME] K2
//   annotate PATH TEXT         edit PATH   up [N]   top   exit
//   replace pattern RE with TEXT [upto N]
//   wildcard delete PATH RE    wildcard range set|delete PATH[0-5]…
#pragma once

#include <expected>
#include <span>
#include <string_view>

#include "schema/walk.h"
#include "tree/editor.h"

namespace millrace::tree {

struct CommandError {
  std::size_t word = 0;  // index of the offending word; words.size() when more is expected
  base::Error error;
  // The command itself is right, and what it is about is not there or protected.
  bool of_state = false;
};

// Whether run_command knows the verb.
bool is_command(std::string_view verb);

// Runs `words` at `level`, which edit, up, top and exit change. All or nothing. Errors: as the walk
// and the Editor say; Syntax for an unknown command. Requires: `words` is not empty.
std::expected<void, CommandError> run_command(Editor& editor, Path& level,
                                              std::span<const std::string_view> words,
                                              schema::Abbreviations abbreviations);

}  // namespace millrace::tree
