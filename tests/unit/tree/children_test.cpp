// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/children.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "tree/btree.h"
#include "tree/node.h"
#include "tree/node_builder.h"

namespace millrace::tree {
namespace {

using ::testing::ElementsAre;

const schema::Node& list_schema() {
  static const schema::Node node = [] {
    schema::Node made;
    made.kind = schema::Kind::List;
    made.name = "entry";
    return made;
  }();
  return node;
}

NodePtr entry(std::string_view key) {
  return NodeBuilder::entry(list_schema(), key);
}

std::vector<std::string> names(const Children& children) {
  std::vector<std::string> result;
  children.for_each([&](const NodePtr& node) {
    result.emplace_back(node->name());
    return true;
  });
  return result;
}

Children ranked(std::initializer_list<const char*> keys) {
  Children children(Order::Ranked);
  for (const char* key : keys) {
    children.put(entry(key));
  }
  return children;
}

TEST(Children, Entries_stand_in_natural_order) {
  Children children(Order::Natural);
  for (const char* key : {"eth10", "eth2", "eth1"}) {
    children.put(entry(key));
  }
  EXPECT_THAT(names(children), ElementsAre("eth1", "eth2", "eth10"));
  EXPECT_EQ(children.before("eth2")->name(), "eth1");
  EXPECT_EQ(children.after("eth2")->name(), "eth10");
  EXPECT_EQ(children.after("eth10"), nullptr);
}

TEST(Children, Ranked_entries_stand_in_order_of_input) {
  Children children = ranked({"b", "c", "a"});
  EXPECT_THAT(names(children), ElementsAre("b", "c", "a"));
  children.put_before(entry("d"), "c");
  children.put_after(entry("b"), "a");
  EXPECT_THAT(names(children), ElementsAre("d", "c", "a", "b"));
  children.put(entry("c"));
  EXPECT_THAT(names(children), ElementsAre("d", "c", "a", "b"));
}

TEST(Children, A_copy_stays_as_it_was) {
  Children first(Order::Natural);
  first.put(entry("a"));
  const Children second = first;
  first.put(entry("b"));
  first.erase("a");
  EXPECT_THAT(names(second), ElementsAre("a"));
  EXPECT_THAT(names(first), ElementsAre("b"));
}

TEST(Children, Ranks_are_numbered_anew_when_there_is_no_room) {
  Children children = ranked({"first", "last"});
  std::vector<std::string> want{"first"};
  for (int i = 0; i < 200; ++i) {
    children.put_before(entry(std::to_string(i)), "last");
    want.push_back(std::to_string(i));
  }
  want.push_back("last");
  EXPECT_EQ(names(children), want);
}

TEST(Children, Moved_sees_only_the_order_of_common_names) {
  const Children before = ranked({"a", "b", "c", "d"});
  Children after = before;
  after.erase("b");
  after.put_before(entry("e"), "a");
  EXPECT_FALSE(Children::moved(before, after));
  after.put_after(entry("a"), "d");
  EXPECT_TRUE(Children::moved(before, after));
  EXPECT_FALSE(Children::moved(before, ranked({"x", "a", "b", "y", "c", "d"})));
  EXPECT_TRUE(Children::moved(before, ranked({"a", "c", "b", "d"})));
}

// A run of random edits against std::map and std::vector: every step on a version that may be
// shared, every few steps the whole contents, neighbours and the difference to an older version.
class ChildrenOracle : public ::testing::TestWithParam<Order> {};

TEST_P(ChildrenOracle, Random_edits_agree_with_a_plain_container) {
  const Order order = GetParam();
  struct Less {
    bool operator()(const std::string& a, const std::string& b) const {
      return schema::natural_less(a, b);
    }
  };
  const Less less;
  using Oracle = std::map<std::string, NodePtr, Less>;
  std::mt19937 random(20261130);
  Children children(order);
  Oracle nodes;
  std::vector<std::string> sequence;
  Children old_children = children;
  Oracle old_nodes = nodes;
  std::vector<std::string> old_sequence;
  const auto place = [&](const std::string& key) { return std::ranges::find(sequence, key); };
  const auto pick = [&](unsigned below) { return static_cast<unsigned>(random()) % below; };

  constexpr int kOperations = 110'000;
  for (int step = 0; step < kOperations; ++step) {
    // Long phases of growing and shrinking, so that blocks split and join at several heights.
    const bool grows = (step / 9'000) % 2 == 0;
    const std::string key = "k" + std::to_string(pick(1'500));
    if (pick(10) < (grows ? 7U : 3U)) {
      const NodePtr node = entry(key);
      const std::string neighbour =
          sequence.empty() ? "" : sequence[pick(static_cast<unsigned>(sequence.size()))];
      if (order == Order::Ranked && !sequence.empty() && pick(3) == 0) {
        if (neighbour != key) {
          if (const auto at = place(key); at != sequence.end()) {
            sequence.erase(at);
          }
          const bool before = pick(2) == 0;
          sequence.insert(place(neighbour) + (before ? 0 : 1), key);
          before ? children.put_before(node, neighbour) : children.put_after(node, neighbour);
          nodes[key] = node;
        }
      } else {
        children.put(node);
        if (!nodes.contains(key)) {
          sequence.push_back(key);
        }
        nodes[key] = node;
      }
    } else {
      children.erase(key);
      if (nodes.erase(key) > 0) {
        sequence.erase(place(key));
      }
    }
    ASSERT_EQ(children.size(), nodes.size());
    if (step % 3'000 == 0) {
      std::vector<std::string> want = sequence;
      if (order == Order::Natural) {
        std::ranges::sort(want, less);
      }
      ASSERT_EQ(names(children), want) << "step " << step;
      for (std::size_t i = 1; i < want.size(); ++i) {
        ASSERT_EQ(children.before(want[i])->name(), want[i - 1]);
        ASSERT_EQ(children.after(want[i - 1])->name(), want[i]);
        ASSERT_EQ(children.find_shared(want[i]), nodes[want[i]]);
      }
      std::map<std::string, std::pair<NodePtr, NodePtr>, Less> difference;
      for (const auto& [name, node] : old_nodes) {
        difference[name].first = node;
      }
      for (const auto& [name, node] : nodes) {
        difference[name].second = node;
      }
      std::erase_if(difference,
                    [](const auto& item) { return item.second.first == item.second.second; });
      auto expected = difference.begin();
      Children::diff(old_children, children, [&](const NodePtr& before, const NodePtr& after) {
        ASSERT_NE(expected, difference.end());
        EXPECT_EQ(before, expected->second.first);
        EXPECT_EQ(after, expected->second.second);
        ++expected;
      });
      EXPECT_EQ(expected, difference.end());
      std::erase_if(old_sequence, [&](const std::string& name) { return !nodes.contains(name); });
      std::vector<std::string> common = sequence;
      std::erase_if(common, [&](const std::string& name) { return !old_nodes.contains(name); });
      EXPECT_EQ(Children::moved(old_children, children),
                order == Order::Ranked && common != old_sequence);
      old_children = children;
      old_nodes = nodes;
      old_sequence = sequence;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Orders, ChildrenOracle, ::testing::Values(Order::Natural, Order::Ranked),
                         [](const auto& info) {
                           return info.param == Order::Natural ? "Natural" : "Ranked";
                         });

TEST(Children, An_edit_among_100000_copies_a_handful_of_blocks) {
  for (const Order order : {Order::Natural, Order::Ranked}) {
    Children children(order);
    for (int i = 0; i < 100'000; ++i) {
      children.put(entry(std::to_string(i)));
    }
    const Children before = children;
    const std::uint64_t made = TEST_blocks_made;
    children.put(entry("50000"));
    children.put(entry("new"));
    children.erase("77777");
    EXPECT_LE(TEST_blocks_made - made, 24U);
  }
}

TEST(Children, A_tree_with_one_owner_is_changed_in_place) {
  Children children(Order::Natural);
  for (int i = 0; i < 1'000; ++i) {
    children.put(entry(std::to_string(i)));
  }
  const std::uint64_t made = TEST_blocks_made;
  children.put(entry("500"));
  EXPECT_EQ(TEST_blocks_made, made);
}

}  // namespace
}  // namespace millrace::tree
