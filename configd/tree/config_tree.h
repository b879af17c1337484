// SPDX-License-Identifier: GPL-2.0-or-later
//
// The configuration as a value: copying is one pointer, comparing equal trees is one comparison.
// Readers keep a tree as long as they like and never block a writer.
#pragma once

#include <memory>
#include <utility>

#include "base/error.h"
#include "tree/node.h"
#include "tree/path.h"

namespace millrace::tree {

class ConfigTree {
 public:
  // The empty configuration. Requires: `schema` outlives every tree made from it.
  explicit ConfigTree(const schema::Schema& schema);
  ConfigTree(const schema::Schema& schema, NodePtr root);

  const schema::Schema& schema() const { return *schema_; }
  const Node& root() const { return *root_; }
  const NodePtr& root_ptr() const { return root_; }
  // Leaves the tree without a root, only fit to be assigned to or destroyed.
  NodePtr take_root() && { return std::move(root_); }
  bool empty() const { return root_->children().empty(); }

  // The node at `path` (an entry for a keyed step), or null.
  const Node* find(const Path& path) const;

  // Structural equality, pointers first.
  friend bool operator==(const ConfigTree& left, const ConfigTree& right);

 private:
  const schema::Schema* schema_;
  NodePtr root_;
};

}  // namespace millrace::tree
