// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is asked of one place, and where the answers go; internal to check/.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/diagnostics.h"
#include "check/place.h"

namespace millrace::check {

class Rules {
 public:
  explicit Rules(const tree::ConfigTree& tree) : tree_(tree) {}

  // All rules of the place and of everything below it.
  void subtree(Place& place);
  // The rules of the place itself: its value or key, its `must`s, what it must contain.
  void node(const Place& place);

  void must(const Place& place, const schema::Must& must);
  // Requires: the place is a container or entry.
  void mandatory(const Place& place, const schema::Node& leaf);
  // A leaf, an entry by its key, or a leaf-list by all of its values.
  void reference(const Place& place);
  // The entries of the list that `leaf` is a statement of and whose parent is the place. `among`:
  // the values that may repeat; null: any.
  using Values = std::set<std::string, std::less<>>;
  void unique(const Place& parent, const schema::Node& leaf, const Values* among = nullptr);

  // All findings once each, in the order of the tree.
  base::Diagnostics take() &&;

 private:
  struct Finding {
    tree::Path path;
    base::Diagnostic diagnostic;
  };

  void add(tree::Path at, base::Severity severity, std::string message);
  void missing_target(const Place& place, std::string_view value);

  const tree::ConfigTree& tree_;
  std::vector<Finding> findings_;
};

}  // namespace millrace::check
