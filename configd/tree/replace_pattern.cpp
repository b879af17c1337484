// SPDX-License-Identifier: GPL-2.0-or-later
//
// Two walks: one, level by level, decides which nodes get which new text, so that `upto` counts
// siblings before what is in them; the other rebuilds the way to those nodes. The entries of a list
// are renamed together: `a` may become `b` while `b` becomes `c`.
#include <deque>
#include <format>
#include <unordered_map>

#include "tree/bulk_edit.h"
#include "tree/edit.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

using base::Code;
using schema::Kind;

class Replacing {
 public:
  Replacing(const base::Pattern& pattern, std::string_view replacement, std::size_t most)
      : pattern_(pattern), replacement_(replacement), most_(most) {}

  base::Result<void> choose(const Node& level, const Path& path) {
    struct Place {
      const Node* node;
      Path path;
    };
    std::deque<Place> waiting = {{&level, path}};
    while (!waiting.empty() && chosen_.size() < most_) {
      const Place place = std::move(waiting.front());
      waiting.pop_front();
      base::Result<void> good;
      place.node->children().for_each([&](const NodePtr& child) {
        if (child->is_protected()) {
          return true;
        }
        Path here = place.path;
        if (child->is_entry()) {
          here.steps.back().keyed = true;
          here.steps.back().key = child->name();
        } else {
          here.steps.push_back({child->schema(), {}, false});
        }
        good = consider(*child, here);
        waiting.push_back({child.get(), std::move(here)});
        return good && chosen_.size() < most_;
      });
      if (!good) {
        return good;
      }
    }
    return {};
  }

  std::size_t count() const { return chosen_.size(); }

  // Requires: `node` is owned.
  base::Result<void> rebuild(Node& node) const {
    Children fresh(node.children().order());
    base::Result<void> good;
    bool changed = false;
    node.children().for_each([&](const NodePtr& child) {
      NodePtr result = child;
      const auto text = chosen_.find(child.get());
      if (text != chosen_.end()) {
        NodeBuilder::set_text(NodeBuilder::own(result), text->second);
      }
      if (!child->children().empty()) {
        Node& own = NodeBuilder::own(result);
        if (good = rebuild(own); !good) {
          return false;
        }
        NodeBuilder::refresh(own);
      }
      if (fresh.find(result->name())) {
        good = base::fail(Code::Conflict,
                          std::format("two objects would be called '{}'", result->name()));
        return false;
      }
      changed = changed || result != child;
      fresh.put(std::move(result));
      return true;
    });
    if (good && changed) {
      NodeBuilder::children(node) = std::move(fresh);
    }
    return good;
  }

 private:
  base::Result<void> consider(const Node& node, const Path& path) {
    const schema::Node& schema = *node.schema();
    const bool has_text = node.is_entry() || schema.kind == Kind::Leaf;
    const std::string_view text = node.is_entry() ? node.name() : node.value();
    if (!has_text || (schema.type.base == schema::BaseType::Empty && !node.is_entry())) {
      return {};
    }
    const auto replaced = pattern_.replace(text, replacement_);
    if (!replaced) {
      return {};
    }
    auto canonical = node.is_entry()
                         ? schema::canonical_key(schema, *replaced, path.parent().keys())
                         : schema.type.canonical(*replaced);
    if (!canonical) {
      canonical.error().message =
          std::format("'{}': {}", path.to_string(), canonical.error().message);
      return std::unexpected(std::move(canonical.error()));
    }
    if (*canonical != text) {
      chosen_.emplace(&node, std::move(*canonical));
    }
    return {};
  }

  const base::Pattern& pattern_;
  std::string_view replacement_;
  std::size_t most_;
  std::unordered_map<const Node*, std::string> chosen_;  // the new text of nodes
};

}  // namespace

base::Result<std::size_t> replace_pattern(Editor& editor, const Path& level,
                                          const base::Pattern& pattern,
                                          std::string_view replacement,
                                          std::optional<std::size_t> upto) {
  const Node* start = editor.tree().find(level);
  if (!start || edit::guarded(editor.tree().root(), level.steps)) {
    return std::size_t{0};
  }
  Replacing replacing(pattern, replacement, upto.value_or(SIZE_MAX));
  if (auto good = replacing.choose(*start, level); !good) {
    return std::unexpected(std::move(good.error()));
  }
  if (replacing.count() == 0) {
    return std::size_t{0};
  }
  base::Result<void> good;
  ConfigTree changed = edit::changed(editor.tree(), level.steps,
                                     [&](Node& node) { good = replacing.rebuild(node); });
  if (!good) {
    return std::unexpected(std::move(good.error()));
  }
  const ConfigTree& before = editor.tree();
  NodePtr root = edit::shared(before.root_ptr(), changed.root_ptr());
  editor.reset(ConfigTree(before.schema(), std::move(root)));
  return replacing.count();
}

std::vector<Path> matching(const ConfigTree& tree, const Path& path, const base::Pattern& pattern) {
  std::vector<Path> found;
  const Node* node = tree.find(path);
  if (!node) {
    return found;
  }
  const auto each = [&](const NodePtr& child, const Path& around) {
    Path here = around;
    if (child->is_entry()) {
      here.steps.back().keyed = true;
      here.steps.back().key = child->name();
    } else {
      here.steps.push_back({child->schema(), {}, false});
    }
    if (pattern.matches(child->name())) {
      found.push_back(std::move(here));
    }
  };
  node->children().for_each([&](const NodePtr& child) {
    if (!child->is_entry() && child->schema()->nameless) {
      const Path list = path / schema::PathStep{child->schema(), {}, false};
      child->children().for_each([&](const NodePtr& entry) {
        each(entry, list);
        return true;
      });
    } else {
      each(child, path);
    }
    return true;
  });
  return found;
}

}  // namespace millrace::tree
