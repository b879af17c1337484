// SPDX-License-Identifier: GPL-2.0-or-later
//
// An instance of a schema node in a tree, with the instances around it; internal to check/. Steps
// and nodes go together, one per schema node: an entry and its list are one step, as in a `must`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tree/config_tree.h"

namespace millrace::check {

struct Place {
  tree::Path path;
  std::vector<const tree::Node*> nodes;  // the root, then one per step of `path`

  const tree::Node& node() const { return *nodes.back(); }
};

Place root_place(const tree::ConfigTree& tree);
// The place at `path`, or nothing.
std::optional<Place> find_place(const tree::ConfigTree& tree, const tree::Path& path);

using Visit = std::function<void(const Place&)>;

// The instances of `child`, a child of the place's schema node: the entries of a list, the
// statement itself of everything else. `place` is the same again afterwards.
void each_child(Place& place, const schema::Node& child, const Visit& visit);
// The instances of `node` at or below the place. Cost: their number and that of the entries on the
// way.
void each_instance(Place& place, const schema::Node& node, const Visit& visit);

// How many steps lead to an instance of the node.
std::size_t depth(const schema::Node& node);
bool is_at_or_below(const schema::Node& node, const schema::Node& top);
// The order of a configuration on the screen. What is not in the tree goes by key.
bool comes_before(const tree::ConfigTree& tree, const tree::Path& left, const tree::Path& right);

// The keys on the way, of lists: with the schema node they are the path again.
std::vector<std::string> keys_of(const tree::Path& path);
// The instance of the node, of a leaf-list as a whole, that these keys lead to.
template <class Keys>
tree::Path path_of(const schema::Node& node, const Keys& keys) {
  std::vector<const schema::Node*> way;
  for (const schema::Node* at = &node; at->parent; at = at->parent) {
    way.push_back(at);
  }
  tree::Path path;
  std::size_t key = 0;
  for (auto at = way.rbegin(); at != way.rend(); ++at) {
    const bool keyed = (*at)->kind == schema::Kind::List;
    path.steps.push_back({*at, keyed ? std::string(keys[key++]) : std::string(), keyed});
  }
  return path;
}

struct PathLess {
  bool operator()(const tree::Path& left, const tree::Path& right) const;
};

}  // namespace millrace::check
