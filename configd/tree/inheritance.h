// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where what a configuration amounts to comes from: for `display inheritance` and for messages. It
// expands the whole tree anew and shares nothing with the trees of tree/effective.h, so that those
// need not remember origins.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "tree/config_tree.h"

namespace millrace::tree {

enum class Defaults : std::uint8_t { Hidden, Shown };

class Inheritance {
 public:
  // With Defaults::Shown, leaves that are absent are in tree() with the default of the schema.
  // O(tree).
  explicit Inheritance(const ConfigTree& tree, Defaults defaults = Defaults::Hidden);
  Inheritance(Inheritance&&) noexcept;
  ~Inheritance();

  const ConfigTree& tree() const { return tree_; }  // the effective form
  // "was inherited from group 'g'", "was expanded from interface-range 'r'"; empty for what the
  // configuration has itself. `node` is of tree().
  std::string origin(const Node& node) const;
  // What the path of an apply-path collects, null for all other nodes.
  const std::vector<std::string>* expansion(const Node& node) const;
  // What is quoted before that: the value of a leaf, the key of an entry, else the keyword.
  static std::string_view quoted(const Node& node);

 private:
  struct Record;
  ConfigTree tree_;
  std::unique_ptr<Record> record_;
};

// The diagnostics of `candidate`'s effective form, those about inherited statements with the group
// or range as a hint.
base::Diagnostics with_origins(const base::Diagnostics& diagnostics, const ConfigTree& candidate);

}  // namespace millrace::tree
