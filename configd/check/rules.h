// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is asked of one place, and where the answers go; internal to check/.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "check/check.h"
#include "check/place.h"
#include "check/rulebook.h"

namespace millrace::check {

class Rules {
 public:
  // `index`: that of `tree`; null when there is none, and then everything is looked for.
  Rules(const Rulebook& book, const tree::ConfigTree& tree, const Index* index)
      : book_(book), tree_(tree), index_(index) {}

  // All rules of the place and of everything below it but unique, which concerns several.
  void subtree(Place& place);
  // The rules of the place itself: its value or key, its `must`s, what it must contain.
  void node(const Place& place);

  void must(const Place& place, const schema::Must& must);
  // Whether the place has `child` as it must, and as many of it as it may. Requires: the place is a
  // container or entry.
  void contains(const Place& place, const schema::Node& child);
  // A leaf, an entry by its key, or a leaf-list by all of its values.
  void reference(const Place& place);
  // Requires: all of `owners` (entries, or for unique-in also leaves and values) have one value.
  void repeated(const UniqueRule& rule, std::vector<tree::Path> owners);

  // All findings once each, in the order of the tree.
  Findings take() &&;

 private:
  void add(tree::Path at, base::Severity severity, std::string message,
           Finding::Kind kind = Finding::Kind::Other, std::string name = {});
  void add_missing(const Place& place, std::string name);
  void missing_target(const Place& place, std::string_view value);
  bool is_defined(const schema::Node& target, std::string_view value);
  void repeats(const UniqueRule& rule, const tree::Path& first, const tree::Path& owner);

  const Rulebook& book_;
  const tree::ConfigTree& tree_;
  const Index* index_;
  // Without an index: what is defined, gathered at the first question.
  std::map<const schema::Node*, std::set<std::string, std::less<>>> defined_;
  std::vector<Finding> findings_;
};

}  // namespace millrace::check
