// SPDX-License-Identifier: GPL-2.0-or-later
//
// The persistent B+-tree under tree/children.h and the index of check/. Copying a tree copies one
// pointer. A change copies the blocks from the root to the leaf it touches, and only
// those that somebody else holds too: a tree with one owner is changed in place.
//
// Items live in leaves; an inner block has edges, each with a lower bound for what is below it
// (`first`), which stays a bound and is not tightened when items go. The bound of edge 0 is never
// read. Blocks hold 2..kWidth things; blocks that shrink below a quarter are joined with a
// neighbour or share with it.
//
// Traits: Item; Key (owned) and View (borrowed) of the key; `View key(const Item&)`;
// `bool less(View, View)`; `bool same(const Item&, const Item&)`, for items of equal keys.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace millrace::tree {

// Blocks allocated by this thread: tests count work with it instead of timing it.
inline thread_local std::uint64_t TEST_blocks_made = 0;

template <class Traits>
class BTree {
 public:
  using Item = typename Traits::Item;
  using Key = typename Traits::Key;
  using View = typename Traits::View;
  static constexpr std::size_t kWidth = 32;

  std::size_t size() const { return size_; }

  const Item* find(View key) const {
    if (!root_) {
      return nullptr;
    }
    const Block* block = root_.get();
    while (!block->leaf()) {
      block = block->edges[edge_for(*block, key)].block.get();
    }
    const std::size_t at = place_of(*block, key);
    return at < block->items.size() && !Traits::less(key, Traits::key(block->items[at]))
               ? &block->items[at]
               : nullptr;
  }
  const Item* first() const { return root_ ? first_in(*root_) : nullptr; }
  const Item* last() const { return root_ ? last_in(*root_) : nullptr; }
  // The greatest item below `key` and the least above it, whether `key` is present or not.
  const Item* before(View key) const { return root_ ? before_in(*root_, key) : nullptr; }
  const Item* after(View key) const { return root_ ? after_in(*root_, key) : nullptr; }

  // The item for changing all but its key, or null. Valid until the next change of the tree.
  Item* slot(View key) {
    if (!root_) {
      return nullptr;
    }
    BlockPtr* block = &root_;
    while (true) {
      Block& owned = own(*block);
      if (owned.leaf()) {
        const std::size_t at = place_of(owned, key);
        return at < owned.items.size() && !Traits::less(key, Traits::key(owned.items[at]))
                   ? &owned.items[at]
                   : nullptr;
      }
      block = &owned.edges[edge_for(owned, key)].block;
    }
  }

  // Adds, or replaces the item of the same key.
  void put(Item item) {
    if (!root_) {
      root_ = make(Block{});
    }
    std::optional<Edge> right = put_in(root_, std::move(item));
    if (right) {
      Block top;
      top.edges.push_back(Edge{Key{}, std::move(root_)});
      top.edges.push_back(std::move(*right));
      root_ = make(std::move(top));
    }
  }

  void erase(View key) {
    if (!find(key)) {
      return;
    }
    erase_in(root_, key);
    --size_;
    if (size_ == 0) {
      root_.reset();
      return;
    }
    while (root_->edges.size() == 1) {
      root_ = BlockPtr(root_->edges.front().block);
    }
  }

  // In order of key, until `visit` returns false.
  template <class Visit>
  void for_each(const Visit& visit) const {
    if (root_) {
      each_in(*root_, visit);
    }
  }

  // visit(const Item*, const Item*) in order of key for items on one side only, or on both and not
  // the same. Blocks that both trees share are stepped over.
  template <class Visit>
  static void diff(const BTree& before, const BTree& after, const Visit& visit) {
    if (before.root_ == after.root_) {
      return;
    }
    Cursor left(before.root_.get());
    Cursor right(after.root_.get());
    while (!left.at_end() && !right.at_end()) {
      if (Cursor::skip_shared(left, right)) {
        continue;
      }
      const Item& old_item = left.item();
      const Item& new_item = right.item();
      if (Traits::less(Traits::key(old_item), Traits::key(new_item))) {
        visit(&old_item, nullptr);
        left.next();
      } else if (Traits::less(Traits::key(new_item), Traits::key(old_item))) {
        visit(nullptr, &new_item);
        right.next();
      } else {
        if (!Traits::same(old_item, new_item)) {
          visit(&old_item, &new_item);
        }
        left.next();
        right.next();
      }
    }
    for (; !left.at_end(); left.next()) {
      visit(&left.item(), nullptr);
    }
    for (; !right.at_end(); right.next()) {
      visit(nullptr, &right.item());
    }
  }

