// SPDX-License-Identifier: GPL-2.0-or-later
//
// Nodes of the configuration tree: immutable once shared, shared between trees, compared by pointer
// before anything else. A change makes new nodes from the changed one up to the root and shares the
// rest; children live in a persistent B-tree (tree/children.h), so a change in a list of 100,000
// entries copies a handful of small blocks.
//
//   Container   children: its statements, by their order in the schema
//   List        children: its entries, in natural order of key or, when `ordered`, of input
//   entry       children: its statements; name() is the key
//   Leaf        value()
//   LeafList    children: its values, as entries without children
//
// A container that is not `presence` exists only while it has a child; a list or leaf-list only
// while it has an entry; an entry stays when its last child goes (`unit 0;`).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "schema/schema.h"
#include "tree/children.h"

namespace millrace::tree {

class Node {
 public:
  const schema::Node* schema() const { return schema_; }
  bool is_entry() const { return entry_; }  // of a list or leaf-list
  // The key of an entry, the keyword of everything else.
  std::string_view name() const { return entry_ ? std::string_view(text_) : schema_->name; }
  std::string_view value() const { return entry_ ? std::string_view() : std::string_view(text_); }
  const Children& children() const { return children_; }
  const Node* child(std::string_view child_name) const { return children_.find(child_name); }

  bool inactive() const { return inactive_; }
  bool is_protected() const { return protected_; }
  const std::string& comment() const { return comment_; }
  // Whether this node or one below it is inactive. O(1).
  bool holds_inactive() const { return holds_inactive_; }
  bool holds_protected() const { return holds_protected_; }  // the same for protection
  // Whether this node or one below it is of groups or ranges: expansion has work to do.
  bool holds_inheritance() const { return holds_inheritance_; }
  // Whether it or one below it names groups to apply or not to.
  bool applies_groups() const { return applies_groups_; }

 private:
  friend class Editor;
  friend class NodeBuilder;

  const schema::Node* schema_ = nullptr;
  std::string text_;  // key or value, canonical
  Children children_;
  std::string comment_;
  bool entry_ = false;
  bool inactive_ = false;
  bool protected_ = false;
  bool holds_inactive_ = false;
  bool holds_protected_ = false;
  bool holds_inheritance_ = false;
  bool applies_groups_ = false;
};

}  // namespace millrace::tree
