// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of schema/: what a Schema holds.
#pragma once

#include <vector>

#include "schema/schema.h"

namespace millrace::schema {

struct Schema::Parts {
  Node root;
  Node everywhere;     // what may stand at every level
  Node below_the_top;  // and what may at every level but the top
  std::vector<Render> renders;
  std::vector<Command> commands;
};

// The child of that name or the nameless list called so: how templates name nodes.
const Node* declared_child(const Node& node, std::string_view name);
inline Node* declared_child(Node& node, std::string_view name) {
  return const_cast<Node*>(declared_child(static_cast<const Node&>(node), name));
}

// The node at a schema path below `root` (Schema::find); "" is the root itself.
const Node* find_below(const Node& root, std::string_view path);

}  // namespace millrace::schema
