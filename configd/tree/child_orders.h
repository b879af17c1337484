// SPDX-License-Identifier: GPL-2.0-or-later
//
// Three orders of children over one B-tree; internal to tree/. Statements are kept by their order
// in the schema, entries by key. A ranked list has two trees: rank → node, which is the order of
// display, and key → rank. Ranks are labels with gaps: an entry put between two others takes the
// middle of theirs, and only when there is no room are all of them numbered anew (once in some
// thirty insertions at the very same place). So entries that stand still keep their labels, which
// is what diff and `moved` live on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "schema/type.h"
#include "tree/btree.h"
#include "tree/node.h"

namespace millrace::tree {

struct StatementTraits {
  using Item = NodePtr;
  using Key = std::uint32_t;
  using View = std::uint32_t;
  static View key(const Item& item) { return item->schema()->order; }
  static bool less(View left, View right) { return left < right; }
  static bool same(const Item& left, const Item& right) { return left == right; }
};

struct EntryTraits {
  using Item = NodePtr;
  using Key = std::string;
  using View = std::string_view;
  static View key(const Item& item) { return item->name(); }
  static bool less(View left, View right) { return schema::natural_less(left, right); }
  static bool same(const Item& left, const Item& right) { return left == right; }
};

struct Ranked {
  std::int64_t rank = 0;
  NodePtr node;
};
struct RankTraits {
  using Item = Ranked;
  using Key = std::int64_t;
  using View = std::int64_t;
  static View key(const Item& item) { return item.rank; }
  static bool less(View left, View right) { return left < right; }
  static bool same(const Item& left, const Item& right) { return left.node == right.node; }
};

struct Indexed {
  std::string name;
  std::int64_t rank = 0;
};
struct IndexTraits {
  using Item = Indexed;
  using Key = std::string;
  using View = std::string_view;
  static View key(const Item& item) { return item.name; }
  static bool less(View left, View right) { return left < right; }
  static bool same(const Item& left, const Item& right) { return left.rank == right.rank; }
};

using Statements = BTree<StatementTraits>;
using Entries = BTree<EntryTraits>;

constexpr std::int64_t kRankGap = std::int64_t{1} << 32;

struct RankedEntries {
  BTree<RankTraits> ranks;
  BTree<IndexTraits> index;

  std::size_t size() const { return index.size(); }
  void add(std::int64_t rank, NodePtr node) {
    index.put({std::string(node->name()), rank});
    ranks.put({rank, std::move(node)});
  }
  void renumber() {
    RankedEntries fresh;
    ranks.for_each([&](const Ranked& item) {
      fresh.add(static_cast<std::int64_t>(fresh.size() + 1) * kRankGap, item.node);
      return true;
    });
    *this = std::move(fresh);
  }
};

}  // namespace millrace::tree
