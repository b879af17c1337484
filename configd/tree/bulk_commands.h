// SPDX-License-Identifier: GPL-2.0-or-later
//
// `replace` and `wildcard` as words; what run_command does with them.
#pragma once

#include "tree/command.h"

namespace millrace::tree {

using CommandDone = std::expected<void, CommandError>;

// replace pattern RE with TEXT [upto N]. Nothing that matches is UnknownPath.
CommandDone replace_words(Editor& editor, const Path& level,
                          std::span<const std::string_view> words);

// wildcard delete PATH RE, wildcard range set|delete PATH[0-5]…. Only PATH may be abbreviated.
CommandDone wildcard_words(Editor& editor, const Path& level,
                           std::span<const std::string_view> words,
                           schema::Abbreviations abbreviations);

// What `wildcard delete` would delete.
std::expected<std::vector<Path>, CommandError> wildcard_matches(
    const ConfigTree& tree, const Path& level, std::span<const std::string_view> words,
    schema::Abbreviations abbreviations);
// Deletes those of `paths` that are there, all or none. Errors: as Editor::remove.
base::Result<void> remove_all(Editor& editor, std::span<const Path> paths);

}  // namespace millrace::tree
