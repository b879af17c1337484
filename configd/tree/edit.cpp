// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/edit.h"

#include <algorithm>
#include <span>

#include "tree/node_builder.h"

namespace millrace::tree::edit {
namespace {

using schema::Kind;

void set_values(Node& node, const schema::Walk& walk) {
  const schema::Node& schema = *node.schema();
  if (node.is_entry() || walk.values.empty()) {
    return;
  }
  if (schema.kind == Kind::Leaf) {
    NodeBuilder::set_text(node, walk.values.front());
    return;
  }
  for (const std::string& value : walk.values) {
    NodeBuilder::close(node, NodeBuilder::open_entry(node, value));
  }
}

void remove_child(Node& parent, std::string_view name, Keep keep);

void clear(Node& node, Keep keep) {
  std::vector<std::string> names;
  node.children().for_each([&](const NodePtr& child) {
    names.emplace_back(child->name());
    return true;
  });
  for (const std::string& name : names) {
    remove_child(node, name, keep);
  }
}

void remove_child(Node& parent, std::string_view name, Keep keep) {
  const NodePtr child = parent.children().find_shared(name);
  const bool keeps = keep == Keep::Protected && child && child->holds_protected();
  if (!child || (keeps && child->is_protected())) {
    return;
  }
  if (keeps) {
    NodePtr kept = child;
    Node& own = NodeBuilder::own(kept);
    clear(own, keep);
    NodeBuilder::refresh(own);
    NodeBuilder::children(parent).put(std::move(kept));
  } else {
    NodeBuilder::children(parent).erase(name);
  }
}

void mark_node(Node& node, Mark mark, bool on) {
  if (holds_own_marks(node)) {
    mark == Mark::Inactive ? NodeBuilder::set_inactive(node, on)
                           : NodeBuilder::set_protected(node, on);
    return;
  }
  std::vector<NodePtr> children;
  node.children().for_each([&](const NodePtr& child) {
    children.push_back(child);
    return true;
  });
  for (NodePtr& child : children) {
    mark_node(NodeBuilder::own(child), mark, on);
    NodeBuilder::children(node).put(std::move(child));
  }
}

}  // namespace

Path target(const Path& base, const schema::Walk& walk) {
  Path path = base / std::span(walk.steps);
  if (walk.values.size() == 1 && !path.empty()) {
    schema::PathStep& last = path.steps.back();
    if (last.node->kind == Kind::LeafList && !last.keyed) {
      last.key = walk.values.front();
      last.keyed = true;
    }
  }
  return path;
}

base::Result<void> settable(const Path& base, const schema::Walk& walk) {
  const Path path = base / std::span(walk.steps);
  if (path.empty() || path.steps.back().keyed) {
    return {};
  }
  const schema::Node& last = *path.steps.back().node;
  const bool needs_value = last.kind == Kind::LeafList ||
                           (last.kind == Kind::Leaf && last.type.base != schema::BaseType::Empty);
  if (last.kind == Kind::List || (needs_value && walk.values.empty())) {
    return base::fail(base::Code::BadValue, "syntax error, expecting " + last.type.placeholder(),
                      path.to_string());
  }
  return {};
}

bool holds(const Node& node, const schema::Walk& walk) {
  // A container that means nothing by itself is as good as set.
  const auto means_nothing = [](const schema::PathStep& step) {
    return !step.keyed && step.node->kind == Kind::Container && !step.node->presence;
  };
  const Node* at = &node;
  for (auto step = walk.steps.begin(); step != walk.steps.end(); ++step) {
    at = at->child(step->node->name);
    if (at && step->keyed) {
      at = at->child(step->key);
    }
    if (!at) {
      return std::all_of(step, walk.steps.end(), means_nothing);
    }
  }
  if (at->is_entry() || walk.values.empty()) {
    return true;
  }
  if (at->schema()->kind == Kind::Leaf) {
    return at->value() == walk.values.front();
  }
  return std::ranges::all_of(walk.values,
                             [&](const std::string& value) { return at->child(value); });
}

void set(Node& node, const schema::Walk& walk) {
  NodeBuilder::change_at(node, walk.steps, [&](Node& last) { set_values(last, walk); });
}

ConfigTree changed(ConfigTree tree, const Path& path, const std::function<void(Node&)>& change) {
  const schema::Schema& schema = tree.schema();
  NodePtr root = std::move(tree).take_root();
  Node& node = NodeBuilder::own(root);
  NodeBuilder::change_at(node, path.steps, change);
  NodeBuilder::refresh(node);
  return ConfigTree(schema, std::move(root));
}

ConfigTree removed(ConfigTree tree, const Path& path, const std::vector<std::string>& values,
                   Keep keep) {
  const schema::PathStep& last = path.steps.back();
  Path around = path;
  if (last.keyed) {
    around.steps.back().keyed = false;
  } else if (last.node->kind != Kind::LeafList || values.empty()) {
    around.steps.pop_back();
  }
  return changed(std::move(tree), around, [&](Node& node) {
    if (last.keyed) {
      remove_child(node, last.key, keep);
    } else if (last.node->kind == Kind::LeafList && !values.empty()) {
      for (const std::string& value : values) {
        remove_child(node, value, keep);
      }
    } else {
      remove_child(node, last.node->name, keep);
    }
  });
}

ConfigTree cleared(ConfigTree tree, const Path& path, Keep keep) {
  return changed(std::move(tree), path, [&](Node& node) { clear(node, keep); });
}

bool holds_own_marks(const Node& node) {
  return node.is_entry() || (node.schema()->kind != Kind::List && !node.schema()->joined);
}

ConfigTree marked(ConfigTree tree, const Path& path, Mark mark, bool on) {
  return changed(std::move(tree), path, [&](Node& node) { mark_node(node, mark, on); });
}

}  // namespace millrace::tree::edit
