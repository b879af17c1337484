// SPDX-License-Identifier: GPL-2.0-or-later
//
// The difference of two trees: the topmost nodes that differ. Shared subtrees cost nothing, so a
// delta is as large as the change. Laws (property-tested): apply(diff(a, b), a) = b;
// diff(a, a) is empty; decode(encode(d)) applies the same.
#pragma once

#include <string>
#include <vector>

#include "tree/config_tree.h"

namespace millrace::tree {

struct Change {
  Path path;
  NodePtr before;  // null: added, with everything below
  NodePtr after;   // null: removed, with everything below
  // Both set: the value of a leaf, or the tags, comment or order of the node itself; differences of
  // its children are changes of their own.
};

class Delta {
 public:
  Delta(ConfigTree before, ConfigTree after);

  const ConfigTree& before() const { return before_; }
  const ConfigTree& after() const { return after_; }
  const std::vector<Change>& changes() const { return changes_; }
  bool empty() const { return changes_.empty(); }

  // Whether anything differs at or below, or on the way to, the schema path.
  bool touches(std::string_view schema_path) const;
  // The keys of the list at `list` (a path that ends unkeyed) whose entries differ in any way, in
  // order: the unit of work of most appliers. An entry added or removed counts.
  std::vector<std::string> changed_keys(const Path& list) const;

 private:
  ConfigTree before_;
  ConfigTree after_;
  std::vector<Change> changes_;
};

// Text form for the revision log: one set, delete, deactivate, … command a line, values quoted.
std::string encode(const Delta& delta);
// Errors: whatever parsing and editing may return.
base::Result<ConfigTree> apply(std::string_view encoded, const ConfigTree& tree);

}  // namespace millrace::tree
