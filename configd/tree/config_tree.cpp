// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/config_tree.h"

#include "tree/edit.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

bool equal(const Node& left, const Node& right) {
  if (&left == &right) {
    return true;
  }
  if (left.schema() != right.schema() || left.name() != right.name() ||
      left.value() != right.value() || left.inactive() != right.inactive() ||
      left.is_protected() != right.is_protected() || left.comment() != right.comment() ||
      left.children().size() != right.children().size()) {
    return false;
  }
  bool same = !Children::moved(left.children(), right.children());
  if (same) {
    Children::diff(left.children(), right.children(), [&](const NodePtr& a, const NodePtr& b) {
      same = same && a && b && equal(*a, *b);
    });
  }
  return same;
}

}  // namespace

ConfigTree::ConfigTree(const schema::Schema& schema)
    : ConfigTree(schema, NodeBuilder::statement(schema.root())) {}

ConfigTree::ConfigTree(const schema::Schema& schema, NodePtr root)
    : schema_(&schema), root_(std::move(root)) {}

const Node* ConfigTree::find(const Path& path) const {
  return edit::find(*root_, path.steps);
}

bool operator==(const ConfigTree& left, const ConfigTree& right) {
  return left.schema_ == right.schema_ && equal(*left.root_, *right.root_);
}

}  // namespace millrace::tree
