// SPDX-License-Identifier: GPL-2.0-or-later
//
// A difference as elements with operations, those of NETCONF and Junos: `create`, `delete`,
// `replace`, and `insert` in lists whose order matters. Only what differs is there, and the keys
// that lead to it.
#include <algorithm>
#include <unordered_set>

#include "tree/compare.h"
#include "tree/elements.h"
#include "tree/reorder.h"

namespace millrace::tree {
namespace {

using schema::Kind;
using syntax::Attribute;
using syntax::Element;
using Elements = std::vector<Element>;

class Maker {
 public:
  explicit Maker(const WriteOptions& options) : options_(options) {}

  void contents(Elements& out, const Children& before, const Children& after) const {
    Children::diff(before, after, [&](const NodePtr& old_child, const NodePtr& new_child) {
      statement(out, old_child.get(), new_child.get());
    });
  }

  // One statement that is not the same on both sides; null where it is absent.
  void statement(Elements& out, const Node* before, const Node* after) const {
    const schema::Node& schema = *(before ? before : after)->schema();
    const Children nothing;
    if (schema.kind == Kind::List) {
      entries(out, before ? before->children() : nothing, after ? after->children() : nothing);
    } else if (schema.kind == Kind::LeafList) {
      leaf_list(out, before, after);
    } else if (!before || !after) {
      out.push_back(after ? made(*after, "create") : gone(*before));
    } else if (schema.kind == Kind::Leaf) {
      out.push_back(made(*after, "replace"));
    } else if (Element element = both(*before, *after); says_something(element)) {
      out.push_back(std::move(element));
    }
  }

  // An entry; the same on both sides when only its place differs.
  void entry(Elements& out, const Node* before, const Node* after) const {
    if (before == after) {
      out.push_back(bare(*after));
    } else if (before && after) {
      if (Element element = both(*before, *after); says_something(element)) {
        out.push_back(std::move(element));
      }
    } else {
      out.push_back(after ? made(*after, "create") : gone(*before));
    }
  }

 private:
  static void operation(std::vector<Attribute>& attributes, std::string_view name) {
    attributes.insert(attributes.begin(), {"operation", std::string(name)});
  }

  Element made(const Node& node, std::string_view name) const {
    Element element = element_of(node, options_);
    operation(element.attributes, name);
    return element;
  }

  // The name, and the key of an entry or value of a leaf-list.
  Element bare(const Node& node) const {
    Element element{.name = node.schema()->name, .listed = node.is_entry()};
    if (!node.is_entry()) {
      element.kind = node.schema()->kind == Kind::Leaf ? Element::Kind::Empty : element.kind;
      return element;
    }
    if (node.schema()->kind == Kind::List) {
      element.children.push_back(key_element(*node.schema(), node.name()));
      return element;
    }
    element = element_of(node, options_);  // a value
    element.attributes.clear();
    return element;
  }

  Element gone(const Node& node) const {
    Element element = bare(node);
    operation(element.attributes, "delete");
    return element;
  }

  // The same object on both sides: its own state, then what is in it.
  Element both(const Node& before, const Node& after) const {
    Element element = bare(after);
    const auto flag = [&](bool was, bool is, std::string_view on, std::string_view off) {
      if (was != is) {
        const std::string name(is ? on : off);
        element.attributes.push_back({name, name});
      }
    };
    flag(before.inactive(), after.inactive(), "inactive", "active");
    flag(before.is_protected(), after.is_protected(), "protect", "unprotect");
    if (before.comment() != after.comment()) {
      element.attributes.push_back({"comment", after.comment()});
    }
    contents(element.children, before.children(), after.children());
    return element;
  }

  // Trees made in different ways may be equal where they share nothing.
  static bool says_something(const Element& element) {
    return !element.attributes.empty() || element.children.size() > (element.listed ? 1 : 0);
  }

  static bool has_marks(const Node& node) {
    return node.inactive() || node.is_protected() || !node.comment().empty();
  }

