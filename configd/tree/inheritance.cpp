// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/inheritance.h"

#include <format>
#include <optional>

#include "syntax/command_line.h"
#include "tree/apply_path.h"
#include "tree/edit.h"
#include "tree/effective.h"
#include "tree/expand.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

using schema::Kind;

constexpr std::string_view kDefaults = "defaults";  // the group that nobody wrote

// `node` with the defaults of absent leaves, everywhere below.
NodePtr with_defaults(const NodePtr& source, const Origin* origin, Inherited& inherited) {
  const schema::Node& schema = *source->schema();
  if (schema.kind == Kind::Leaf || (schema.kind == Kind::LeafList)) {
    return source;
  }
  NodePtr made = std::make_shared<Node>(*source);
  Node& node = NodeBuilder::own(made);
  if (const auto known = inherited.find(source.get()); known != inherited.end()) {
    inherited.emplace(made.get(), known->second);
  }
  const bool is_level = source->is_entry() || schema.kind == Kind::Container;
  source->children().for_each([&](const NodePtr& child) {
    NodeBuilder::children(node).put(with_defaults(child, origin, inherited));
    return true;
  });
  for (const auto& child : schema.children) {
    if (is_level && child->default_value && !source->child(child->name)) {
      NodePtr leaf = NodeBuilder::leaf(*child, *child->default_value);
      inherited.emplace(leaf.get(), origin);
      NodeBuilder::children(node).put(std::move(leaf));
    }
  }
  NodeBuilder::refresh(node);
  return made;
}

std::string words_of(const Inherited& inherited, const Node& node) {
  const auto found = inherited.find(&node);
  if (found == inherited.end()) {
    return {};
  }
  const Origin& origin = *found->second;
  return origin.role == schema::Role::Range
             ? std::format("was expanded from interface-range '{}'", origin.name)
             : std::format("was inherited from group '{}'", origin.name);
}

// What each apply-path at or below `node` collects below `root`.
void add_expansions(const Node& root, const Node& node,
                    std::unordered_map<const Node*, std::vector<std::string>>& expansions) {
  if (!node.holds_inheritance()) {
    return;
  }
  if (node.schema()->role == schema::Role::ApplyPath) {
    expansions.emplace(&node, collected(root, node.value()));
  }
  node.children().for_each([&](const NodePtr& child) {
    add_expansions(root, *child, expansions);
    return true;
  });
}

// The path that the words of a diagnostic name, with the value when there is one of a leaf-list.
std::optional<Path> path_of(const base::Diagnostic& item, const schema::Schema& schema) {
  const auto line = syntax::parse_line(item.level + ' ' + item.statement).line;
  std::vector<std::string_view> words;
  for (const syntax::LineWord& word : line.words) {
    words.push_back(word.text);
  }
  const auto walks = schema::walk(schema.root(), words, schema::Abbreviations::No);
  return walks && walks->size() == 1 ? std::optional(edit::target({}, walks->front()))
                                     : std::nullopt;
}

// The same as expansion counts: a list and its entry are two. Borrows from `path`.
std::vector<Step> steps_of(const Path& path) {
  std::vector<Step> steps;
  for (const schema::PathStep& step : path.steps) {
    steps.push_back({step.node, {}, false});
    if (step.keyed) {
      steps.push_back({step.node, step.key, true});
    }
  }
  return steps;
}

}  // namespace

struct Inheritance::Record {
  Origins origins;
  Inherited inherited;
  std::unordered_map<const Node*, std::vector<std::string>> expansions;
  std::vector<NodePtr> kept;  // what `inherited` knows by address
};

Inheritance::Inheritance(const ConfigTree& tree, Defaults defaults)
    : tree_(Expander().active(tree)), record_(std::make_unique<Record>()) {
  NodePtr root = tree_.root_ptr();
  if (root->holds_inheritance()) {
    root = Expansion(root, record_->origins).run_recorded(record_->inherited);
    add_expansions(*root, *root, record_->expansions);
  }
  if (defaults == Defaults::Shown) {
    record_->kept.push_back(root);
    root = with_defaults(root, record_->origins.of(schema::Role::None, kDefaults, nullptr),
                         record_->inherited);
  }
  tree_ = ConfigTree(tree.schema(), std::move(root));
}

Inheritance::Inheritance(Inheritance&&) noexcept = default;
Inheritance::~Inheritance() = default;

std::string Inheritance::origin(const Node& node) const {
  return words_of(record_->inherited, node);
}

const std::vector<std::string>* Inheritance::expansion(const Node& node) const {
  const auto found = record_->expansions.find(&node);
  return found == record_->expansions.end() ? nullptr : &found->second;
}

std::string_view Inheritance::quoted(const Node& node) {
  return node.value().empty() ? node.name() : node.value();
}

base::Diagnostics with_origins(const base::Diagnostics& diagnostics, const ConfigTree& candidate) {
  if (diagnostics.empty() || !candidate.root().holds_inheritance()) {
    return diagnostics;
  }
  const ConfigTree active = Expander().active(candidate);
  Origins origins;
  base::Diagnostics out;
  for (base::Diagnostic item : diagnostics.items()) {
    if (const auto path = path_of(item, candidate.schema())) {
      Inherited inherited;
      const std::vector<Step> steps = steps_of(*path);
      const NodePtr root = Expansion(active.root_ptr(), origins).run_recorded(inherited, steps);
      const Node* node = edit::find(*root, path->steps);
      if (const std::string origin = node ? words_of(inherited, *node) : ""; !origin.empty()) {
        item.hint += item.hint.empty() ? "" : "; ";
        // A message goes further than a configuration, so no secret is in it.
        const std::string_view quoted = node->schema()->secret
                                            ? std::string_view(node->schema()->name)
                                            : Inheritance::quoted(*node);
        item.hint += std::format("'{}' {}", quoted, origin);
      }
    }
    out.add(std::move(item));
  }
  return out;
}

}  // namespace millrace::tree
