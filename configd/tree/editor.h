// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes a new tree from an old one. Edits are checked for type and place only (the walk did that);
// rules between statements are for check/. Each function either does all of its work or returns an
// error and changes nothing. Protected subtrees refuse changes with Code::Denied and the message
// "statement is protected" (a warning to the user, cli.md calls it).
#pragma once

#include <string_view>

#include "tree/config_tree.h"

namespace millrace::tree {

class Editor {
 public:
  explicit Editor(ConfigTree base) : tree_(std::move(base)) {}

  const ConfigTree& tree() const { return tree_; }

  // Creates what `walk` names: containers, entries, the leaf with its value (replaced), leaf-list
  // values (added). `base` is the edit level. Setting what is already so changes no pointer.
  base::Result<void> set(const Path& base, const schema::Walk& walk);
  // Removes a subtree, an entry, a leaf, a leaf-list or (with values) some of its values, and the
  // containers that become empty. Errors: UnknownPath, "statement not found".
  base::Result<void> remove(const Path& base, const schema::Walk& walk);
  base::Result<void> set_inactive(const Path& path, bool inactive);
  base::Result<void> set_protected(const Path& path, bool on);
  base::Result<void> annotate(const Path& path, std::string_view comment);  // empty: removes
  // Entries only. Errors: UnknownPath (source), Conflict (target exists), BadValue (key).
  base::Result<void> rename(const Path& entry, std::string_view new_key);
  base::Result<void> copy(const Path& entry, std::string_view new_key);
  // Ordered lists only: moves `entry` next to the entry `neighbour`.
  enum class Side : std::uint8_t { Before, After };
  base::Result<void> insert(const Path& entry, Side side, std::string_view neighbour);
  // From now on protection neither refuses nor keeps anything: for edits of a log, which were
  // allowed when they were recorded.
  void trust() { trusted_ = true; }
  // Replaces everything.
  void reset(ConfigTree tree) { tree_ = std::move(tree); }

 private:
  ConfigTree tree_;
  bool trusted_ = false;
};

}  // namespace millrace::tree