 private:
  struct Block;
  using BlockPtr = std::shared_ptr<const Block>;
  struct Edge {
    Key first;
    BlockPtr block;
  };
  struct Block {
    std::vector<Item> items;  // of a leaf
    std::vector<Edge> edges;  // of an inner block
    bool leaf() const { return edges.empty(); }
    std::size_t width() const { return leaf() ? items.size() : edges.size(); }
  };

  class Cursor {
   public:
    explicit Cursor(const Block* root) {
      if (root) {
        descend(root);
      }
    }
    bool at_end() const { return way_.empty(); }
    const Item& item() const { return way_.back().block->items[way_.back().index]; }
    void next() { step(0); }

    // Steps over the largest block that both cursors stand at the start of.
    static bool skip_shared(Cursor& left, Cursor& right) {
      const std::size_t levels = std::min(left.way_.size(), right.way_.size());
      std::size_t shared = levels;
      for (std::size_t level = 0; level < levels; ++level) {
        const Stop& a = left.way_[left.way_.size() - 1 - level];
        const Stop& b = right.way_[right.way_.size() - 1 - level];
        if (a.index != 0 || b.index != 0) {
          break;
        }
        if (a.block == b.block) {
          shared = level;
        }
      }
      if (shared == levels) {
        return false;
      }
      left.step(shared + 1);
      right.step(shared + 1);
      return true;
    }

   private:
    struct Stop {
      const Block* block;
      std::size_t index;
    };

    void descend(const Block* block) {
      while (true) {
        way_.push_back({block, 0});
        if (block->leaf()) {
          return;
        }
        block = block->edges.front().block.get();
      }
    }
    // Leaves `levels` blocks behind and goes to the next thing in the one above.
    void step(std::size_t levels) {
      way_.resize(way_.size() - std::min(levels, way_.size()));
      while (!way_.empty()) {
        Stop& stop = way_.back();
        if (++stop.index < stop.block->width()) {
          if (!stop.block->leaf()) {
            descend(stop.block->edges[stop.index].block.get());
          }
          return;
        }
        way_.pop_back();
      }
    }

    std::vector<Stop> way_;  // from the root to the leaf
  };

  static BlockPtr make(Block block) {
    ++TEST_blocks_made;
    return std::make_shared<Block>(std::move(block));
  }
  // Blocks are made non-const, so the cast is sound; the count is 1 only when the whole way to the
  // block is ours, since a copy of any block above would hold it too.
  static Block& own(BlockPtr& block) {
    if (block.use_count() != 1) {
      block = make(Block(*block));
    }
    return const_cast<Block&>(*block);
  }

  // Input in order is the common case (what `show` printed), so the end is tried first.
  static std::size_t edge_for(const Block& block, View key) {
    if (!Traits::less(key, block.edges.back().first) || block.edges.size() == 1) {
      return block.edges.size() - 1;
    }
    const auto above = std::upper_bound(
        block.edges.begin() + 1, block.edges.end(), key,
        [](View wanted, const Edge& edge) { return Traits::less(wanted, edge.first); });
    return static_cast<std::size_t>(above - block.edges.begin()) - 1;
  }
  static std::size_t place_of(const Block& block, View key) {
    if (block.items.empty() || Traits::less(Traits::key(block.items.back()), key)) {
      return block.items.size();
    }
    const auto at = std::lower_bound(
        block.items.begin(), block.items.end(), key,
        [](const Item& item, View wanted) { return Traits::less(Traits::key(item), wanted); });
    return static_cast<std::size_t>(at - block.items.begin());
  }

