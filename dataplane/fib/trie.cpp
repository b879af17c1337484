// SPDX-License-Identifier: GPL-2.0-or-later
#include "fib/trie.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace millrace::fib {
namespace {

constexpr std::uint32_t kNone = ~0u;
constexpr unsigned kFirstStride = 16;
constexpr unsigned kSlots = 256;

// A prefix within a node as an index of a binary heap: 1 is the whole node, 2 and 3 are its halves.
// Indices ascend with lengths, so painting in their order leaves the longest on top.
std::uint32_t heap_index(std::uint32_t bits, unsigned stride, unsigned length) {
  return 1u << length | bits >> (stride - length);
}

std::uint32_t fallback_of(std::uint32_t word) {
  return word == DP_NOTHING ? 0 : word;
}

}  // namespace

// Prefixes of up to 16 bits and what hangs below each slot. A megabyte, made at the first use.
struct Trie::Root {
  // Not as initializers of the members: GCC would make vectors of this size while it compiles.
  Root() {
    own.resize(2 * DP_ROOT_WORDS);
    child.assign(DP_ROOT_WORDS, kNone);
  }
  std::vector<std::uint32_t> own;
  std::vector<ShadowId> child;
};

struct Trie::Shadow {
  struct Own {
    std::uint16_t heap;
    std::uint32_t leaf;
  };
  struct Child {
    std::uint8_t slot;
    ShadowId id;
  };
  std::vector<Own> own;  // by heap
  std::vector<Child> children;
  std::uint32_t node = kNone;  // published
  unsigned length = 0;         // of its run
  std::uint32_t root = 0;
  ShadowId parent = kNone;  // none: hangs on the root
  std::uint32_t slot = 0;
  std::uint8_t level = 0;
  bool dirty = false;

  auto find(std::uint16_t heap) { return std::ranges::lower_bound(own, heap, {}, &Own::heap); }
  ShadowId child_at(std::uint8_t at) const {
    const auto found = std::ranges::find(children, at, &Child::slot);
    return found == children.end() ? kNone : found->id;
  }
};

Trie::Trie(Memory memory)
    : memory_(memory),
      nodes_(static_cast<std::uint32_t>(memory.nodes.size())),
      runs_(static_cast<std::uint32_t>(memory.entries.size() * DP_PACK)),
      roots_(memory.roots.size() / (DP_ROOT_WORDS / DP_PACK)) {
  for (std::size_t i = 0; i < roots_.size() * DP_ROOT_WORDS; ++i) {
    fib::publish(word_at(memory_.roots, i), DP_NOTHING);
  }
}

Trie::~Trie() = default;

Trie::Root& Trie::root_of(std::uint32_t root) {
  base::check(root < roots_.size(), "a table of routes that exists");
  if (!roots_[root]) {
    roots_[root] = std::make_unique<Root>();
  }
  return *roots_[root];
}

Trie::ShadowId Trie::make_shadow(std::uint32_t root, ShadowId parent, unsigned slot,
                                 unsigned level) {
  ShadowId id = 0;
  if (!free_shadows_.empty()) {
    id = free_shadows_.back();
    free_shadows_.pop_back();
    shadows_[id] = {};
  } else {
    id = static_cast<ShadowId>(shadows_.size());
    shadows_.emplace_back();
  }
  Shadow& shadow = shadows_[id];
  shadow.root = root;
  shadow.parent = parent;
  shadow.slot = slot;
  shadow.level = static_cast<std::uint8_t>(level);
  return id;
}

void Trie::touch(ShadowId id) {
  Shadow& shadow = shadows_[id];
  if (!shadow.dirty) {
    shadow.dirty = true;
    dirty_[shadow.level].push_back(id);
  }
}

// The node that a prefix of more than 16 bits ends in.
Trie::ShadowId Trie::descend(std::uint32_t root, const Key& key, unsigned length, bool make) {
  const std::uint32_t first = static_cast<std::uint32_t>(key[0] << 8 | key[1]);
  ShadowId id = root_of(root).child[first];
  if (id == kNone) {
    if (!make) {
      return kNone;
    }
    id = make_shadow(root, kNone, first, 0);
    roots_[root]->child[first] = id;
    touch(id);
  }
  const unsigned last = (length - kFirstStride - 1) / 8;
  for (unsigned level = 0; level < last; ++level) {
    const std::uint8_t slot = key[2 + level];
    ShadowId next = shadows_[id].child_at(slot);
    if (next == kNone) {
      if (!make) {
        return kNone;
      }
      next = make_shadow(root, id, slot, level + 1);
      shadows_[id].children.push_back({slot, next});
      touch(id);
      touch(next);
    }
    id = next;
  }
  return id;
}

