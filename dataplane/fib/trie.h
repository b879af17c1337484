// SPDX-License-Identifier: GPL-2.0-or-later
//
// Writes the trie of abi/tables.h. One Trie holds the roots of all tables of routes and both
// families.
//
// Beside the published form there is a shadow: for each node the prefixes that end in it, as given,
// and its children. set() and erase() change the shadow and note which nodes are out of date;
// publish() makes those anew, the deepest first. A node whose runs stay the same gets its new words
// one by one; any other is written to free memory, and then one word of its parent is stored. A
// lookup that runs meanwhile sees the old node or the new one, both whole. Nothing is ever cleared
// to be filled again.
//
// What a node inherits from above is not copied into its runs but stands in its `fallback`, so that
// a change of a short prefix costs words on one level and not the tables below it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "fib/memory.h"
#include "fib/pool.h"

namespace millrace::fib {

// Bytes in network order; IPv4 in the first four.
using Key = std::array<std::uint8_t, 16>;

class Trie {
 public:
  explicit Trie(Memory memory);
  ~Trie();

  // Roots that exist are 0 … roots() - 1; a lookup in one nobody has set anything in finds nothing.
  std::uint32_t roots() const { return static_cast<std::uint32_t>(roots_.size()); }

  // The prefix leads to `leaf` from the next publish() on, or, up to 16 bits, from now on: what the
  // leaf refers to must be in the tables. Requires: root < roots(), length <= 128, leaf is a leaf
  // other than DP_NOTHING, bits of `key` beyond `length` are zero.
  void set(std::uint32_t root, const Key& key, unsigned length, std::uint32_t leaf);
  // A prefix that is not there is no error.
  void erase(std::uint32_t root, const Key& key, unsigned length);

  // False when memory ran out: the trie is not up to date, and the next publish() tries again.
  bool publish();
  bool dirty() const { return !dirty_.empty(); }
  // Frees what publish() replaced. Requires: a grace period has passed since.
  void reclaim();

  struct Usage {
    std::uint32_t nodes, node_limit, entries, entry_limit;
  };
  Usage usage() const;

 private:
  struct Root;
  struct Shadow;
  using ShadowId = std::uint32_t;

  Root& root_of(std::uint32_t root);
  ShadowId descend(std::uint32_t root, const Key& key, unsigned length, bool make);
  ShadowId make_shadow(std::uint32_t root, ShadowId parent, unsigned slot, unsigned level);
  void touch(ShadowId id);
  void set_short(std::uint32_t root, const Key& key, unsigned length, std::uint32_t leaf);
  void paint_root(std::uint32_t root, std::uint32_t heap);
  void store_root(std::uint32_t root, std::uint32_t slot, std::uint32_t leaf);
  void hang(const Shadow& shadow);
  bool remake(ShadowId id);
  void drop(ShadowId id);

  Memory memory_;
  SlotPool nodes_;
  RunPool runs_;
  std::vector<std::unique_ptr<Root>> roots_;
  std::vector<Shadow> shadows_;
  std::vector<ShadowId> free_shadows_;
  std::map<unsigned, std::vector<ShadowId>, std::greater<>> dirty_;  // by level, the deepest first
};

}  // namespace millrace::fib
