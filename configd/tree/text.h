// SPDX-License-Identifier: GPL-2.0-or-later
//
// A tree as text and back. What is written loads again to the same tree.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "syntax/statement.h"
#include "tree/editor.h"

namespace millrace::tree {

// Remarks of the writer of a configuration about its statements, by node of the tree that is
// written:
// "'x' is not defined". Text form only; comments when read.
using Notes = std::unordered_map<const Node*, std::string>;

class Inheritance;
enum class InheritanceRemarks : std::uint8_t {
  Full,   // `##`, `## 'STATEMENT' was inherited from group 'NAME'`, `##` before the statement
  Brief,  // without the empty ones
  Terse,  // `## from group 'NAME'`
};

struct WriteOptions {
  bool hide_secrets =
      false;             // replace secret values by "/* SECRET-DATA */" for those without the right
  bool remarks = false;  // `## SECRET-DATA`
  const Notes* notes = nullptr;    // outlives the call
  bool relative = false;           // set form: without the words of `path`
  bool explicit_presence = false;  // set form: a line for each presence container, empty or not
  bool detail = false;             // text: a `##` block of what the schema says of each statement
  std::size_t max_depth = 0;       // text: blocks below are `name { ... }`; 0 is no limit
  // Elements: those that differ from this tree get the attribute junos:changed.
  const ConfigTree* changed_from = nullptr;
  // Text form: remarks on what is inherited. Requires: the tree written is its tree().
  const Inheritance* inheritance = nullptr;
  InheritanceRemarks inheritance_remarks = InheritanceRemarks::Full;
};

// The nested form of what is inside `path` (an entry's or container's statements, or the leaf
// itself), four blanks a level. Empty when nothing is there.
std::string to_text(const ConfigTree& tree, const Path& path, WriteOptions options = {});
// `set …` lines in tree order, each inactive subtree followed by one `deactivate PATH`, comments as
// `annotate` lines are left out. One leaf or leaf-list value a line.
std::string to_set(const ConfigTree& tree, const Path& path, WriteOptions options = {});
// Below `configuration`; lists are arrays of objects with their key, attributes under "@".
std::string to_json(const ConfigTree& tree, const Path& path, WriteOptions options = {});
// The element `configuration`, with what leads to `path` around it.
std::string to_xml(const ConfigTree& tree, const Path& path, WriteOptions options = {});
std::string to_yaml(const ConfigTree& tree, const Path& path, WriteOptions options = {});

// Patch: `show | compare` text, each hunk whole or not at all.
enum class LoadAction : std::uint8_t { Merge, Override, Update, Replace, Set, Patch };
enum class LoadForm : std::uint8_t { Text, Json, Xml };

struct LoadError {
  syntax::Position at;
  std::string level;      // "interfaces eth0": the path around the statement
  std::string statement;  // the offending source line
  std::string message;
  std::string hint;
};

struct LoadReport {
  std::size_t statements = 0;  // that took effect
  std::vector<LoadError> errors;
  std::vector<std::string> warnings;

  // Junos form: "NAME:LINE:(COLUMN) MESSAGE", context block, hint; ends with
  // "load complete" or "load complete (N errors)".
  std::string to_string(std::string_view name) const;
};

// Loads `text` at `base` into `editor`: nested text, JSON or XML; command lines for Set and the
// text of a comparison for Patch, which have no other form. All or nothing per statement: a
// statement with an error leaves no part of itself, and does not hide the others. Override and
// Update of input in which no statement could be read change nothing.
LoadReport load(Editor& editor, const Path& base, std::string text, LoadAction action,
                LoadForm form = LoadForm::Text);
// The form that `text` looks like.
LoadForm form_of(std::string_view text);

}  // namespace millrace::tree
