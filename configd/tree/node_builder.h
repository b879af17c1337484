// SPDX-License-Identifier: GPL-2.0-or-later
//
// The only place that writes nodes; internal to tree/. A node is changed through `own`, which
// copies it unless the reference at hand is the only one. Going down is open → change → close:
// between the two the parent's counts of marked children leave the child out, and close puts it
// back or, when nothing is left of it, takes it away.
#pragma once

#include <span>

#include "schema/walk.h"
#include "tree/node.h"

namespace millrace::tree {

class NodeBuilder {
 public:
  // A statement without contents, an entry of a list or value of a leaf-list, a leaf.
  static NodePtr statement(const schema::Node& schema);
  static NodePtr entry(const schema::Node& schema, std::string_view key);
  static NodePtr leaf(const schema::Node& schema, std::string_view value);

  static Node& own(NodePtr& node);
  static Children& children(Node& node) { return node.children_; }
  static void set_text(Node& node, std::string_view text);
  static void set_inactive(Node& node, bool on);
  static void set_protected(Node& node, bool on);
  static void set_comment(Node& node, std::string_view comment) { node.comment_ = comment; }
  // Own marks and comment of `from`, without those of children.
  static void copy_marks(Node& node, const Node& from);
  // Makes holds_inactive and its like true again after its children changed. O(1).
  static void refresh(Node& node);
  // Whether the node stops to exist for lack of contents.
  static bool vanishes(const Node& node);

  struct Open {
    Node* node;
  };
  // The statement of that schema, or the entry of that key, made when absent. Requires: `parent` is
  // owned, and no other child of it is open.
  static Open open(Node& parent, const schema::Node& schema);
  static Open open_entry(Node& list, std::string_view key);
  static void close(Node& parent, Open child);

  // Goes down `steps`, making what is absent, and calls change(Node&) on the last. What the change
  // empties goes away on the way up.
  template <class Change>
  static void change_at(Node& node, std::span<const schema::PathStep> steps, const Change& change) {
    if (steps.empty()) {
      change(node);
      return;
    }
    const schema::PathStep& step = steps.front();
    const Open statement = open(node, *step.node);
    if (step.keyed) {
      const Open opened = open_entry(*statement.node, step.key);
      change_at(*opened.node, steps.subspan(1), change);
      close(*statement.node, opened);
    } else {
      change_at(*statement.node, steps.subspan(1), change);
    }
    close(node, statement);
  }

 private:
  static Open open_named(Node& parent, std::string_view name);
};

}  // namespace millrace::tree