  void leaf_list(Elements& out, const Node* before, const Node* after) const {
    if (!after) {
      out.push_back({.name = before->schema()->name,
                     .kind = Element::Kind::Empty,
                     .attributes = {{"operation", "delete"}}});
      return;
    }
    const Children nothing;
    const Children& old_values = before ? before->children() : nothing;
    bool value_by_value =
        !after->schema()->ordered && !has_marks(*after) && (!before || !has_marks(*before));
    Children::diff(old_values, after->children(), [&](const NodePtr& was, const NodePtr& is) {
      value_by_value = value_by_value && (!was || !is);
    });
    if (value_by_value) {
      Children::diff(old_values, after->children(), [&](const NodePtr& was, const NodePtr& is) {
        out.push_back(is ? made(*is, "create") : gone(*was));
      });
      return;
    }
    const std::size_t first = out.size();
    after->children().for_each([&](const NodePtr& value) {
      out.push_back(element_of(*value, options_));
      return true;
    });
    out[first].list_attributes = attributes_of(*after);
    operation(out[first].list_attributes, "replace");
  }

  void entries(Elements& out, const Children& before, const Children& after) const {
    const std::vector<std::string_view> moved = moved_names(before, after);
    const std::unordered_set<std::string_view> movers(moved.begin(), moved.end());
    if (after.order() != Order::Ranked) {
      Children::diff(before, after, [&](const NodePtr& was, const NodePtr& is) {
        entry(out, was.get(), is.get());
      });
      return;
    }
    before.for_each([&](const NodePtr& was) {
      if (!after.find(was->name())) {
        entry(out, was.get(), nullptr);
      }
      return true;
    });
    after.for_each([&](const NodePtr& is) {
      const Node* was = before.find(is->name());
      const bool is_placed = !was || movers.contains(is->name());
      const std::size_t size = out.size();
      if (was != is.get() || is_placed) {
        entry(out, was, is.get());
      }
      if (is_placed) {
        if (out.size() == size) {
          out.push_back(bare(*is));
        }
        place(out.back(), before, after, *is, movers);
      }
      return true;
    });
  }

  // Behind what stands before it, which is in its place by then, or before the first entry that
  // stays where it is.
  static void place(Element& element, const Children& before, const Children& after,
                    const Node& entry, const std::unordered_set<std::string_view>& movers) {
    std::string_view side = "after";
    const Node* neighbour = after.before(entry.name());
    if (!neighbour) {
      side = "before";
      neighbour = after.after(entry.name());
      while (neighbour && (!before.find(neighbour->name()) || movers.contains(neighbour->name()))) {
        neighbour = after.after(neighbour->name());
      }
    }
    if (neighbour) {
      element.attributes.push_back({"insert", std::string(side)});
      element.attributes.push_back({"name", std::string(neighbour->name())});
    }
  }

  const WriteOptions& options_;
};

}  // namespace

Element compare_element(const Delta& delta, const Path& base, WriteOptions options) {
  Element root{.name = "configuration"};
  Elements* level = &root.children;
  const Node* before = delta.before().find(base);
  const Node* after = delta.after().find(base);
  if (before == after) {
    return root;
  }
  for (std::size_t depth = 1; depth < base.steps.size(); ++depth) {
    const schema::PathStep& step = base.steps[depth - 1];
    Element& around = level->emplace_back();
    around.name = step.node->name;
    around.listed = step.keyed;
    if (step.keyed) {
      around.children.push_back(key_element(*step.node, step.key));
    }
    level = &around.children;
  }
  const Maker maker(options);
  if (base.empty()) {
    maker.contents(*level, delta.before().root().children(), delta.after().root().children());
    return root;
  }
  if (base.steps.back().keyed) {
    maker.entry(*level, before, after);
  } else {
    maker.statement(*level, before, after);
  }
  return root;
}

}  // namespace millrace::tree
