// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reading configuration as appliers do: by name, absent things allowed all the way, defaults of the
// schema filled in. A view borrows from its tree; keep the tree.
//
//   auto unit = View(world.tree)["interfaces"].entry("eth0")["unit"].entry("0");
//   for (auto [key, address] : unit["family"]["inet"]["address"].entries()) …
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tree/config_tree.h"

namespace millrace::tree {

class View {
 public:
  explicit View(const ConfigTree& tree) : schema_(&tree.schema().root()), node_(&tree.root()) {}
  // At a path of the tree, existing or not.
  View(const ConfigTree& tree, const Path& path);

  bool exists() const { return node_ != nullptr; }
  explicit operator bool() const { return exists(); }
  const Node* node() const { return node_; }
  const schema::Node& schema() const { return *schema_; }

  // The child statement; for a container with a nameless list use entry() directly on the
  // container. Requires: the schema has it.
  View operator[](std::string_view name) const;
  View entry(std::string_view key) const;  // of a list
  std::string_view key() const;            // of an entry

  // Leaf: the value, or the default of the schema, or nothing.
  std::optional<std::string_view> value() const;
  std::string text(std::string_view fallback = {}) const;
  std::optional<std::int64_t> number() const;

  // Entries of a list, or values of a leaf-list, in order of display. O(n).
  std::vector<std::pair<std::string_view, View>> entries() const;

 private:
  View(const schema::Node* schema, const Node* node, bool entry)
      : schema_(schema), node_(node), entry_(entry) {}
  const schema::Node* schema_;
  const Node* node_;
  bool entry_ = false;  // of the list `schema_`, which an absent node cannot tell
};

}  // namespace millrace::tree
