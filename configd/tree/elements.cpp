// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/elements.h"

#include <algorithm>

#include "tree/layout.h"

namespace millrace::tree {
namespace {

using schema::BaseType;
using schema::Kind;
using syntax::Attribute;
using syntax::Element;

bool takes_numbers(const schema::Type& type) {
  return type.base == BaseType::Integer || type.base == BaseType::AsNumber ||
         (type.base == BaseType::Union && std::ranges::any_of(type.members, takes_numbers));
}

bool is_number(std::string_view text) {
  const std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  return !digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos &&
         (digits.size() == 1 || digits.front() != '0');
}

void scalar(Element& element, const schema::Node& schema, std::string_view text,
            const WriteOptions& options) {
  element.text = text;
  element.kind = Element::Kind::Text;
  if (schema.secret && options.hide_secrets) {
    element.text = kSecretText;
  } else if (schema.type.base == BaseType::Empty) {
    element.kind = Element::Kind::Empty;
  } else if (schema.type.base == BaseType::Boolean) {
    element.kind = Element::Kind::Boolean;
  } else if (takes_numbers(schema.type) && is_number(text)) {
    element.kind = Element::Kind::Number;
  }
}

class Maker {
 public:
  explicit Maker(const WriteOptions& options) : options_(options) {}

  // Adds what `node`, a statement, is to the elements around it. `base` is the same statement of
  // the tree that changes are marked against, or null.
  void statement(std::vector<Element>& out, const Node& node, const Node* base) const {
    switch (node.schema()->kind) {
      case Kind::Container:
        contents(out.emplace_back(), node, base);
        return;
      case Kind::List:
        node.children().for_each([&](const NodePtr& entry) {
          contents(out.emplace_back(), *entry, child_of(base, *entry));
          return true;
        });
        return;
      case Kind::LeafList: {
        const std::size_t first = out.size();
        node.children().for_each([&](const NodePtr& value) {
          leaf(out.emplace_back(), *value, child_of(base, *value));
          return true;
        });
        if (out.size() > first) {
          out[first].list_attributes = attributes_of(node);
        }
        return;
      }
      case Kind::Leaf:
        leaf(out.emplace_back(), node, base);
    }
  }

  // A container or entry.
  void contents(Element& element, const Node& node, const Node* base) const {
    element.name = node.schema()->name;
    element.listed = node.is_entry();
    element.attributes = attributes(node, base);
    if (node.is_entry()) {
      element.children.push_back(key_element(*node.schema(), node.name()));
    }
    node.children().for_each([&](const NodePtr& child) {
      statement(element.children, *child, child_of(base, *child));
      return true;
    });
  }

  // A leaf or one value of a leaf-list.
  void leaf(Element& element, const Node& node, const Node* base) const {
    element.name = node.schema()->name;
    element.listed = node.is_entry();
    element.attributes = attributes(node, base);
    scalar(element, *node.schema(), node.is_entry() ? node.name() : node.value(), options_);
  }

 private:
  static const Node* child_of(const Node* base, const Node& child) {
    return base ? base->child(child.name()) : nullptr;
  }

  std::vector<Attribute> attributes(const Node& node, const Node* base) const {
    std::vector<Attribute> out = attributes_of(node);
    if (options_.changed_from && &node != base) {
      out.push_back({"junos:changed", "changed"});
    }
    return out;
  }

  const WriteOptions& options_;
};

// The containers and entries on the way, around what is at the path.
void wrap(std::vector<Element>& out, const ConfigTree& tree, const Path& path, std::size_t depth,
          const Maker& maker, const WriteOptions& options) {
  const Path here{{path.steps.begin(), path.steps.begin() + static_cast<std::ptrdiff_t>(depth)}};
  const schema::PathStep& step = here.steps.back();
  const Node& node = *tree.find(here);
  const Node* base = options.changed_from ? options.changed_from->find(here) : nullptr;
  if (depth == path.steps.size()) {
    if (!step.keyed) {
      maker.statement(out, node, base);
    } else if (step.node->kind == Kind::LeafList) {
      maker.leaf(out.emplace_back(), node, base);
    } else {
      maker.contents(out.emplace_back(), node, base);
    }
    return;
  }
  Element& around = out.emplace_back();
  around.name = step.node->name;
  around.listed = step.keyed;
  if (step.keyed) {
    around.children.push_back(key_element(*step.node, step.key));
  }
  wrap(around.children, tree, path, depth + 1, maker, options);
}

}  // namespace

std::string_view key_name(const schema::Node& list) {
  return list.child("name") ? std::string_view(list.key) : "name";
}

Element key_element(const schema::Node& list, std::string_view key) {
  Element element;
  element.name = key_name(list);
  scalar(element, list, key, {});
  return element;
}

std::vector<Attribute> attributes_of(const Node& node) {
  std::vector<Attribute> attributes;
  if (node.inactive()) {
    attributes.push_back({"inactive", "inactive"});
  }
  if (node.is_protected()) {
    attributes.push_back({"protect", "protect"});
  }
  if (!node.comment().empty()) {
    attributes.push_back({"comment", node.comment()});
  }
  return attributes;
}

Element element_of(const Node& node, WriteOptions options) {
  const Maker maker(options);
  Element element;
  const bool is_value = node.schema()->kind == Kind::Leaf || node.schema()->kind == Kind::LeafList;
  is_value ? maker.leaf(element, node, nullptr) : maker.contents(element, node, nullptr);
  return element;
}

Element to_element(const ConfigTree& tree, const Path& path, WriteOptions options) {
  Element root{.name = "configuration"};
  const Maker maker(options);
  if (path.empty()) {
    maker.contents(root, tree.root(),
                   options.changed_from ? &options.changed_from->root() : nullptr);
    root.name = "configuration";
  } else if (tree.find(path)) {
    wrap(root.children, tree, path, 1, maker, options);
  }
  return root;
}

}  // namespace millrace::tree
