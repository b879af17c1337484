// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/reorder.h"

#include <algorithm>
#include <unordered_map>

#include "tree/node.h"

namespace millrace::tree {
namespace {

// The nearest entry before `name` in the source that the result has too, or null.
const Node* kept_before(const Children& source, const Children& result, std::string_view name) {
  const Node* at = source.before(name);
  while (at && !result.find(at->name())) {
    at = source.before(at->name());
  }
  return at;
}

}  // namespace

bool put_in_place(Children& result, const Children& source, const NodePtr& node) {
  if (result.order() != Order::Ranked || result.find(node->name())) {
    result.put(node);
    return true;
  }
  if (const Node* previous = kept_before(source, result, node->name())) {
    result.put_after(node, std::string(previous->name()));
    return true;
  }
  const Node* next = source.after(node->name());
  while (next && !result.find(next->name())) {
    next = source.after(next->name());
  }
  if (next) {
    result.put_before(node, std::string(next->name()));
  }
  return next != nullptr;
}

// Entries on a longest increasing subsequence of old positions stand still; the others moved.
std::vector<std::string_view> moved_names(const Children& before, const Children& after) {
  if (!Children::moved(before, after)) {
    return {};
  }
  std::unordered_map<std::string_view, std::size_t> old_place;
  before.for_each([&](const NodePtr& node) {
    old_place.emplace(node->name(), old_place.size());
    return true;
  });
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  struct Common {
    std::string_view name;
    std::size_t place;
    std::size_t previous = kNone;
  };
  std::vector<Common> common;
  std::vector<std::size_t> ends;  // of the best sequence of each length, by place
  after.for_each([&](const NodePtr& node) {
    const auto old = old_place.find(node->name());
    if (old == old_place.end()) {
      return true;
    }
    const auto end = std::ranges::lower_bound(
        ends, old->second, {}, [&](std::size_t index) { return common[index].place; });
    common.push_back({node->name(), old->second, end == ends.begin() ? kNone : *(end - 1)});
    if (end == ends.end()) {
      ends.push_back(common.size() - 1);
    } else {
      *end = common.size() - 1;
    }
    return true;
  });
  std::vector<bool> still(common.size());
  for (std::size_t at = ends.empty() ? kNone : ends.back(); at != kNone; at = common[at].previous) {
    still[at] = true;
  }
  std::vector<std::string_view> moved;
  for (std::size_t index = 0; index < common.size(); ++index) {
    if (!still[index]) {
      moved.push_back(common[index].name);
    }
  }
  return moved;
}

}  // namespace millrace::tree
