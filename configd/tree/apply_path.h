// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists that fill themselves from elsewhere in the configuration:
//
//   prefix-list peers { apply-path "protocols bgp group <*> neighbor <*>"; }
//
// The path is words of the hierarchy; `<*>`, `<ge-*>` stand for every name that matches, and the
// last one for what is collected: keys, values of a leaf-list, or the value of a leaf. Addresses
// count as prefixes of their full length, addresses of interfaces as their networks; names of hosts
// and the like are passed over. It works on what groups and ranges have made of the configuration,
// so inherited statements count.
//
// ApplyPaths keeps the last version with how often each prefix was found, and goes from there by
// what differs: one neighbour more among 100,000 costs that one neighbour.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tree/config_tree.h"

namespace millrace::tree {

// One step of such a path: a statement, then of a list its key, of a leaf-list or leaf its value.
struct ApplyPathStep {
  const schema::Node* node = nullptr;
  bool is_value = false;     // the key or value of what the step before names
  std::string name = {};     // of a value: this one
  std::string pattern = {};  // or, when not empty, those that match
};

// Errors: UnknownPath, Syntax: what is wrong with the word, in a text for the user.
// `root` is that of the schema.
base::Result<std::vector<ApplyPathStep>> read_apply_path(const schema::Node& root,
                                                         std::string_view text);

// The prefixes that `text` collects below `root`, in their natural order; none when it is wrong.
std::vector<std::string> collected(const Node& root, std::string_view text);

class ApplyPaths {
 public:
  // `root` with the entries and without the paths. Requires: `root` has no groups and no ranges.
  // Cost: what differs from the version of the call before.
  NodePtr run(const NodePtr& root);

 private:
  using Place = std::vector<schema::PathStep>;  // of the entry that has the path
  struct Filled {
    Place place;
    const schema::Node* path = nullptr;
    std::string text;
    std::unordered_map<std::string, std::uint32_t> found;  // how often
  };

  void find(const Node* before, const Node* after, Place& place);
  std::set<std::string> touched(const Node& root, Filled& filled, const Node* own_before,
                                const Node* own) const;
  NodePtr with_entries(const NodePtr& result, const NodePtr& root, Filled& filled) const;

  NodePtr source_;  // the version of the last call, null at first
  NodePtr result_;
  std::map<std::string, Filled> filled_;  // by the words of the place
  std::set<std::string> fresh_;  // of filled_, those that this version has and the last not
};

}  // namespace millrace::tree
