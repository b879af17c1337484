// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/view.h"

#include <charconv>

#include "base/check.h"

namespace millrace::tree {

View::View(const ConfigTree& tree, const Path& path)
    : schema_(&path.schema(tree.schema())),
      node_(tree.find(path)),
      entry_(!path.empty() && path.steps.back().keyed) {}

View View::operator[](std::string_view name) const {
  const schema::Node* child = schema_->child(name);
  if (!child) {
    child = schema_->nameless_list();
  }
  base::check(child && child->name == name, "a view names a statement of the schema");
  return View(child, node_ ? node_->child(name) : nullptr, false);
}

View View::entry(std::string_view key) const {
  const bool is_list =
      !entry_ && (schema_->kind == schema::Kind::List || schema_->kind == schema::Kind::LeafList);
  if (!is_list) {
    const schema::Node* list = schema_->nameless_list();
    base::check(list != nullptr, "only lists have entries");
    return (*this)[list->name].entry(key);
  }
  return View(schema_, node_ ? node_->child(key) : nullptr, true);
}

std::string_view View::key() const {
  return node_ ? node_->name() : std::string_view();
}

std::optional<std::string_view> View::value() const {
  if (node_) {
    return node_->value();
  }
  if (schema_->kind == schema::Kind::Leaf && schema_->default_value) {
    return *schema_->default_value;
  }
  return std::nullopt;
}

std::string View::text(std::string_view fallback) const {
  return std::string(value().value_or(fallback));
}

std::optional<std::int64_t> View::number() const {
  const std::optional<std::string_view> text = value();
  std::int64_t number = 0;
  if (!text) {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  return error == std::errc() && end == text->data() + text->size() ? std::optional(number)
                                                                    : std::nullopt;
}

std::vector<std::pair<std::string_view, View>> View::entries() const {
  const bool is_list =
      !entry_ && (schema_->kind == schema::Kind::List || schema_->kind == schema::Kind::LeafList);
  if (!is_list) {
    const schema::Node* list = schema_->nameless_list();
    base::check(list != nullptr, "only lists have entries");
    return (*this)[list->name].entries();
  }
  std::vector<std::pair<std::string_view, View>> entries;
  if (node_) {
    entries.reserve(node_->children().size());
    node_->children().for_each([&](const NodePtr& node) {
      entries.emplace_back(node->name(), View(schema_, node.get(), true));
      return true;
    });
  }
  return entries;
}

}  // namespace millrace::tree
