// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/node.h"

#include "base/check.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

Order order_for(const schema::Node& schema) {
  if (schema.kind == schema::Kind::Container || schema.kind == schema::Kind::Leaf) {
    return Order::Schema;
  }
  return schema.ordered ? Order::Ranked : Order::Natural;
}

// A key that only looks like a pattern costs a little time in expansion and means nothing.
bool is_of_groups(const Node& node) {
  return node.schema()->role != schema::Role::None ||
         (node.is_entry() && node.schema()->kind == schema::Kind::List &&
          schema::is_pattern(node.name()));
}

}  // namespace

NodePtr NodeBuilder::statement(const schema::Node& schema) {
  auto node = std::make_shared<Node>();
  node->schema_ = &schema;
  node->children_ = Children(order_for(schema));
  refresh(*node);
  return node;
}

NodePtr NodeBuilder::entry(const schema::Node& schema, std::string_view key) {
  auto node = std::make_shared<Node>();
  node->schema_ = &schema;
  node->entry_ = true;
  node->text_ = key;
  refresh(*node);
  return node;
}

NodePtr NodeBuilder::leaf(const schema::Node& schema, std::string_view value) {
  auto node = std::make_shared<Node>();
  node->schema_ = &schema;
  node->text_ = value;
  return node;
}

// Nodes are made non-const, so the cast is sound; see BTree::own for the count.
Node& NodeBuilder::own(NodePtr& node) {
  if (node.use_count() != 1) {
    node = std::make_shared<Node>(*node);
  }
  return const_cast<Node&>(*node);
}

void NodeBuilder::set_text(Node& node, std::string_view text) {
  node.text_ = text;
  refresh(node);
}

void NodeBuilder::set_inactive(Node& node, bool on) {
  node.inactive_ = on;
  refresh(node);
}

void NodeBuilder::set_protected(Node& node, bool on) {
  node.protected_ = on;
  refresh(node);
}

void NodeBuilder::copy_marks(Node& node, const Node& from) {
  node.inactive_ = from.inactive_;
  node.protected_ = from.protected_;
  node.comment_ = from.comment_;
  refresh(node);
}

void NodeBuilder::refresh(Node& node) {
  node.holds_inactive_ = node.inactive_ || node.children_.any_inactive();
  node.holds_protected_ = node.protected_ || node.children_.any_protected();
  const schema::Role role = node.schema_->role;
  node.applies_groups_ = role == schema::Role::ApplyGroups || role == schema::Role::ExceptGroups ||
                         node.children_.any_applies_groups();
  node.holds_inheritance_ = is_of_groups(node) || node.children_.any_inheritance();
}

bool NodeBuilder::vanishes(const Node& node) {
  if (node.is_entry() || node.schema()->kind == schema::Kind::Leaf) {
    return false;
  }
  return node.children().empty() && !node.schema()->presence;
}

NodeBuilder::Open NodeBuilder::open_named(Node& parent, std::string_view name) {
  NodePtr* slot = parent.children_.slot(name);
  base::check(slot != nullptr, "a node that was put is there");
  parent.children_.count_marks(**slot, -1);
  return {&own(*slot)};
}

NodeBuilder::Open NodeBuilder::open(Node& parent, const schema::Node& schema) {
  if (!parent.children_.find(schema.name)) {
    parent.children_.put(statement(schema));
  }
  return open_named(parent, schema.name);
}

NodeBuilder::Open NodeBuilder::open_entry(Node& list, std::string_view key) {
  if (!list.children_.find(key)) {
    list.children_.put(entry(*list.schema(), key));
  }
  return open_named(list, key);
}

void NodeBuilder::close(Node& parent, Open child) {
  refresh(*child.node);
  parent.children_.count_marks(*child.node, 1);
  if (vanishes(*child.node)) {
    parent.children_.erase(child.node->name());
  }
}

}  // namespace millrace::tree
