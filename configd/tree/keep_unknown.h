// SPDX-License-Identifier: GPL-2.0-or-later
//
// Configuration that another version of the software wrote. What this version does not know, or
// takes no longer as a value, must neither keep the router from coming up nor get lost: it is kept
// as the command that would make it, a value of the leaf-list `unknown-statement` of the root:
//
//   unknown-statement "set interfaces eth0 fancy-option 3";
//
// There it is an ordinary value: it is shown, saved, compared and deleted like any other, and has
// no effect. The version that knows the statement again puts it back in its place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tree/editor.h"

namespace millrace::tree {

inline constexpr std::string_view kUnknownStatement = "unknown-statement";

struct UnknownStatement {
  std::string statement;  // as far as it is known, and the word that is not
  std::string reason;
};

// Runs the lines of encode(), protection or not. What does not apply is kept; what a line deletes
// is not kept any longer. Returns what could not be kept, which is only when the schema has no such
// leaf-list or a line is no command at all.
std::vector<UnknownStatement> apply_keeping(Editor& editor, std::string_view encoded);

// The same for nested text, of a configuration from nothing.
std::vector<UnknownStatement> load_keeping(Editor& editor, std::string text);

// Puts back what is kept and known now. Cost: that of the statements that are kept.
void restore_known(Editor& editor);

// What is kept, and why; no values of statements, which may be secrets.
std::vector<UnknownStatement> unknown_statements(const ConfigTree& tree);

}  // namespace millrace::tree