  static const Item* first_in(const Block& block) {
    return block.leaf() ? &block.items.front() : first_in(*block.edges.front().block);
  }
  static const Item* last_in(const Block& block) {
    return block.leaf() ? &block.items.back() : last_in(*block.edges.back().block);
  }
  static const Item* before_in(const Block& block, View key) {
    if (block.leaf()) {
      const std::size_t at = place_of(block, key);
      return at == 0 ? nullptr : &block.items[at - 1];
    }
    const std::size_t edge = edge_for(block, key);
    const Item* found = before_in(*block.edges[edge].block, key);
    return found || edge == 0 ? found : last_in(*block.edges[edge - 1].block);
  }
  static const Item* after_in(const Block& block, View key) {
    if (block.leaf()) {
      std::size_t at = place_of(block, key);
      if (at < block.items.size() && !Traits::less(key, Traits::key(block.items[at]))) {
        ++at;
      }
      return at == block.items.size() ? nullptr : &block.items[at];
    }
    const std::size_t edge = edge_for(block, key);
    const Item* found = after_in(*block.edges[edge].block, key);
    return found || edge + 1 == block.edges.size() ? found : first_in(*block.edges[edge + 1].block);
  }

  template <class Visit>
  static bool each_in(const Block& block, const Visit& visit) {
    return block.leaf() ? std::ranges::all_of(block.items, visit)
                        : std::ranges::all_of(block.edges, [&](const Edge& edge) {
                            return each_in(*edge.block, visit);
                          });
  }

  // Returns the new right neighbour when the block became too wide.
  std::optional<Edge> put_in(BlockPtr& block, Item item) {
    Block& owned = own(block);
    std::size_t at = 0;
    if (owned.leaf()) {
      at = place_of(owned, Traits::key(item));
      if (at < owned.items.size() &&
          !Traits::less(Traits::key(item), Traits::key(owned.items[at]))) {
        owned.items[at] = std::move(item);
        return std::nullopt;
      }
      owned.items.insert(owned.items.begin() + static_cast<std::ptrdiff_t>(at), std::move(item));
      ++size_;
    } else {
      at = edge_for(owned, Traits::key(item));
      std::optional<Edge> right = put_in(owned.edges[at].block, std::move(item));
      if (!right) {
        return std::nullopt;
      }
      ++at;
      owned.edges.insert(owned.edges.begin() + static_cast<std::ptrdiff_t>(at), std::move(*right));
    }
    if (owned.width() <= kWidth) {
      return std::nullopt;
    }
    // Input in order leaves full blocks behind.
    return split(owned, at + 1 == owned.width() ? kWidth * 7 / 8 : kWidth / 2);
  }

  static Edge split(Block& block, std::size_t at) {
    Block right;
    const auto offset = static_cast<std::ptrdiff_t>(at);
    if (block.leaf()) {
      right.items.assign(std::make_move_iterator(block.items.begin() + offset),
                         std::make_move_iterator(block.items.end()));
      block.items.resize(at);
      Key first(Traits::key(right.items.front()));
      return Edge{std::move(first), make(std::move(right))};
    }
    right.edges.assign(std::make_move_iterator(block.edges.begin() + offset),
                       std::make_move_iterator(block.edges.end()));
    block.edges.resize(at);
    Key first = right.edges.front().first;
    return Edge{std::move(first), make(std::move(right))};
  }

  // Requires: `key` is present.
  static void erase_in(BlockPtr& block, View key) {
    Block& owned = own(block);
    if (owned.leaf()) {
      owned.items.erase(owned.items.begin() + static_cast<std::ptrdiff_t>(place_of(owned, key)));
      return;
    }
    const std::size_t edge = edge_for(owned, key);
    erase_in(owned.edges[edge].block, key);
    if (owned.edges[edge].block->width() < kWidth / 4) {
      rebalance(owned, edge == 0 ? 0 : edge - 1);
    }
  }

  // Joins the blocks at `left` and `left` + 1, or evens them out when together they are too wide.
  static void rebalance(Block& parent, std::size_t left) {
    Block& into = own(parent.edges[left].block);
    Edge& edge = parent.edges[left + 1];
    Block from = *edge.block;
    if (from.leaf()) {
      std::ranges::move(from.items, std::back_inserter(into.items));
    } else {
      from.edges.front().first = edge.first;
      std::ranges::move(from.edges, std::back_inserter(into.edges));
    }
    if (into.width() > kWidth) {
      edge = split(into, into.width() / 2);
    } else {
      parent.edges.erase(parent.edges.begin() + static_cast<std::ptrdiff_t>(left) + 1);
    }
  }

  BlockPtr root_;  // null when empty
  std::size_t size_ = 0;
};

}  // namespace millrace::tree