void Trie::set(std::uint32_t root, const Key& key, unsigned length, std::uint32_t leaf) {
  if (length <= kFirstStride) {
    set_short(root, key, length, leaf);
    return;
  }
  const ShadowId id = descend(root, key, length, true);
  Shadow& shadow = shadows_[id];
  const unsigned relative = length - kFirstStride - 8u * shadow.level;
  const auto heap = static_cast<std::uint16_t>(heap_index(key[2 + shadow.level], 8, relative));
  const auto place = shadow.find(heap);
  if (place == shadow.own.end() || place->heap != heap) {
    shadow.own.insert(place, {heap, leaf});
  } else if (place->leaf != leaf) {
    place->leaf = leaf;
  } else {
    return;
  }
  touch(id);
}

void Trie::erase(std::uint32_t root, const Key& key, unsigned length) {
  if (length <= kFirstStride) {
    set_short(root, key, length, 0);
    return;
  }
  const ShadowId id = descend(root, key, length, false);
  if (id == kNone) {
    return;
  }
  Shadow& shadow = shadows_[id];
  const unsigned relative = length - kFirstStride - 8u * shadow.level;
  const auto heap = static_cast<std::uint16_t>(heap_index(key[2 + shadow.level], 8, relative));
  const auto place = shadow.find(heap);
  if (place != shadow.own.end() && place->heap == heap) {
    shadow.own.erase(place);
    touch(id);
  }
}

void Trie::set_short(std::uint32_t root, const Key& key, unsigned length, std::uint32_t leaf) {
  const std::uint32_t first = static_cast<std::uint32_t>(key[0] << 8 | key[1]);
  const std::uint32_t heap = heap_index(first, kFirstStride, length);
  std::uint32_t& own = root_of(root).own[heap];
  if (own != leaf) {
    own = leaf;
    paint_root(root, heap);
  }
}

