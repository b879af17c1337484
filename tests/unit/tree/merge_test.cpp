// SPDX-License-Identifier: GPL-2.0-or-later
//
// Merging: examples of what goes together and what does not, and the laws on random trees, against
// a model that knows nothing of trees: configurations as maps from statements to values.
#include "tree/merge.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "tree/merge_order.h"
#include "unit/tree/random_tree.h"

namespace millrace::tree {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::path_of;
using testing::path_to;
using testing::RandomEdits;
using testing::remove;
using testing::set;
using testing::test_schema;
using testing::tree_of;

ConfigTree with(const ConfigTree& base, std::initializer_list<std::string_view> lines) {
  Editor editor(base);
  for (const auto line : lines) {
    if (line.starts_with("-")) {
      EXPECT_TRUE(remove(editor, line.substr(1))) << line;
    } else {
      EXPECT_TRUE(set(editor, line)) << line;
    }
  }
  return editor.tree();
}

std::vector<std::string> said(const Merge& merge) {
  std::vector<std::string> out;
  for (const auto& conflict : merge.conflicts) {
    out.push_back(conflict.path.to_string() + ": " + conflict.mine + " | " + conflict.theirs);
  }
  return out;
}

const char* const kBase =
    "system { host-name a; search [ x y ]; ntp { server 192.0.2.1 version 2; } }"
    "interfaces { eth0 { mtu 1400; unit 0; } }"
    "policy-options { policy-statement p { term a { metric 1; } term b; term c; } }";

TEST(Merge, Changes_of_different_statements_go_together) {
  const ConfigTree base = tree_of(kBase);
  const auto mine = with(base, {"interfaces eth0 mtu 1500", "system search z", "-system search x"});
  const auto theirs = with(base, {"interfaces eth0 disable", "system host-name b",
                                  "-interfaces eth0 unit 0", "interfaces eth1 mtu 1300"});
  const Merge merged = merge(base, mine, theirs);
  EXPECT_THAT(said(merged), IsEmpty());
  EXPECT_EQ(to_set(merged.tree, path_of("system")),
            to_set(with(base, {"system host-name b", "-system search x", "system search z"}),
                   path_of("system")));
  EXPECT_EQ(to_set(merged.tree, path_of("interfaces")),
            "set interfaces eth0 disable\nset interfaces eth0 mtu 1500\n"
            "set interfaces eth1 mtu 1300\n");
}

TEST(Merge, The_same_change_by_both_is_one_change) {
  const ConfigTree base = tree_of(kBase);
  const auto both = with(base, {"interfaces eth0 mtu 1500", "-system ntp", "system search z"});
  const Merge merged = merge(base, both, with(both, {"interfaces eth1"}));
  EXPECT_THAT(said(merged), IsEmpty());
  EXPECT_TRUE(merged.tree == with(both, {"interfaces eth1"}));
}

TEST(Merge, Two_values_of_one_leaf_conflict_and_mine_stays) {
  const ConfigTree base = tree_of(kBase);
  const Merge merged = merge(
      base, with(base, {"interfaces eth0 mtu 1500", "system secret-word abc"}),
      with(base, {"interfaces eth0 mtu 1600", "system secret-word def", "system host-name b"}));
  EXPECT_THAT(said(merged), ElementsAre("system secret-word: /* SECRET-DATA */ | /* SECRET-DATA */",
                                        "interfaces eth0 mtu: 1500 | 1600"));
  EXPECT_EQ(merged.conflicts[1].base, "1400");
  EXPECT_TRUE(merged.tree == with(base, {"interfaces eth0 mtu 1500", "system secret-word abc",
                                         "system host-name b"}));
}

TEST(Merge, What_one_side_removed_the_other_may_not_have_changed) {
  const ConfigTree base = tree_of(kBase);
  const auto gone = with(base, {"-interfaces eth0"});
  const auto changed = with(base, {"interfaces eth0 unit 7 vlan-id 5"});
  const Merge merged = merge(base, gone, changed);
  EXPECT_THAT(said(merged), ElementsAre("interfaces eth0: (removed) | (changed)"));
  EXPECT_TRUE(merged.tree == gone);
  EXPECT_THAT(said(merge(base, changed, gone)),
              ElementsAre("interfaces eth0: (changed) | (removed)"));
}

TEST(Merge, A_container_is_only_what_it_contains) {
  const ConfigTree base = tree_of(kBase);
  const Merge merged =
      merge(base, with(base, {"-system ntp"}), with(base, {"system ntp server 192.0.2.2 prefer"}));
  EXPECT_THAT(said(merged), IsEmpty());
  EXPECT_EQ(to_set(merged.tree, path_of("system ntp")), "set system ntp server 192.0.2.2 prefer\n");
}

TEST(Merge, Marks_and_comments_are_merged_each_for_itself) {
  const ConfigTree base = tree_of(kBase);
  Editor mine(base);
  Editor theirs(base);
  const Path eth0 = path_of("interfaces eth0");
  ASSERT_TRUE(mine.set_inactive(eth0, true));
  ASSERT_TRUE(theirs.annotate(eth0, "uplink"));
  ASSERT_TRUE(theirs.set_protected(eth0, true));
  const Merge merged = merge(base, mine.tree(), theirs.tree());
  EXPECT_THAT(said(merged), IsEmpty());
  const Node* node = merged.tree.find(eth0);
  ASSERT_NE(node, nullptr);
  EXPECT_TRUE(node->inactive() && node->is_protected() && node->comment() == "uplink");
  EXPECT_TRUE(merged.tree.root().holds_inactive());
  ASSERT_TRUE(mine.annotate(eth0, "downlink"));
  EXPECT_THAT(said(merge(base, mine.tree(), theirs.tree())),
              ElementsAre("interfaces eth0: /* downlink */ | /* uplink */"));
}

TEST(Merge, Entries_of_an_ordered_list_keep_their_places) {
  const ConfigTree base = tree_of(kBase);
  const Path term_a = path_of("policy-options policy-statement p term a");
  Editor mine(with(base, {"policy-options policy-statement p term m accept"}));
  ASSERT_TRUE(
      mine.insert(path_of("policy-options policy-statement p term m"), Editor::Side::Before, "a"));
  Editor theirs(with(base, {"policy-options policy-statement p term b metric 3"}));
  ASSERT_TRUE(theirs.insert(term_a, Editor::Side::After, "c"));
  const Merge merged = merge(base, mine.tree(), theirs.tree());
  EXPECT_THAT(said(merged), IsEmpty());
  EXPECT_EQ(to_set(merged.tree, path_of("policy-options")),
            "set policy-options policy-statement p term m accept\n"
            "set policy-options policy-statement p term b metric 3\n"
            "set policy-options policy-statement p term c\n"
            "set policy-options policy-statement p term a metric 1\n");
  ASSERT_TRUE(mine.insert(term_a, Editor::Side::After, "b"));
  EXPECT_THAT(said(merge(base, mine.tree(), theirs.tree())),
              ElementsAre("policy-options policy-statement p term: order m b a c | order b c a"));
}

TEST(MergeOrder, New_names_follow_whom_they_followed) {
  const auto merged = [](Names base, Names mine, Names theirs) {
    const MergedOrder out = merge_order(base, mine, theirs);
    std::string text;
    for (const auto name : out.names) {
      text += name;
    }
    return out.conflict ? text + "!" : text;
  };
  EXPECT_EQ(merged({"a", "b"}, {"a", "x", "b"}, {"a", "b", "y"}), "axby");
  EXPECT_EQ(merged({"a", "b"}, {"b", "a"}, {"a", "b", "y"}), "bya");
  EXPECT_EQ(merged({"a", "b", "c"}, {"c", "a", "b"}, {"x", "a", "b"}), "xcab!");
  EXPECT_EQ(merged({"a", "b"}, {"a", "b", "x"}, {"a", "b", "y"}), "abyx!");
  EXPECT_EQ(merged({}, {"x", "y"}, {"y", "x"}), "xy!");
  EXPECT_EQ(merged({"a", "b"}, {"b", "a"}, {"b", "a"}), "ba");
}

// A configuration without its order, marks and comments.
using Statements = std::map<std::string, std::string>;

void flatten(const Node& node, const Path& path, Statements& out) {
  node.children().for_each([&](const NodePtr& child) {
    const Path at = path_to(*child, path);
    const auto kind = child->schema()->kind;
    if (child->is_entry() || kind == schema::Kind::Leaf || child->schema()->presence) {
      out[at.to_string()] = child->value();
    }
    flatten(*child, at, out);
    return true;
  });
}

Statements flat(const ConfigTree& tree) {
  Statements out;
  flatten(tree.root(), {}, out);
  return out;
}

struct Model {
  Statements statements;
  bool conflict = false;
};

const std::string* at(const Statements& statements, const std::string& key) {
  const auto found = statements.find(key);
  return found == statements.end() ? nullptr : &found->second;
}

bool equal(const std::string* left, const std::string* right) {
  return left && right ? *left == *right : left == right;
}

Model merge_model(const Statements& base, const Statements& mine, const Statements& theirs) {
  Model out;
  std::set<std::string> keys;
  for (const auto* side : {&base, &mine, &theirs}) {
    for (const auto& [key, value] : *side) {
      keys.insert(key);
    }
  }
  std::vector<std::string> removed_by_mine;
  std::vector<std::string> removed_by_theirs;
  for (const auto& key : keys) {
    const auto *was = at(base, key), *ours = at(mine, key), *others = at(theirs, key);
    out.conflict =
        out.conflict || (!equal(was, ours) && !equal(was, others) && !equal(ours, others));
    if (const auto* kept = equal(was, ours) ? others : ours) {
      out.statements[key] = *kept;
    }
    const auto below = [&](const std::vector<std::string>& removed) {
      return std::ranges::any_of(
          removed, [&](const std::string& top) { return key.starts_with(top + " "); });
    };
    // Keys are sorted, so what was removed around this one has been seen.
    out.conflict = out.conflict || (!equal(was, others) && others && below(removed_by_mine)) ||
                   (!equal(was, ours) && ours && below(removed_by_theirs));
    if (was && !ours && others) {
      removed_by_mine.push_back(key);
    }
    if (was && ours && !others) {
      removed_by_theirs.push_back(key);
    }
  }
  return out;
}

TEST(MergeLaws, Hold_on_random_trees) {
  const unsigned rounds = std::getenv("MILLRACE_RELEASE") ? 20000 : 300;
  unsigned clean = 0;
  unsigned conflicting = 0;
  for (unsigned seed = 1; seed <= rounds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEdits edits(seed);
    const auto edited = [&](const ConfigTree& from, unsigned count) {
      Editor editor(from);
      for (unsigned i = 0; i < count; ++i) {
        edits.edit(editor);
      }
      return editor.tree();
    };
    const ConfigTree base = edited(ConfigTree(test_schema()), 40);
    const ConfigTree mine = edited(base, edits.below(10));
    const ConfigTree theirs = edited(base, edits.below(10));
    EXPECT_TRUE(merge(base, mine, base).tree == mine);
    EXPECT_TRUE(merge(base, base, theirs).tree == theirs);
    EXPECT_TRUE(merge(base, mine, mine).tree == mine);

    const Merge merged = merge(base, mine, theirs);
    const Merge swapped = merge(base, theirs, mine);
    EXPECT_EQ(merged.conflicts.empty(), swapped.conflicts.empty());
    const Model model = merge_model(flat(base), flat(mine), flat(theirs));
    if (merged.conflicts.empty()) {
      ++clean;
      EXPECT_TRUE(merged.tree == swapped.tree);
      EXPECT_FALSE(model.conflict);
      EXPECT_EQ(flat(merged.tree), model.statements);
    } else {
      ++conflicting;
    }
    // A merge is a tree like any other: what it holds reads back.
    EXPECT_TRUE(tree_of(to_text(merged.tree, {})) == merged.tree);
    if (HasFailure()) {
      ADD_FAILURE() << to_text(base, {}) << "--- mine\n"
                    << to_text(mine, {}) << "--- theirs\n"
                    << to_text(theirs, {}) << "--- merged\n"
                    << to_text(merged.tree, {});
      return;
    }
  }
  EXPECT_GT(clean, rounds / 4);
  EXPECT_GT(conflicting, rounds / 20);
}

}  // namespace
}  // namespace millrace::tree
