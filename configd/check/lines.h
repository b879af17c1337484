// SPDX-License-Identifier: GPL-2.0-or-later
//
// What each statement of a tree says to the index (index.h), and what a delta therefore changes.
#pragma once

#include <functional>

#include "check/index.h"
#include "check/place.h"
#include "check/rulebook.h"
#include "tree/delta.h"

namespace millrace::check {

// One statement, entry, or value of a leaf-list, with the keys on the way to it.
struct Spot {
  tree::Path path;
  std::vector<std::string> keys;
  const tree::Node* node = nullptr;

  bool is_value() const {
    return node->is_entry() && node->schema()->kind == schema::Kind::LeafList;
  }
};

// The spot and all below it, except where no rule looks. The spot is the same again afterwards.
void each_spot(const Rulebook& book, Spot& spot, const std::function<void(const Spot&)>& visit);

enum class Side : std::uint8_t { Before, After };
// Every spot that went, came, or has another value (then once for either side). `whole` is the path
// of the change, which tells what of the surroundings is on both sides.
using VisitAtom = std::function<void(const Spot&, Side, const tree::Change& change)>;
void each_atom(const Rulebook& book, const tree::Delta& delta, const VisitAtom& visit);

// A value as the index compares it: numbers of one value are one.
std::string normal(std::string_view text);

// What the values of a unique amount to, and of a unique-in one; nothing when it may repeat.
std::optional<std::vector<std::string>> unique_values(const schema::Unique& unique,
                                                      const tree::Node& entry);
std::optional<std::string> unique_value(const schema::UniqueIn& unique, std::string_view value);

// The line of a spot for a rule of its node: what comes before the owner has `prefix` bytes.
struct Ownership {
  std::string line;
  std::size_t prefix = 0;
};
std::optional<Ownership> ownership(const UniqueRule& rule, const Spot& spot);

// The prefix of Key lines that a change at an instance of what `read` looks at concerns.
std::string key_prefix(const Read& read, const std::vector<std::string>& keys);

Index index_of(const Rulebook& book, const tree::ConfigTree& tree);
// Requires: `before` is the index of delta.before(). Cost: the size of the delta.
Index updated(const Rulebook& book, Index before, const tree::Delta& delta);

// Entries on both sides of which a leaf of a unique differs.
std::vector<tree::Path> touched_entries(const Rulebook& book, const tree::Delta& delta);

}  // namespace millrace::check
