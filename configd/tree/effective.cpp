// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inactive statements are stripped from one version by looking at how it differs from a version
// that was stripped before, and doing the same to that one's result. So the results share what the
// versions share, and an edit costs what it changed however large the list around it is. The memo
// is a few roots: two sessions' candidates, running, and the rollback at hand.
//
// It holds the sources, not only their results: a node that somebody holds is never changed in
// place, so equal pointers mean equal contents.
#include "tree/effective.h"

#include <algorithm>
#include <vector>

#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

// The nearest entry before `name` in the source that the result has too, or null.
const Node* kept_before(const Children& source, const Children& result, std::string_view name) {
  const Node* at = source.before(name);
  while (at && !result.find(at->name())) {
    at = source.before(at->name());
  }
  return at;
}

// Puts `node` where the source has it: ranked results have an order of their own.
void put_in_place(Children& result, const Children& source, const NodePtr& node) {
  if (result.order() != Order::Ranked || result.find(node->name())) {
    result.put(node);
    return;
  }
  if (const Node* previous = kept_before(source, result, node->name())) {
    result.put_after(node, std::string(previous->name()));
    return;
  }
  const Node* next = source.after(node->name());
  while (next && !result.find(next->name())) {
    next = source.after(next->name());
  }
  if (next) {
    result.put_before(node, std::string(next->name()));
  } else {
    result.put(node);
  }
}

// The effective form of `source`, null when nothing of it has effect. `was` and `was_result` are an
// earlier version and its effective form, or null.
NodePtr strip(const NodePtr& source, const Node* was, const NodePtr& was_result) {
  if (source->inactive()) {
    return nullptr;
  }
  if (!source->holds_inactive()) {
    return source;
  }
  if (was == source.get()) {
    return was_result;
  }
  const Children& children = source->children();
  const bool follows = was && was_result && !Children::moved(was->children(), children);
  Children result = follows ? was_result->children() : children;
  if (follows) {
    Children::diff(was->children(), children, [&](const NodePtr& before, const NodePtr& after) {
      if (!after) {
        result.erase(before->name());
        return;
      }
      const NodePtr kept = strip(after, before.get(), result.find_shared(after->name()));
      if (kept) {
        put_in_place(result, children, kept);
      } else {
        result.erase(after->name());
      }
    });
  } else {
    children.for_each([&](const NodePtr& child) {
      if (child->holds_inactive()) {
        if (NodePtr kept = strip(child, nullptr, nullptr)) {
          result.put(std::move(kept));
        } else {
          result.erase(child->name());
        }
      }
      return true;
    });
  }
  NodePtr stripped = std::make_shared<Node>(*source);
  Node& node = NodeBuilder::own(stripped);
  NodeBuilder::children(node) = std::move(result);
  NodeBuilder::refresh(node);
  return NodeBuilder::vanishes(node) && source->schema()->parent ? nullptr : stripped;
}

}  // namespace

struct Expander::Memo {
  struct Known {
    NodePtr source;
    NodePtr result;
  };
  static constexpr std::size_t kVersions = 8;
  std::vector<Known> known;  // the latest used last
};

Expander::Expander() : memo_(std::make_unique<Memo>()) {}
Expander::~Expander() = default;

ConfigTree Expander::effective(const ConfigTree& tree) {
  if (!tree.root().holds_inactive()) {
    return tree;
  }
  std::vector<Memo::Known>& known = memo_->known;
  const auto seen = std::ranges::find(known, tree.root_ptr(), &Memo::Known::source);
  if (seen != known.end()) {
    std::rotate(seen, seen + 1, known.end());
    return ConfigTree(tree.schema(), known.back().result);
  }
  // A tree of another schema has no use for what is known of this one.
  std::erase_if(known, [&](const Memo::Known& version) {
    return version.source->schema() != tree.root().schema();
  });
  const bool first = known.empty();
  NodePtr result = strip(tree.root_ptr(), first ? nullptr : known.back().source.get(),
                         first ? nullptr : known.back().result);
  if (known.size() == Memo::kVersions) {
    known.erase(known.begin());
  }
  known.push_back({tree.root_ptr(), result});
  return ConfigTree(tree.schema(), std::move(result));
}

}  // namespace millrace::tree
