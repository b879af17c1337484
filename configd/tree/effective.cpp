// SPDX-License-Identifier: GPL-2.0-or-later
//
// Three passes, each memoised: without what is inactive, then with what is inherited
// (tree/expand.h), then with what paths collect (tree/apply_path.h).
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

#include "tree/apply_path.h"
#include "tree/expand.h"
#include "tree/node_builder.h"
#include "tree/reorder.h"

namespace millrace::tree {
namespace {

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
      if (kept && !put_in_place(result, children, kept)) {
        result.put(kept);
      } else if (!kept) {
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

  // The latest used last.
  using Versions = std::vector<Known>;

  // The result of `source`, by make(source, latest known or null) when it is not known.
  template <class Make>
  static NodePtr result_of(Versions& known, const NodePtr& source, const Make& make) {
    const auto seen = std::ranges::find(known, source, &Known::source);
    if (seen != known.end()) {
      std::rotate(seen, seen + 1, known.end());
      return known.back().result;
    }
    // A tree of another schema has no use for what is known of this one.
    std::erase_if(
        known, [&](const Known& version) { return version.source->schema() != source->schema(); });
    NodePtr result = make(source, known.empty() ? nullptr : &known.back());
    if (known.size() == kVersions) {
      known.erase(known.begin());
    }
    known.push_back({source, result});
    return result;
  }

  Versions active;
  Versions expanded;
  Versions filled;
  ApplyPaths paths;
  Origins origins;
};

Expander::Expander() : memo_(std::make_unique<Memo>()) {}
Expander::~Expander() = default;

ConfigTree Expander::active(const ConfigTree& tree) {
  if (!tree.root().holds_inactive()) {
    return tree;
  }
  const auto make = [](const NodePtr& source, const Memo::Known* was) {
    return strip(source, was ? was->source.get() : nullptr, was ? was->result : nullptr);
  };
  return ConfigTree(tree.schema(), Memo::result_of(memo_->active, tree.root_ptr(), make));
}

ConfigTree Expander::effective(const ConfigTree& tree) {
  ConfigTree kept = active(tree);
  if (!kept.root().holds_inheritance()) {
    return kept;
  }
  const auto make = [&](const NodePtr& source, const Memo::Known* was) {
    Expansion expansion(source, memo_->origins);
    if (!was) {
      return expansion.run(nullptr, nullptr);
    }
    const Expansion before(was->source, memo_->origins);
    return expansion.run(&before, was->result);
  };
  NodePtr expanded = Memo::result_of(memo_->expanded, kept.root_ptr(), make);
  if (expanded->holds_inheritance()) {
    expanded = Memo::result_of(memo_->filled, expanded, [&](const NodePtr& source, const auto*) {
      return memo_->paths.run(source);
    });
  }
  return ConfigTree(tree.schema(), std::move(expanded));
}

}  // namespace millrace::tree
