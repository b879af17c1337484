// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/place.h"

#include <algorithm>

namespace millrace::check {

Place root_place(const tree::ConfigTree& tree) {
  return {{}, {&tree.root()}};
}

std::optional<Place> find_place(const tree::ConfigTree& tree, const tree::Path& path) {
  Place place = root_place(tree);
  for (const schema::PathStep& step : path.steps) {
    const tree::Node* node = place.node().child(step.node->name);
    if (node && step.keyed) {
      node = node->child(step.key);
    }
    if (!node) {
      return std::nullopt;
    }
    place.path.steps.push_back(step);
    place.nodes.push_back(node);
  }
  return place;
}

void each_child(Place& place, const schema::Node& child, const Visit& visit) {
  const tree::Node* statement = place.node().child(child.name);
  if (!statement) {
    return;
  }
  place.path.steps.push_back({&child, {}, false});
  place.nodes.push_back(statement);
  if (child.kind == schema::Kind::List) {
    statement->children().for_each([&](const tree::NodePtr& entry) {
      place.path.steps.back() = {&child, std::string(entry->name()), true};
      place.nodes.back() = entry.get();
      visit(place);
      return true;
    });
  } else {
    visit(place);
  }
  place.path.steps.pop_back();
  place.nodes.pop_back();
}

namespace {

// `way` holds the schema nodes still to go, the next one last.
void go_down(Place& place, std::vector<const schema::Node*>& way, const Visit& visit) {
  if (way.empty()) {
    visit(place);
    return;
  }
  const schema::Node* next = way.back();
  way.pop_back();
  each_child(place, *next, [&](const Place&) { go_down(place, way, visit); });
  way.push_back(next);
}

}  // namespace

void each_instance(Place& place, const schema::Node& node, const Visit& visit) {
  const schema::Node* top = place.node().schema();
  std::vector<const schema::Node*> way;
  for (const schema::Node* at = &node; at != top; at = at->parent) {
    way.push_back(at);
  }
  go_down(place, way, visit);
}

std::size_t depth(const schema::Node& node) {
  std::size_t depth = 0;
  for (const schema::Node* at = node.parent; at; at = at->parent) {
    ++depth;
  }
  return depth;
}

bool is_at_or_below(const schema::Node& node, const schema::Node& top) {
  const schema::Node* at = &node;
  while (at && at != &top) {
    at = at->parent;
  }
  return at == &top;
}

namespace {

// Negative when the left step stands before the right one by the order of the schema, 0 when only
// the keys of one list can tell.
int compare_nodes(const schema::Node& left, const schema::Node& right) {
  return left.order < right.order ? -1 : left.order > right.order ? 1 : 0;
}

}  // namespace

bool comes_before(const tree::ConfigTree& tree, const tree::Path& left, const tree::Path& right) {
  const auto [a, b] = std::ranges::mismatch(left.steps, right.steps);
  if (a == left.steps.end() || b == right.steps.end()) {
    return a == left.steps.end() && b != right.steps.end();
  }
  if (a->node != b->node) {
    return compare_nodes(*a->node, *b->node) < 0;
  }
  if (a->node->ordered) {
    const tree::Node* around = tree.find(tree::Path{{left.steps.begin(), a}});
    const tree::Node* list = around ? around->child(a->node->name) : nullptr;
    if (list) {
      return list->children().precedes(a->key, b->key);
    }
  }
  return schema::natural_less(a->key, b->key);
}

bool PathLess::operator()(const tree::Path& left, const tree::Path& right) const {
  const auto [a, b] = std::ranges::mismatch(left.steps, right.steps);
  if (a == left.steps.end() || b == right.steps.end()) {
    return a == left.steps.end() && b != right.steps.end();
  }
  if (a->node != b->node) {
    return compare_nodes(*a->node, *b->node) < 0;
  }
  return a->key != b->key ? schema::natural_less(a->key, b->key) : !a->keyed && b->keyed;
}

std::vector<std::string> keys_of(const tree::Path& path) {
  std::vector<std::string> keys;
  for (const schema::PathStep& step : path.steps) {
    if (step.keyed && step.node->kind == schema::Kind::List) {
      keys.push_back(step.key);
    }
  }
  return keys;
}

}  // namespace millrace::check
