// SPDX-License-Identifier: GPL-2.0-or-later
//
// The trie as the daemon writes it, read by the lookup that runs in the kernel, against an oracle
// that looks at every prefix.
#include "fib/trie.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "bpf/lookup.h"

namespace millrace::fib {
namespace {

constexpr unsigned kRoots = 2;

struct Tables {
  explicit Tables(std::size_t nodes = 4096, std::size_t entries = 1 << 18)
      : roots(kRoots * DP_ROOT_WORDS / DP_PACK), nodes(nodes), entries(entries / DP_PACK) {
    view.roots = roots.data();
    view.roots_size = static_cast<__u32>(roots.size());
    view.nodes = this->nodes.data();
    view.nodes_size = static_cast<__u32>(nodes);
    view.entries = this->entries.data();
    view.entries_size = static_cast<__u32>(this->entries.size());
    dp_tables_in_use = &view;
  }
  ~Tables() { dp_tables_in_use = nullptr; }
  Memory memory() { return {.roots = roots, .nodes = nodes, .entries = entries}; }

  std::vector<dp_words> roots;
  std::vector<dp_node> nodes;
  std::vector<dp_words> entries;
  dp_tables view = {};
};

std::uint64_t half(const Key& key, unsigned from) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < 8; ++i) {
    value = value << 8 | key[from + i];
  }
  return value;
}

std::uint32_t look_up(unsigned width, std::uint32_t root, const Key& key) {
  return width == 32 ? dp_lookup4(root, static_cast<__u32>(half(key, 0) >> 32))
                     : dp_lookup6(root, half(key, 0), half(key, 8));
}

void cut(Key& key, unsigned length) {
  for (unsigned bit = length; bit < 128; ++bit) {
    key[bit / 8] = static_cast<std::uint8_t>(key[bit / 8] & ~(0x80u >> bit % 8));
  }
}

// A map by (length, key) for each root.
struct Oracle {
  std::array<std::map<std::pair<unsigned, Key>, std::uint32_t>, kRoots> prefixes;

  std::uint32_t look_up(unsigned width, std::uint32_t root, const Key& key) const {
    for (unsigned length = width + 1; length-- > 0;) {
      Key prefix = key;
      cut(prefix, length);
      const auto found = prefixes[root].find({length, prefix});
      if (found != prefixes[root].end()) {
        return found->second;
      }
    }
    return DP_NOTHING;
  }
};

std::uint32_t adjacency(std::uint32_t index) {
  return DP_MAKE_LEAF(DP_KIND_ADJACENCY, index);
}

Key key_of(std::uint32_t address) {
  return {static_cast<std::uint8_t>(address >> 24), static_cast<std::uint8_t>(address >> 16),
          static_cast<std::uint8_t>(address >> 8), static_cast<std::uint8_t>(address)};
}

unsigned operations() {
  return std::getenv("MILLRACE_RELEASE") != nullptr ? 1'000'000 : 4'000;
}

// Few distinct bytes make chains and neighbours likely.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  unsigned below(unsigned limit) {
    return std::uniform_int_distribution<unsigned>(0, limit - 1)(engine_);
  }
  Key key(unsigned width) {
    static constexpr std::uint8_t kBytes[] = {0, 1, 2, 0x40, 0x7f, 0x80, 0xc0, 0xff};
    Key key = {};
    for (unsigned i = 0; i < width / 8; ++i) {
      key[i] = below(8) == 0 ? static_cast<std::uint8_t>(below(256)) : kBytes[below(i < 3 ? 2 : 8)];
    }
    return key;
  }

 private:
  std::mt19937 engine_;
};

void walk(unsigned width, unsigned seed) {
  SCOPED_TRACE("width " + std::to_string(width) + ", seed " + std::to_string(seed));
  Tables tables;
  Trie trie(tables.memory());
  Oracle oracle;
  Random random(seed);
  std::vector<std::tuple<std::uint32_t, unsigned, Key>> known;
  for (unsigned step = 0; step < operations(); ++step) {
    const auto root = random.below(kRoots);
    if (known.size() > 300 || (!known.empty() && random.below(3) == 0)) {
      const unsigned which = random.below(static_cast<unsigned>(known.size()));
      const auto [where, length, key] = known[which];
      known[which] = known.back();
      known.pop_back();
      trie.erase(where, key, length);
      oracle.prefixes[where].erase({length, key});
    } else {
      Key key = random.key(width);
      const unsigned length = random.below(width + 1);
      cut(key, length);
      const std::uint32_t leaf = adjacency(1 + random.below(5));
      trie.set(root, key, length, leaf);
      oracle.prefixes[root][{length, key}] = leaf;
      known.emplace_back(root, length, key);
    }
    if (random.below(8) == 0) {
      ASSERT_TRUE(trie.publish());
      if (random.below(2) == 0) {
        trie.reclaim();
      }
      for (int i = 0; i < 4; ++i) {
        const Key key = random.key(width);
        const auto where = random.below(kRoots);
        ASSERT_EQ(look_up(width, where, key), oracle.look_up(width, where, key)) << "step " << step;
      }
    }
  }
  for (std::uint32_t root = 0; root < kRoots; ++root) {
    for (const auto& [prefix, leaf] : oracle.prefixes[root]) {
      trie.erase(root, prefix.second, prefix.first);
    }
  }
  ASSERT_TRUE(trie.publish());
  trie.reclaim();
  EXPECT_EQ(trie.usage().nodes, 0U) << "nodes leak";
  EXPECT_EQ(trie.usage().entries, 0U) << "entries leak";
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(look_up(width, 0, random.key(width)), DP_NOTHING);
  }
}