// All slots below a prefix, where nothing longer of the first stride hides it.
void Trie::paint_root(std::uint32_t root, std::uint32_t heap) {
  const std::vector<std::uint32_t>& own = roots_[root]->own;
  std::uint32_t leaf = own[heap];
  for (std::uint32_t above = heap / 2; leaf == 0 && above > 0; above /= 2) {
    leaf = own[above];
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> open = {{heap, leaf ? leaf : DP_NOTHING}};
  while (!open.empty()) {
    const auto [at, inherited] = open.back();
    open.pop_back();
    if (at >= DP_ROOT_WORDS) {
      store_root(root, at - DP_ROOT_WORDS, inherited);
      continue;
    }
    for (const std::uint32_t half : {2 * at, 2 * at + 1}) {
      if (own[half] == 0) {
        open.emplace_back(half, inherited);
      }
    }
  }
}

void Trie::store_root(std::uint32_t root, std::uint32_t slot, std::uint32_t leaf) {
  const ShadowId child = roots_[root]->child[slot];
  if (child == kNone || shadows_[child].node == kNone) {
    fib::publish(word_at(memory_.roots, root * DP_ROOT_WORDS + slot), leaf);
  } else {
    fib::publish(memory_.nodes[shadows_[child].node].fallback, fallback_of(leaf));
  }
}

namespace {

std::uint32_t entry_of(const dp_node& node, std::uint32_t slot) {
  const unsigned quarter = slot / 64;
  const std::uint64_t starts = node.starts[quarter] << (63 - slot % 64);
  return node.first + node.before[quarter] + static_cast<std::uint32_t>(std::popcount(starts)) - 1;
}

}  // namespace

// Stores the word of the parent that leads to a node which has just been written. A parent that is
// itself out of date is remade later, being less deep; its old form must not change.
void Trie::hang(const Shadow& shadow) {
  if (shadow.parent == kNone) {
    fib::publish(word_at(memory_.roots, shadow.root * DP_ROOT_WORDS + shadow.slot), shadow.node);
  } else if (const Shadow& parent = shadows_[shadow.parent]; !parent.dirty) {
    fib::publish(word_at(memory_.entries, entry_of(memory_.nodes[parent.node], shadow.slot)),
                 shadow.node);
  }
}

// Takes an empty node out of its parent, which then has to be remade.
void Trie::drop(ShadowId id) {
  Shadow& shadow = shadows_[id];
  const std::uint32_t node = shadow.node;
  if (shadow.parent == kNone) {
    Root& root = *roots_[shadow.root];
    root.child[shadow.slot] = kNone;
    paint_root(shadow.root, DP_ROOT_WORDS + shadow.slot);
  } else {
    auto& siblings = shadows_[shadow.parent].children;
    std::erase_if(siblings, [&](const Shadow::Child& child) { return child.id == id; });
    touch(shadow.parent);
  }
  if (node != kNone) {
    runs_.retire(memory_.nodes[node].first, shadow.length);
    nodes_.retire(node);
  }
  shadow = {};
  free_shadows_.push_back(id);
}

bool Trie::remake(ShadowId id) {
  Shadow& shadow = shadows_[id];
  std::array<std::uint32_t, kSlots> words;
  words.fill(DP_NOTHING);
  for (const Shadow::Own& own : shadow.own) {
    const unsigned shift = 8 - static_cast<unsigned>(std::bit_width(own.heap) - 1);
    const auto from = words.begin() + ((own.heap << shift) - static_cast<int>(kSlots));
    std::fill(from, from + (1 << shift), own.leaf);
  }
  for (const Shadow::Child& child : shadow.children) {
    // written now, although the old parent still leads there: the leaf is as new as its siblings
    fib::publish(memory_.nodes[shadows_[child.id].node].fallback, fallback_of(words[child.slot]));
    words[child.slot] = shadows_[child.id].node;
  }

  dp_node node = {};
  std::array<std::uint32_t, kSlots> run;
  unsigned length = 0;
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    if (slot % 64 == 0) {
      node.before[slot / 64] = static_cast<std::uint8_t>(length);
    }
    if (slot == 0 || words[slot] != words[slot - 1]) {
      node.starts[slot / 64] |= 1ull << slot % 64;
      run[length++] = words[slot];
    }
  }

  if (shadow.node != kNone) {
    dp_node& old = memory_.nodes[shadow.node];
    if (std::equal(std::begin(old.starts), std::end(old.starts), std::begin(node.starts))) {
      for (unsigned i = 0; i < length; ++i) {
        std::uint32_t& word = word_at(memory_.entries, old.first + i);
        if (word != run[i]) {
          fib::publish(word, run[i]);
        }
      }
      return true;
    }
  }
  const auto first = runs_.take(length);
  const auto slot = first ? nodes_.take() : std::nullopt;
  if (!slot) {
    if (first) {
      runs_.retire(*first, length);
    }
    return false;
  }
  for (unsigned i = 0; i < length; ++i) {
    word_at(memory_.entries, *first + i) = run[i];
  }
  node.first = *first;
  if (shadow.node != kNone) {
    node.fallback = memory_.nodes[shadow.node].fallback;
    runs_.retire(memory_.nodes[shadow.node].first, shadow.length);
    nodes_.retire(shadow.node);
  } else if (shadow.parent == kNone) {
    // the slot of the root holds what the node is to fall back on
    node.fallback = fallback_of(word_at(memory_.roots, shadow.root * DP_ROOT_WORDS + shadow.slot));
  }
  memory_.nodes[*slot] = node;
  shadow.node = *slot;
  shadow.length = length;
  hang(shadow);
  return true;
}

// When memory runs out, nodes that are less deep must wait for those below them, but what is empty
// still goes: it makes the room that the next attempt finds.
bool Trie::publish() {
  bool complete = true;
  for (auto level = dirty_.begin(); level != dirty_.end();) {
    std::vector<ShadowId> waiting;
    std::vector<ShadowId>& ids = level->second;
    const bool deeper_are_done = complete;
    while (!ids.empty()) {
      const ShadowId id = ids.back();
      ids.pop_back();
      Shadow& shadow = shadows_[id];
      shadow.dirty = false;
      if (shadow.own.empty() && shadow.children.empty()) {
        drop(id);  // may add the parent, on a level that comes later
      } else if (!deeper_are_done || !remake(id)) {
        shadows_[id].dirty = true;
        waiting.push_back(id);
        complete = false;
      }
    }
    if (waiting.empty()) {
      level = dirty_.erase(level);
    } else {
      ids = std::move(waiting);
      ++level;
    }
  }
  return complete;
}

void Trie::reclaim() {
  nodes_.reclaim();
  runs_.reclaim();
}

Trie::Usage Trie::usage() const {
  return {nodes_.used(), nodes_.size(), runs_.used(), runs_.size()};
}

}  // namespace millrace::fib
