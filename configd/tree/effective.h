// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the statements amount to: inactive ones gone, inherited ones there, groups, ranges and
// apply-groups themselves gone. Everything to the right of tree/ that acts on configuration sees
// effective trees only. Pure, and memoised by node, so that the effective trees of two versions
// share what the versions share and a delta between them stays as small as the edit.
#pragma once

#include "tree/config_tree.h"

namespace millrace::tree {

class Expander {
 public:
  Expander();
  ~Expander();

  // Cost: O(1) when nothing in `tree` is inactive or of groups, else O(parts not seen before).
  ConfigTree effective(const ConfigTree& tree);
  // Only without what is inactive. The same cost.
  ConfigTree active(const ConfigTree& tree);

 private:
  struct Memo;
  std::unique_ptr<Memo> memo_;
};

}  // namespace millrace::tree
