// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/schema.h"

#include <algorithm>
#include <ranges>

#include "schema/parts.h"

namespace millrace::schema {

namespace {

bool is_nameless(const Node& node) {
  return node.kind == Kind::List && node.nameless;
}

}  // namespace

const Node* Node::child(std::string_view child_name) const {
  for (const Node* level = this; level != nullptr; level = level->like) {
    const auto found = std::ranges::lower_bound(
        level->by_name, child_name, {},
        [level](std::uint32_t i) -> std::string_view { return level->children[i]->name; });
    if (found != level->by_name.end()) {
      const Node& node = *level->children[*found];
      if (node.name == child_name && !is_nameless(node)) {
        return &node;
      }
    }
  }
  return nullptr;
}

const Node* Node::nameless_list() const {
  for (const Node* level = this; level != nullptr; level = level->like) {
    for (const auto& node : level->children) {
      if (is_nameless(*node)) {
        return node.get();
      }
    }
  }
  return nullptr;
}

std::string Node::path() const {
  std::vector<const Node*> line;
  for (const Node* node = this; node->parent != nullptr; node = node->parent) {
    if (!is_nameless(*node)) {
      line.push_back(node);
    }
  }
  std::string out;
  for (const Node* node : line | std::views::reverse) {
    out += (out.empty() ? "" : " ") + node->name;
  }
  return out;
}

const Node* declared_child(const Node& node, std::string_view name) {
  if (const Node* child = node.child(name)) {
    return child;
  }
  const Node* list = node.nameless_list();
  return list != nullptr && list->name == name ? list : nullptr;
}

const Node* find_below(const Node& root, std::string_view path) {
  const Node* node = &root;
  while (node != nullptr) {
    path.remove_prefix(std::min(path.find_first_not_of(' '), path.size()));
    if (path.empty()) {
      return node;
    }
    const std::string_view name = path.substr(0, path.find(' '));
    path.remove_prefix(name.size());
    const Node* next = declared_child(*node, name);
    if (const Node* list = node->nameless_list(); next == nullptr && list != nullptr) {
      next = list->child(name);
    }
    node = next;
  }
  return nullptr;
}

Schema::Schema() : parts_(std::make_unique<Parts>()) {}
Schema::Schema(Schema&&) noexcept = default;
Schema& Schema::operator=(Schema&&) noexcept = default;
Schema::~Schema() = default;

const Node& Schema::root() const {
  return parts_->root;
}
const std::vector<Render>& Schema::renders() const {
  return parts_->renders;
}
const std::vector<Command>& Schema::commands() const {
  return parts_->commands;
}
const Node* Schema::find(std::string_view path) const {
  return find_below(parts_->root, path);
}

}  // namespace millrace::schema
