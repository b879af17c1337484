// SPDX-License-Identifier: GPL-2.0-or-later
//
// From a configuration with groups and ranges to what it amounts to; internal to tree/. Inactive
// statements are gone already.
#pragma once

#include <unordered_map>

#include "tree/sources.h"

namespace millrace::tree {

// The origin of each statement, entry and value that the configuration does not have itself.
using Inherited = std::unordered_map<const Node*, const Origin*>;

// One expansion. What is neither local nor the same for all shares nothing when it is `recorded`,
// so that every inherited node has one origin; else whatever can be is shared.
class Expansion {
 public:
  Expansion(const NodePtr& root, Origins& origins) : root_(root), groups_(*root, origins) {}

  // The effective form. `was` is an earlier version and `was_result` its effective form, or null:
  // what follows from the same parts is taken from there.
  NodePtr run(const Expansion* was, const NodePtr& was_result);
  // With `only`, nothing beside the way there.
  NodePtr run_recorded(Inherited& inherited, Steps only = {});

 private:
  struct Version {  // of the sources of a place
    const Sources* sources = nullptr;
    NodePtr result;
  };

  NodePtr merged(const schema::Node& schema, const Sources& in, const Version& was);
  void statements(Children& result, const Sources& level, const Sources* was_level,
                  const Version& was);
  void entries(Children& result, const schema::Node& list, const Sources& in, const Version& was);
  bool follow(Children& result, const schema::Node& list, const Sources& in, const Version& was);
  void put_entry(Children& result, const schema::Node& list, std::string_view key,
                 const Sources& in, const Sources* was_in, NodePtr was_result);
  bool is_same(const Sources& in, const Sources& was) const;
  // The step that `only` wants here, or null.
  const Step* wanted() const {
    return place_.size() < only_.size() ? &only_[place_.size()] : nullptr;
  }
  NodePtr finished(NodePtr made, const Source& maker, bool is_local);

  NodePtr root_;
  Groups groups_;
  const Groups* was_groups_ = nullptr;
  Inherited* inherited_ = nullptr;
  Steps only_;
  std::vector<Step> place_;
};

}  // namespace millrace::tree
