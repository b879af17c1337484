// SPDX-License-Identifier: GPL-2.0-or-later
//
// Edits of many objects by one command: all of them happen, or none and the error says why.
// Protected parts are left alone.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern.h"
#include "syntax/command_line.h"
#include "tree/editor.h"

namespace millrace::tree {

// Rewrites keys and values below `level` (whose own key stays) that the pattern matches, at most
// `upto` of them, siblings before what is in them. Returns how many changed. Errors: BadValue when
// a result is no value of its type; Conflict when two entries would get one name.
base::Result<std::size_t> replace_pattern(Editor& editor, const Path& level,
                                          const base::Pattern& pattern,
                                          std::string_view replacement,
                                          std::optional<std::size_t> upto = {});

// The objects just below `path` whose names match: entries of a list, values of a leaf-list,
// statements of a container (for a list that is itself the level, its entries).
std::vector<Path> matching(const ConfigTree& tree, const Path& path, const base::Pattern& pattern);

// `eth[0-2].[1,5]` as eth0.1, eth0.5, eth1.1 …: every word that the ranges of `word` stand for. In
// brackets: numbers and ranges of them with commas between; `!N` and `!N-M` leave out. A word
// without such brackets stands for itself. Errors: Syntax.
base::Result<std::vector<std::string>> expand_ranges(std::string_view word);

// The words of a line on which `[0-5]` may also stand alone: the command line takes that for a list
// of one word, and here it gets its brackets back.
std::vector<std::string> words_with_ranges(std::span<const syntax::LineWord> words);

// The same for lines of words. Errors: as above; Syntax when they are more than can be meant.
base::Result<std::vector<std::vector<std::string>>> expand_ranges(
    std::span<const std::string_view> words);

}  // namespace millrace::tree
