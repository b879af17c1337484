// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every edit first reads (is it there, is it protected, is it so already), then hands the tree to
// edit.h, which cannot fail. So an edit is whole or did not happen.
#include "tree/editor.h"

#include "tree/edit.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

using base::Code;

bool guarded(const ConfigTree& tree, const Path& path) {
  return edit::guarded(tree.root(), path.steps);
}

base::Result<void> refuse(const Path& path) {
  return base::fail(Code::Denied, "statement is protected", path.to_string());
}

base::Result<void> not_found(const Path& path) {
  return base::fail(Code::UnknownPath, "statement not found", path.to_string());
}

bool is_entry(const Path& path) {
  return !path.empty() && path.steps.back().keyed;
}

Path with_key(Path entry, std::string_view key) {
  entry.steps.back().key = key;
  return entry;
}

Path list_of(Path entry) {
  entry.steps.back().key.clear();
  entry.steps.back().keyed = false;
  return entry;
}

// The canonical key, after what rename and copy have in common was looked at.
base::Result<std::string> new_entry_key(const ConfigTree& tree, const Path& entry,
                                        std::string_view text) {
  if (!is_entry(entry)) {
    return base::fail(Code::BadValue, "not an entry of a list", entry.to_string());
  }
  if (!tree.find(entry)) {
    return base::fail(Code::UnknownPath, "statement not found", entry.to_string());
  }
  auto key = schema::canonical_key(*entry.steps.back().node, text, entry.parent().keys());
  if (!key) {
    key.error().path = entry.to_string();
    return key;
  }
  if (tree.find(with_key(entry, *key))) {
    return base::fail(Code::Conflict, "target already exists", with_key(entry, *key).to_string());
  }
  return key;
}

NodePtr renamed(const Node& entry, std::string_view key) {
  NodePtr node = std::make_shared<Node>(entry);
  NodeBuilder::set_text(NodeBuilder::own(node), key);
  return node;
}

}  // namespace

base::Result<void> Editor::set(const Path& base, const schema::Walk& walk) {
  if (auto fits = edit::settable(base, walk); !fits) {
    return fits;
  }
  if (!base.empty()) {
    return set({}, {(base / std::span(walk.steps)).steps, walk.values});
  }
  if (edit::holds(tree_.root(), walk)) {
    return {};
  }
  if (!trusted_ && edit::guarded(tree_.root(), walk.steps)) {
    return refuse({walk.steps});
  }
  tree_ = edit::changed(std::move(tree_), {}, [&](Node& root) { edit::set(root, walk); });
  return {};
}

base::Result<void> Editor::remove(const Path& base, const schema::Walk& walk) {
  const Path path = edit::target(base, walk);
  const Node* found = tree_.find(path);
  if (!found) {
    return not_found(path);
  }
  const schema::Kind kind = path.schema(tree_.schema()).kind;
  std::vector<std::string> values;
  if (kind == schema::Kind::Leaf && !walk.values.empty() && found->value() != walk.values.front()) {
    return not_found(path);
  }
  if (kind == schema::Kind::LeafList && walk.values.size() > 1) {
    values = walk.values;
    for (const std::string& value : values) {
      if (!found->child(value)) {
        return not_found(edit::target(path, {{}, {value}}));
      }
    }
  }
  if (!trusted_ && guarded(tree_, path)) {
    return refuse(path);
  }
  const auto kept = trusted_ ? edit::Keep::Nothing : edit::Keep::Protected;
  const bool everything_below = walk.steps.empty() && walk.values.empty();
  tree_ = edit::changed(
      std::move(tree_), everything_below ? edit::Steps(path.steps) : edit::Steps(),
      [&](Node& node) {
        everything_below ? edit::clear(node, kept) : edit::remove(node, path.steps, values, kept);
      });
  return {};
}

