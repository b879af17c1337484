// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/merge.h"

#include <utility>

#include "tree/layout.h"
#include "tree/merge_order.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

constexpr const char* kAbsent = "(absent)";
constexpr const char* kRemoved = "(removed)";
constexpr const char* kChanged = "(changed)";

// Whether the node says something by being there.
bool is_statement(const Node& node) {
  return node.is_entry() || node.schema()->kind == schema::Kind::Leaf || node.schema()->presence;
}

std::string value_of(const NodePtr& node) {
  if (!node) {
    return kAbsent;
  }
  return node->schema()->secret ? std::string(kSecretText) : std::string(node->value());
}

std::string comment_of(const NodePtr& node) {
  return node && !node->comment().empty() ? "/* " + node->comment() + " */" : kAbsent;
}

Names names_of(const Children& children) {
  Names out;
  children.for_each([&](const NodePtr& child) {
    out.push_back(child->name());
    return true;
  });
  return out;
}

std::string joined(const Names& names) {
  std::string out;
  for (const auto name : names) {
    out += (out.empty() ? "" : " ") + std::string(name);
  }
  return out;
}

// `names` without those that `children` has not.
Names present(Names names, const Children& children) {
  std::erase_if(names, [&](std::string_view name) { return !children.find(name); });
  return names;
}

class Merger {
 public:
  Merger(const schema::Schema& schema, std::vector<MergeConflict>& conflicts)
      : schema_(schema), conflicts_(conflicts) {}

  // Any of the three may be absent. The result is null when nothing is left.
  NodePtr node(const NodePtr& base, const NodePtr& mine, const NodePtr& theirs) {
    if (same(mine, theirs) || same(base, mine)) {
      return theirs;
    }
    if (same(base, theirs)) {
      return mine;
    }
    const Node& any = mine ? *mine : *theirs;
    if ((!mine || !theirs) && is_statement(any)) {
      conflict(mine ? kChanged : kRemoved, theirs ? kChanged : kRemoved);
      return mine;
    }
    NodePtr out = theirs ? theirs : mine;
    Node& merged = NodeBuilder::own(out);
    if (mine && theirs) {
      value(merged, base, mine, theirs);
      marks(merged, base, mine, theirs);
    }
    const Children nothing = NodeBuilder::statement(*any.schema())->children();
    const Children& before = base ? base->children() : nothing;
    const Children& ours = mine ? mine->children() : nothing;
    NodeBuilder::children(merged) = theirs ? theirs->children() : nothing;
    children(merged, before, ours);
    keep_one(merged, before, ours, theirs ? theirs->children() : nothing);
    order(NodeBuilder::children(merged), before, ours, theirs ? theirs->children() : nothing);
    NodeBuilder::refresh(merged);
    return NodeBuilder::vanishes(merged) ? nullptr : out;
  }

 private:
  bool same(const NodePtr& left, const NodePtr& right) const {
    if (!left || !right) {
      return left == right;
    }
    return ConfigTree(schema_, left) == ConfigTree(schema_, right);
  }

  void conflict(std::string mine, std::string theirs, std::string base = {}) {
    conflicts_.push_back({path_, std::move(base), std::move(mine), std::move(theirs)});
  }

  void value(Node& merged, const NodePtr& base, const NodePtr& mine, const NodePtr& theirs) {
    if (merged.is_entry() || mine->value() == theirs->value() ||
        (base && base->value() == mine->value())) {
      return;
    }
    if (!base || base->value() != theirs->value()) {
      conflict(value_of(mine), value_of(theirs), value_of(base));
    }
    NodeBuilder::set_text(merged, mine->value());
  }

  // A mark has two states, so whoever changed it is right.
  void marks(Node& merged, const NodePtr& base, const NodePtr& mine, const NodePtr& theirs) {
    if (mine->inactive() != (base && base->inactive())) {
      NodeBuilder::set_inactive(merged, mine->inactive());
    }
    if (mine->is_protected() != (base && base->is_protected())) {
      NodeBuilder::set_protected(merged, mine->is_protected());
    }
    const std::string before = base ? base->comment() : std::string();
    if (mine->comment() == before || mine->comment() == theirs->comment()) {
      return;
    }
    if (theirs->comment() != before) {
      conflict(comment_of(mine), comment_of(theirs), comment_of(base));
    }
    NodeBuilder::set_comment(merged, mine->comment());
  }

  // Brings what is mine into `merged`, which has the children of theirs.
  void children(Node& merged, const Children& base, const Children& mine) {
    Children::diff(base, mine, [&](const NodePtr& before, const NodePtr& ours) {
      const Node& any = ours ? *ours : *before;
      const schema::PathStep list_step{any.schema(), {}, false};
      if (any.is_entry()) {
        path_.steps.back() = {any.schema(), std::string(any.name()), true};
      } else {
        path_.steps.push_back(list_step);
      }
      const std::string name(any.name());
      Children& out = NodeBuilder::children(merged);
      if (NodePtr child = node(before, ours, out.find_shared(name))) {
        out.put(std::move(child));
      } else {
        out.erase(name);
      }
      if (any.is_entry()) {
        path_.steps.back() = list_step;
      } else {
        path_.steps.pop_back();
      }
    });
  }

  // A list with room for one entry takes one, and both have put theirs into it.
  void keep_one(Node& merged, const Children& base, const Children& mine, const Children& theirs) {
    Children& entries = NodeBuilder::children(merged);
    const bool has_room_for_one = merged.schema()->kind == schema::Kind::List &&
                                  !merged.is_entry() && merged.schema()->max_elements == 1;
    if (!has_room_for_one || entries.size() < 2) {
      return;
    }
    conflict(joined(names_of(mine)), joined(names_of(theirs)), joined(names_of(base)));
    const Children all = entries;
    all.for_each([&](const NodePtr& entry) {
      if (!mine.find(entry->name())) {
        entries.erase(entry->name());
      }
      return true;
    });
  }

  void order(Children& merged, const Children& base, const Children& mine, const Children& theirs) {
    if (merged.order() != Order::Ranked) {
      return;
    }
    const Names before = names_of(base);
    const Names ours = present(names_of(mine), merged);
    const Names others = present(names_of(theirs), merged);
    const MergedOrder wanted = merge_order(before, ours, others);
    if (wanted.conflict) {
      conflict("order " + joined(ours), "order " + joined(others), "order " + joined(before));
    }
    if (wanted.names == names_of(merged)) {
      return;
    }
    Children sorted(Order::Ranked);
    for (const auto name : wanted.names) {
      sorted.put(merged.find_shared(name));
    }
    merged = std::move(sorted);
  }

  const schema::Schema& schema_;
  std::vector<MergeConflict>& conflicts_;
  Path path_;
};

}  // namespace

Merge merge(const ConfigTree& base, const ConfigTree& mine, const ConfigTree& theirs) {
  Merge out{mine, {}};
  Merger merger(mine.schema(), out.conflicts);
  NodePtr root = merger.node(base.root_ptr(), mine.root_ptr(), theirs.root_ptr());
  out.tree = ConfigTree(mine.schema(), root ? root : NodeBuilder::statement(mine.schema().root()));
  return out;
}

}  // namespace millrace::tree
