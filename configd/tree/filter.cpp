// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/filter.h"

#include <utility>

#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

using schema::Kind;

// "interfaces eth0 unit 0": the words of where we are. Keys are as they are: the text is matched
// against patterns and never parsed.
class Words {
 public:
  class Level {
   public:
    Level(std::string& text, const Node& node) : text_(text), size_(text.size()) {
      if (node.is_entry() || !node.schema()->nameless) {
        text_ += text_.empty() ? "" : " ";
        text_ += node.name();
      }
    }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    ~Level() { text_.resize(size_); }

   private:
    std::string& text_;
    std::size_t size_;
  };

  Level enter(const Node& node) { return {text_, node}; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// `source` with other children, and without what is its own when `bare`.
NodePtr with_children(const NodePtr& source, Children children, bool bare) {
  NodePtr made = std::make_shared<Node>(*source);
  Node& node = NodeBuilder::own(made);
  NodeBuilder::children(node) = std::move(children);
  if (bare) {
    NodeBuilder::set_comment(node, {});
  }
  NodeBuilder::refresh(node);
  return made;
}

// Null when the node does not exist without contents and has none.
NodePtr unless_vanished(NodePtr node) {
  return NodeBuilder::vanishes(*node) && node->schema()->parent ? nullptr : std::move(node);
}

class Viewer {
 public:
  explicit Viewer(const Rights& rights) : rights_(rights) {}

  // Null: nothing of it is visible.
  NodePtr view(const NodePtr& node) {
    const schema::Node& schema = *node->schema();
    const Words::Level level = words_.enter(*node);
    const Reach reach = schema.parent ? rights_.view(schema, words_.text()) : Reach::Self;
    if (reach == Reach::All) {
      return node;
    }
    if (reach == Reach::None) {
      return nullptr;
    }
    if (schema.kind == Kind::Leaf || schema.kind == Kind::LeafList) {
      return reach == Reach::Self ? value(node) : nullptr;
    }
    Children kept = node->children();
    node->children().for_each([&](const NodePtr& child) {
      NodePtr seen = view(child);
      if (!seen) {
        kept.erase(child->name());
      } else if (seen != child) {
        kept.put(std::move(seen));
      }
      return true;
    });
    if (kept.empty() && reach == Reach::Below && schema.parent) {
      return nullptr;
    }
    return unless_vanished(with_children(node, std::move(kept), reach == Reach::Below));
  }

 private:
  static NodePtr value(const NodePtr& node) {
    if (!node->schema()->secret) {
      return node;
    }
    NodePtr made = std::make_shared<Node>(*node);
    Node& masked = NodeBuilder::own(made);
    if (node->schema()->kind == Kind::Leaf) {
      NodeBuilder::set_text(masked, kHiddenSecret);
    } else {
      Children one(node->children().order());
      one.put(NodeBuilder::entry(*node->schema(), kHiddenSecret));
      NodeBuilder::children(masked) = std::move(one);
      NodeBuilder::refresh(masked);
    }
    return made;
  }

  const Rights& rights_;
  Words words_;
};

// What bears on everything in it as well.
bool same_force(const Node& before, const Node& after) {
  return before.inactive() == after.inactive() && before.is_protected() == after.is_protected() &&
         !Children::moved(before.children(), after.children());
}

bool same_marks(const Node& before, const Node& after) {
  return same_force(before, after) && before.comment() == after.comment();
}

// Equal in all, though not the same node.
bool same(const Node& before, const Node& after) {
  bool equal = before.value() == after.value() && same_marks(before, after);
  Children::diff(before.children(), after.children(),
                 [&](const NodePtr& old_child, const NodePtr& new_child) {
                   equal = equal && old_child && new_child && same(*old_child, *new_child);
                 });
  return equal;
}

bool is_hidden_secret(const Node& node) {
  return node.schema()->secret &&
         (node.value() == kHiddenSecret || node.children().find(kHiddenSecret));
}

class Judge {
 public:
  explicit Judge(const Rights& rights) : rights_(rights) {}

  // What may come of `before` becoming `after`; either may be null, and so may the result.
  NodePtr judge(const NodePtr& before, const NodePtr& after) {
    if (before == after) {
      return after;
    }
    const schema::Node& schema = *(after ? after : before)->schema();
    const Words::Level level = words_.enter(after ? *after : *before);
    const Reach reach = schema.parent ? rights_.edit(schema, words_.text()) : Reach::Below;
    const bool is_value = schema.kind == Kind::Leaf || schema.kind == Kind::LeafList;
    if (reach == Reach::All || (is_value && reach == Reach::Self)) {
      return after;
    }
    if (reach == Reach::None || is_value) {
      if ((before && after && same(*before, *after)) || (after && is_hidden_secret(*after))) {
        return before;
      }
      refuse(before, after);
      return before;
    }
    const bool is_list = schema.kind == Kind::List && !(after ? after : before)->is_entry();
    return contents(before, after, reach == Reach::Self, is_list || !schema.parent);
  }

  std::vector<Refusal> take() { return std::move(refusals_); }

 private:
  void refuse(const NodePtr& before, const NodePtr& after) {
    const schema::Node& schema = *(after ? after : before)->schema();
    const bool seen = rights_.view(schema, words_.text()) > Reach::Below;
    refusals_.push_back({words_.text(), before && !after, seen});
  }

  // Whether all of it may be changed. Requires: the words lead to `node`.
  bool is_whole(const Node& node) {
    const Reach reach = rights_.edit(*node.schema(), words_.text());
    const Kind kind = node.schema()->kind;
    if (reach < Reach::Self || reach == Reach::All || kind == Kind::Leaf ||
        kind == Kind::LeafList) {
      return reach >= Reach::Self;
    }
    bool whole = true;
    node.children().for_each([&](const NodePtr& child) {
      const Words::Level level = words_.enter(*child);
      whole = is_whole(*child);
      return whole;
    });
    return whole;
  }

  // `itself`: what the statement is, beside its contents, may be changed. `implied`: it is there
  // with its contents and gone without them.
  NodePtr contents(const NodePtr& before, const NodePtr& after, bool itself, bool implied) {
    const Children nothing;
    const Children& old_children = before ? before->children() : nothing;
    const Children& new_children = after ? after->children() : nothing;
    // Whoever deactivates a level, or changes an order, does it to all that is there.
    const bool stays = before && after &&
                       (itself ? !same_force(*before, *after) && !is_whole(*before)
                               : !same_marks(*before, *after));
    if (stays) {
      refuse(before, after);
    }
    if (!before && !itself && !implied && !after->comment().empty()) {
      refuse(before, after);
    }
    const NodePtr& base = after && !stays && (itself || !before) ? after : before;
    Children result = base == after ? new_children : old_children;
    Children::diff(old_children, new_children,
                   [&](const NodePtr& old_child, const NodePtr& new_child) {
                     NodePtr judged = judge(old_child, new_child);
                     if (judged == (base == after ? new_child : old_child)) {
                       return;
                     }
                     if (judged) {
                       result.put(std::move(judged));
                     } else {
                       result.erase((old_child ? old_child : new_child)->name());
                     }
                   });
    const bool empty = result.empty();
    if (before && after) {
      return unless_vanished(with_children(base, std::move(result), false));
    }
    if (itself || implied) {
      // Made with what may be made in it; gone unless something in it must stay.
      return !after && empty ? nullptr
                             : unless_vanished(with_children(base, std::move(result), false));
    }
    if (after && empty) {
      if (new_children.empty()) {
        refuse(before, after);
      }
      return nullptr;
    }
    NodePtr made = unless_vanished(with_children(base, std::move(result), after != nullptr));
    if (before && made && empty) {
      refuse(before, after);  // its contents went, the entry itself may not
    }
    return made;
  }

  const Rights& rights_;
  Words words_;
  std::vector<Refusal> refusals_;
};

}  // namespace

ConfigTree visible(const ConfigTree& tree, const Rights& rights) {
  return {tree.schema(), Viewer(rights).view(tree.root_ptr())};
}

Permitted permitted(const ConfigTree& before, const ConfigTree& after, const Rights& rights) {
  Judge judge(rights);
  NodePtr root = judge.judge(before.root_ptr(), after.root_ptr());
  return {ConfigTree(after.schema(), std::move(root)), judge.take()};
}

}  // namespace millrace::tree