base::Result<void> Editor::set_inactive(const Path& path, bool inactive) {
  const Node* node = tree_.find(path);
  if (!node || path.empty()) {
    return not_found(path);
  }
  if (!trusted_ && guarded(tree_, path)) {
    return refuse(path);
  }
  if (node->inactive() != inactive || !edit::holds_own_marks(*node)) {
    tree_ = edit::changed(std::move(tree_), path.steps, [&](Node& changed) {
      edit::mark(changed, edit::Mark::Inactive, inactive);
    });
  }
  return {};
}

base::Result<void> Editor::set_protected(const Path& path, bool on) {
  const Node* node = tree_.find(path);
  if (!node || path.empty()) {
    return not_found(path);
  }
  if (!trusted_ && guarded(tree_, path.parent())) {
    return refuse(path);
  }
  tree_ = edit::changed(std::move(tree_), path.steps,
                        [&](Node& changed) { edit::mark(changed, edit::Mark::Protected, on); });
  return {};
}

base::Result<void> Editor::annotate(const Path& path, std::string_view text) {
  const std::string comment = edit::comment_text(text);
  const Node* node = tree_.find(path);
  if (!node || path.empty()) {
    return not_found(path);
  }
  const schema::PathStep& last = path.steps.back();
  if (!last.keyed && (last.node->kind == schema::Kind::List || last.node->joined)) {
    return base::fail(Code::BadValue, "a comment belongs to one statement", path.to_string());
  }
  if (!trusted_ && guarded(tree_, path)) {
    return refuse(path);
  }
  if (node->comment() != comment) {
    tree_ = edit::changed(std::move(tree_), path.steps,
                          [&](Node& changed) { NodeBuilder::set_comment(changed, comment); });
  }
  return {};
}

base::Result<void> Editor::rename(const Path& entry, std::string_view new_key) {
  const auto key = new_entry_key(tree_, entry, new_key);
  if (!key) {
    return std::unexpected(key.error());
  }
  if (!trusted_ && guarded(tree_, entry)) {
    return refuse(entry);
  }
  const NodePtr node = renamed(*tree_.find(entry), *key);
  const std::string old_key = entry.steps.back().key;
  tree_ = edit::changed(std::move(tree_), list_of(entry).steps, [&](Node& list) {
    Children& entries = NodeBuilder::children(list);
    if (entries.order() == Order::Ranked) {
      entries.put_before(node, old_key);
    } else {
      entries.put(node);
    }
    entries.erase(old_key);
  });
  return {};
}

base::Result<void> Editor::copy(const Path& entry, std::string_view new_key) {
  const auto key = new_entry_key(tree_, entry, new_key);
  if (!key) {
    return std::unexpected(key.error());
  }
  if (entry.steps.back().node->max_elements == 1) {
    // Two could not be written down: a set of the second replaces the first.
    return base::fail(Code::Conflict, "there is room for one entry only", entry.to_string(),
                      "rename gives it another name");
  }
  if (!trusted_ && guarded(tree_, list_of(entry))) {
    return refuse(entry);
  }
  const NodePtr node = renamed(*tree_.find(entry), *key);
  tree_ = edit::changed(std::move(tree_), list_of(entry).steps,
                        [&](Node& list) { NodeBuilder::children(list).put(node); });
  return {};
}

base::Result<void> Editor::insert(const Path& entry, Side side, std::string_view neighbour) {
  if (!is_entry(entry) || !entry.steps.back().node->ordered) {
    return base::fail(Code::BadValue, "not an entry of an ordered list", entry.to_string());
  }
  if (!tree_.find(entry)) {
    return not_found(entry);
  }
  const auto key =
      schema::canonical_key(*entry.steps.back().node, neighbour, entry.parent().keys());
  if (!key || !tree_.find(with_key(entry, *key))) {
    return not_found(with_key(entry, neighbour));
  }
  if (!trusted_ && guarded(tree_, entry)) {
    return refuse(entry);
  }
  tree_ = edit::changed(std::move(tree_), list_of(entry).steps, [&](Node& list) {
    Children& entries = NodeBuilder::children(list);
    const NodePtr node = entries.find_shared(entry.steps.back().key);
    side == Side::Before ? entries.put_before(node, *key) : entries.put_after(node, *key);
  });
  return {};
}

}  // namespace millrace::tree
