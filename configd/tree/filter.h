// SPDX-License-Identifier: GPL-2.0-or-later
//
// A configuration as somebody may see it, and an edit as somebody may make it. Both are functions
// from trees to trees, so that everything that shows or changes configuration is right without
// knowing of rights: it is given a tree without the rest, or its result is held against the rights.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tree/config_tree.h"

namespace millrace::tree {

// How far a right goes at one statement.
enum class Reach : std::uint8_t {
  None,   // neither the statement nor anything in it
  Below,  // perhaps something in it
  Self,   // the statement itself, and perhaps something in it
  All,    // it and everything in it
};

class Rights {
 public:
  virtual ~Rights() = default;

  // `words` is the path as text, "interfaces eth0 unit 0". What holds of a statement with All or
  // None holds of everything in it. To view a secret leaf with Self is to see it masked.
  virtual Reach view(const schema::Node& node, std::string_view words) const = 0;
  virtual Reach edit(const schema::Node& node, std::string_view words) const = 0;
};

// What stands in the place of a secret value.
inline constexpr std::string_view kHiddenSecret = "/* SECRET-DATA */";

// `tree` without what `rights` do not show; secrets are masked where they may not be seen. Levels
// around something visible stay, without their comments. O(1) where the answer is All or None.
ConfigTree visible(const ConfigTree& tree, const Rights& rights);

struct Refusal {
  std::string path;      // "system login user x"
  bool removal = false;  // it would have gone
  bool seen = false;     // it may be viewed: else who is told of it learns that it is there
};

struct Permitted {
  ConfigTree tree;                // `after` where the change is permitted, `before` where it is not
  std::vector<Refusal> refusals;  // of each topmost statement
};

// The part of the change from `before` to `after` that `rights` permit. A secret that became
// kHiddenSecret for somebody who sees only that is no change. O(change).
Permitted permitted(const ConfigTree& before, const ConfigTree& after, const Rights& rights);

}  // namespace millrace::tree
