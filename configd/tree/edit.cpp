// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/edit.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "tree/layout.h"
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

void remove_child(Node& parent, std::string_view name, Keep keep) {
  const NodePtr child = parent.children().find_shared(name);
  const bool keeps = keep == Keep::Protected && child && child->holds_protected();
  if (!child || (keeps && child->is_protected())) {
    return;
  }
  if (!keeps) {
    NodeBuilder::children(parent).erase(name);
    return;
  }
  NodePtr kept = child;
  Node& own = NodeBuilder::own(kept);
  clear(own, keep);
  NodeBuilder::refresh(own);
  NodeBuilder::children(parent).put(std::move(kept));
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
  if (walk.steps.empty() || walk.steps.back().keyed) {
    return {};
  }
  if (sets_hidden_text(walk)) {
    return base::fail(base::Code::BadValue, std::string(kHiddenMessage),
                      (base / std::span(walk.steps)).to_string());
  }
  const schema::Node& last = *walk.steps.back().node;
  if (!last.asks.empty()) {
    return base::fail(base::Code::BadValue, "this is asked for and cannot be loaded",
                      (base / std::span(walk.steps)).to_string(),
                      "type it with set at a terminal, or load " + last.asks);
  }
  const bool needs_value = last.kind == Kind::LeafList ||
                           (last.kind == Kind::Leaf && last.type.base != schema::BaseType::Empty);
  if (last.kind == Kind::List || (needs_value && walk.values.empty())) {
    return base::fail(base::Code::BadValue, "syntax error, expecting " + last.type.placeholder(),
                      (base / std::span(walk.steps)).to_string());
  }
  return {};
}

bool sets_hidden_text(const schema::Walk& walk) {
  return !walk.steps.empty() && walk.steps.back().node->secret &&
         std::ranges::find(walk.values, kSecretText) != walk.values.end();
}

std::string comment_text(std::string_view text) {
  if (text.starts_with("/*") && text.ends_with("*/") && text.size() >= 4) {
    text = text.substr(2, text.size() - 4);
  }
  const std::size_t first = text.find_first_not_of(" \t\n");
  return first == std::string_view::npos
             ? std::string()
             : std::string(text.substr(first, text.find_last_not_of(" \t\n") - first + 1));
}

const Node* find(const Node& node, Steps steps) {
  const Node* at = &node;
  for (const schema::PathStep& step : steps) {
    at = at->child(step.node->name);
    if (at && step.keyed) {
      at = at->child(step.key);
    }
    if (!at) {
      return nullptr;
    }
  }
  return at;
}

bool guarded(const Node& node, Steps steps) {
  const Node* at = &node;
  for (const schema::PathStep& step : steps) {
    at = at->child(step.node->name);
    if (at && !at->is_protected() && step.keyed) {
      at = at->child(step.key);
    }
    if (!at) {
      return false;
    }
    if (at->is_protected()) {
      return true;
    }
  }
  return false;
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

namespace {

// A list that may have one entry only is a choice: setting another entry takes its place.
void make_room(Node& node, Steps steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].keyed || steps[i].node->kind != Kind::List || steps[i].node->max_elements != 1) {
      continue;
    }
    std::vector<schema::PathStep> list(steps.begin(), steps.begin() + static_cast<long>(i) + 1);
    list.back().keyed = false;
    const Node* const present = find(node, list);
    if (present && !present->child(steps[i].key)) {
      remove(node, list, {}, Keep::Nothing);
    }
  }
}

}  // namespace

void set(Node& node, const schema::Walk& walk) {
  make_room(node, walk.steps);
  NodeBuilder::change_at(node, walk.steps, [&](Node& last) { set_values(last, walk); });
}

void remove(Node& node, Steps steps, std::span<const std::string> values, Keep keep) {
  const schema::PathStep& last = steps.back();
  const bool only_values = last.node->kind == Kind::LeafList && !last.keyed && !values.empty();
  std::vector<schema::PathStep> around(steps.begin(), steps.end());
  if (last.keyed) {
    around.back().keyed = false;
  } else if (!only_values) {
    around.pop_back();
  }
  NodeBuilder::change_at(node, around, [&](Node& parent) {
    if (only_values) {
      for (const std::string& value : values) {
        remove_child(parent, value, keep);
      }
    } else {
      remove_child(parent, last.keyed ? last.key : last.node->name, keep);
    }
  });
}

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

bool holds_own_marks(const Node& node) {
  return node.is_entry() || (node.schema()->kind != Kind::List && !node.schema()->joined);
}

void mark(Node& node, Mark which, bool on) {
  if (holds_own_marks(node)) {
    which == Mark::Inactive ? NodeBuilder::set_inactive(node, on)
                            : NodeBuilder::set_protected(node, on);
    return;
  }
  std::vector<NodePtr> children;
  node.children().for_each([&](const NodePtr& child) {
    children.push_back(child);
    return true;
  });
  for (NodePtr& child : children) {
    mark(NodeBuilder::own(child), which, on);
    NodeBuilder::children(node).put(std::move(child));
  }
}

ConfigTree changed(ConfigTree tree, Steps steps, const std::function<void(Node&)>& change) {
  const schema::Schema& schema = tree.schema();
  NodePtr root = std::move(tree).take_root();
  Node& node = NodeBuilder::own(root);
  NodeBuilder::change_at(node, steps, change);
  NodeBuilder::refresh(node);
  return ConfigTree(schema, std::move(root));
}

NodePtr shared(const NodePtr& old, const NodePtr& fresh) {
  if (old == fresh) {
    return old;
  }
  const Children& before = old->children();
  const Children& after = fresh->children();
  bool same = old->value() == fresh->value() && old->inactive() == fresh->inactive() &&
              old->is_protected() == fresh->is_protected() && old->comment() == fresh->comment();
  bool reordered = Children::moved(before, after);
  Children like_old = before;
  Children like_fresh = after;
  Children::diff(before, after, [&](const NodePtr& old_child, const NodePtr& new_child) {
    const NodePtr child = old_child && new_child ? shared(old_child, new_child) : new_child;
    if (child == old_child) {
      like_fresh.put(child);
      return;
    }
    same = false;
    reordered = reordered || (!old_child && after.order() == Order::Ranked);
    if (child) {
      like_old.put(child);
      like_fresh.put(child);
    } else {
      like_old.erase(old_child->name());
    }
  });
  if (same && !reordered) {
    return old;
  }
  NodePtr result = std::make_shared<Node>(*fresh);
  Node& node = NodeBuilder::own(result);
  NodeBuilder::children(node) = reordered ? std::move(like_fresh) : std::move(like_old);
  NodeBuilder::refresh(node);
  return result;
}

}  // namespace millrace::tree::edit