TEST(Trie, Random_operations_on_inet_agree_with_an_oracle) {
  walk(32, 1);
}
TEST(Trie, Random_operations_on_inet6_agree_with_an_oracle) {
  walk(128, 2);
}

TEST(Trie, A_short_prefix_shows_through_longer_ones_and_goes_again) {
  Tables tables;
  Trie trie(tables.memory());
  trie.set(0, key_of(0x0a000000), 8, adjacency(1));
  trie.set(0, key_of(0x0a010200), 24, adjacency(2));
  ASSERT_TRUE(trie.publish());
  EXPECT_EQ(dp_lookup4(0, 0x0a010203), adjacency(2));
  EXPECT_EQ(dp_lookup4(0, 0x0a010303), adjacency(1));
  EXPECT_EQ(dp_lookup4(0, 0x0b000000), DP_NOTHING);
  trie.set(0, key_of(0), 0, adjacency(3));
  trie.erase(0, key_of(0x0a000000), 8);
  ASSERT_TRUE(trie.publish());
  EXPECT_EQ(dp_lookup4(0, 0x0a010303), adjacency(3));
  EXPECT_EQ(dp_lookup4(0, 0xffffffff), adjacency(3));
}

TEST(Trie, Other_leaves_in_the_same_runs_cost_no_node) {
  Tables tables;
  Trie trie(tables.memory());
  trie.set(0, key_of(0x0a010200), 24, adjacency(2));
  ASSERT_TRUE(trie.publish());
  trie.reclaim();
  const auto before = trie.usage();
  trie.set(0, key_of(0x0a010200), 24, adjacency(7));
  ASSERT_TRUE(trie.publish());
  EXPECT_EQ(trie.usage().nodes, before.nodes);
  EXPECT_EQ(trie.usage().entries, before.entries);
  EXPECT_EQ(dp_lookup4(0, 0x0a010203), adjacency(7));
}

TEST(Trie, What_is_replaced_stays_readable_until_it_is_reclaimed) {
  Tables tables;
  Trie trie(tables.memory());
  trie.set(0, key_of(0x0a010200), 24, adjacency(2));
  ASSERT_TRUE(trie.publish());
  trie.reclaim();
  const __u32 word = dp_first_word(0, 0x0a01);  // a lookup that has come so far
  ASSERT_FALSE(word & DP_LEAF);
  trie.set(0, key_of(0x0a010500), 25, adjacency(3));
  trie.erase(0, key_of(0x0a010200), 24);
  ASSERT_TRUE(trie.publish());
  trie.set(0, key_of(0x0a010600), 25, adjacency(4));
  ASSERT_TRUE(trie.publish());
  __u32 best = DP_NOTHING;
  EXPECT_EQ(dp_next_word(word, 2, &best), adjacency(2));
}

TEST(Trie, Full_memory_is_said_and_room_mends_it) {
  Tables tables(4, 4 * 256);
  Trie trie(tables.memory());
  for (std::uint32_t i = 0; i < 6; ++i) {
    trie.set(0, key_of(0x0a000000 + (i << 16)), 24, adjacency(1));
  }
  EXPECT_FALSE(trie.publish());
  EXPECT_TRUE(trie.dirty());
  for (std::uint32_t i = 0; i < 4; ++i) {
    trie.erase(0, key_of(0x0a000000 + (i << 16)), 24);
  }
  trie.publish();
  trie.reclaim();
  EXPECT_TRUE(trie.publish());
  EXPECT_EQ(dp_lookup4(0, 0x0a050001), adjacency(1));
  EXPECT_EQ(dp_lookup4(0, 0x0a000001), DP_NOTHING);
}

}  // namespace
}  // namespace millrace::fib
