// SPDX-License-Identifier: GPL-2.0-or-later
//
// Three-way merge of configurations: what I changed since `base`, on top of what others changed.
//
// It is made statement by statement. A leaf, an entry, a value of a leaf-list and a presence
// container are statements; a plain container or list is only what it contains, so emptying one
// and adding to it do not disturb each other. Marks (inactive, protected) and comments are merged
// each for itself. Two changes conflict when both sides changed
//   - the value or comment of one statement, differently;
//   - one statement, which one of them removed;
//   - the order of one list, differently, or put entries into the same place of it.
//
// Laws (property-tested): merge(b, x, b) = x; merge(b, b, y) = y; without conflicts merge(b, x, y)
// = merge(b, y, x), and it holds exactly the statements that applying both changes gives.
#pragma once

#include <string>
#include <vector>

#include "tree/config_tree.h"

namespace millrace::tree {

struct MergeConflict {
  Path path;
  // What each side has, as a person reads it: a value, "(removed)", "(changed)", names in order.
  std::string base;
  std::string mine;
  std::string theirs;
};

struct Merge {
  ConfigTree tree;  // with mine wherever there was a conflict
  std::vector<MergeConflict> conflicts;
};

// Cost: what `mine` changes, and of a list whose order both touched all of its names.
Merge merge(const ConfigTree& base, const ConfigTree& mine, const ConfigTree& theirs);

}  // namespace millrace::tree
