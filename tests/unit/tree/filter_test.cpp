// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/filter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tree/text.h"
#include "unit/tree/random_tree.h"

namespace millrace::tree::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Rights by path: what is at or below one of `all` may be done, what is at or below one of `none`
// may not, and so on outwards.
class ByPath : public Rights {
 public:
  std::set<std::string> all;
  std::set<std::string> none;
  bool secrets = true;

  Reach view(const schema::Node& node, std::string_view words) const override {
    return reach(node, words, secrets);
  }
  Reach edit(const schema::Node& node, std::string_view words) const override {
    return reach(node, words, true);
  }

 private:
  static bool within(std::string_view words, const std::string& top) {
    return words == top || words.starts_with(top + " ");
  }
  Reach reach(const schema::Node& node, std::string_view words, bool clear) const {
    bool allowed = false;
    for (const auto& top : all) {
      allowed = allowed || within(words, top);
    }
    for (const auto& top : none) {
      if (within(words, top)) {
        return Reach::None;
      }
    }
    if (node.kind == schema::Kind::Leaf || node.kind == schema::Kind::LeafList) {
      return !allowed ? Reach::None : node.secret && !clear ? Reach::Self : Reach::All;
    }
    return allowed ? Reach::Self : Reach::Below;
  }
};

ConfigTree tree_of(std::string text) {
  Editor editor{ConfigTree(test_schema())};
  const auto report = load(editor, {}, std::move(text), LoadAction::Set);
  EXPECT_TRUE(report.errors.empty()) << report.to_string("text");
  return editor.tree();
}

std::string set_form(const ConfigTree& tree) {
  return to_set(tree, {});
}

TEST(Visible, Keeps_the_levels_around_what_may_be_seen_and_nothing_else) {
  const auto tree = tree_of(
      "set interfaces eth0 mtu 1400\nset interfaces eth0 unit 0 family inet mtu 1300\n"
      "set interfaces eth1 mtu 1500\nset system host-name a\n");
  ByPath rights;
  rights.all = {"interfaces eth0 unit 0"};
  EXPECT_EQ(set_form(visible(tree, rights)), "set interfaces eth0 unit 0 family inet mtu 1300\n");
  rights.all = {"interfaces"};
  rights.none = {"interfaces eth0 unit 0 family"};
  EXPECT_EQ(
      set_form(visible(tree, rights)),
      "set interfaces eth0 mtu 1400\nset interfaces eth0 unit 0\nset interfaces eth1 mtu 1500\n");
  rights.all = {};
  EXPECT_EQ(set_form(visible(tree, rights)), "");
}

TEST(Visible, Hides_the_comments_of_levels_that_are_only_on_the_way) {
  Editor editor(tree_of("set interfaces eth0 unit 0 family inet mtu 1300\n"));
  const auto walk =
      schema::walk(test_schema().root(), words_of("interfaces eth0"), schema::Abbreviations::No);
  ASSERT_TRUE(editor.annotate({walk->front().steps}, "the marker"));
  ByPath rights;
  rights.all = {"interfaces eth0 unit 0"};
  EXPECT_THAT(to_text(visible(editor.tree(), rights), {}), Not(HasSubstr("marker")));
  rights.all = {"interfaces eth0"};
  EXPECT_THAT(to_text(visible(editor.tree(), rights), {}), HasSubstr("marker"));
}

TEST(Visible, Masks_secrets_in_every_form) {
  const auto tree = tree_of("set system secret-word the-marker\nset system host-name a\n");
  ByPath rights;
  rights.all = {"system"};
  rights.secrets = false;
  const auto seen = visible(tree, rights);
  for (const auto& text : {to_text(seen, {}), to_set(seen, {}), to_json(seen, {})}) {
    EXPECT_THAT(text, Not(HasSubstr("the-marker")));
    EXPECT_THAT(text, HasSubstr(kHiddenSecret));
  }
}

struct Judged {
  std::string tree;
  std::vector<std::string> refusals;
};

Judged judged(const std::string& before, const std::string& after, const Rights& rights) {
  auto result = permitted(tree_of(before), tree_of(after), rights);
  Judged out{set_form(result.tree), {}};
  for (const auto& refusal : result.refusals) {
    out.refusals.push_back((refusal.removal ? "-" : "") + refusal.path +
                           (refusal.seen ? "" : " unseen"));
  }
  return out;
}

TEST(Permitted, Takes_what_may_change_and_names_what_may_not) {
  ByPath rights;
  rights.all = {"interfaces"};
  const auto result = judged("set system host-name a\nset interfaces eth0 mtu 1400\n",
                             "set system host-name b\nset interfaces eth0 mtu 1500\n", rights);
  EXPECT_EQ(result.tree, "set system host-name a\nset interfaces eth0 mtu 1500\n");
  EXPECT_THAT(result.refusals, ElementsAre("system host-name unseen"));
}

TEST(Permitted, Tells_what_was_made_from_what_was_there_and_whether_it_is_seen) {
  ByPath rights;
  rights.all = {"interfaces"};
  EXPECT_THAT(judged("", "set system host-name b\n", rights).refusals,
              ElementsAre("system host-name unseen"));
  EXPECT_THAT(judged("set system host-name b\n", "", rights).refusals,
              ElementsAre("-system host-name unseen"));
  EXPECT_EQ(judged("set system host-name b\n", "", rights).tree, "set system host-name b\n");
}

TEST(Permitted, An_entry_stays_when_only_its_contents_may_go) {
  ByPath rights;
  rights.all = {"interfaces eth0 unit 0"};
  const auto result = judged("set interfaces eth0 unit 0 family inet mtu 1300\n", "", rights);
  EXPECT_EQ(result.tree, "set interfaces eth0\n");
  EXPECT_EQ(result.refusals.size(), 1U);
}

TEST(Permitted, What_may_be_made_brings_the_levels_around_it) {
  ByPath rights;
  rights.all = {"interfaces eth0 unit 0"};
  const auto made = judged("", "set interfaces eth0 unit 0 family inet mtu 1300\n", rights);
  EXPECT_EQ(made.tree, "set interfaces eth0 unit 0 family inet mtu 1300\n");
  EXPECT_TRUE(made.refusals.empty());
  EXPECT_THAT(judged("", "set interfaces eth1\n", rights).refusals,
              ElementsAre("interfaces eth1 unseen"));
}

TEST(Permitted, A_masked_secret_that_comes_back_is_no_change) {
  ByPath rights;
  rights.all = {"system"};
  rights.none = {"system secret-word"};
  const auto before = tree_of("set system secret-word x\n");
  ByPath mask;
  mask.all = {"system"};
  mask.secrets = false;
  const auto masked = visible(tree_of("set system secret-word x\nset system host-name a\n"), mask);
  ASSERT_THAT(set_form(masked), ::testing::HasSubstr(kHiddenSecret));
  const auto result = permitted(before, masked, rights);
  EXPECT_EQ(set_form(result.tree), "set system host-name a\nset system secret-word x\n");
  EXPECT_TRUE(result.refusals.empty());
}

TEST(Permitted, A_level_with_something_in_it_that_may_not_change_is_not_deactivated) {
  ByPath rights;
  rights.all = {"interfaces"};
  rights.none = {"interfaces eth1"};
  const std::string mine = "set interfaces eth0 mtu 1400\n";
  const std::string others = "set interfaces eth1 mtu 1400\n";
  const std::string off = "deactivate interfaces\n";
  EXPECT_EQ(judged(mine + others, mine + others + off, rights).tree, mine + others);
  EXPECT_EQ(judged(mine + others, mine + others + off, rights).refusals.size(), 1U);
  EXPECT_EQ(judged(mine, mine + off, rights).tree, mine + off);
  EXPECT_EQ(judged(mine + others + off, mine + others, rights).tree, mine + others + off);
}

// On random trees: somebody sees of two configurations that differ in what they may not see the
// same, and no edit of theirs changes any of that.
TEST(Permitted, Never_changes_what_may_not_be_changed_whatever_the_edit) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    RandomEdits random(seed);
    Editor before{ConfigTree(test_schema())};
    for (int i = 0; i < 30; ++i) {
      random.edit(before);
    }
    Editor after(before.tree());
    for (int i = 0; i < 10; ++i) {
      random.edit(after);
    }
    ByPath rights;
    rights.all = {"interfaces", "policy-options policy-statement p"};
    rights.none = {"interfaces eth0 unit 7", "interfaces eth1"};
    ByPath others;  // what is left
    others.all = {"system", "policy-options policy-statement q", "policy-options prefix-list",
                  "interfaces eth0 unit 7", "interfaces eth1"};
    const auto result = permitted(before.tree(), after.tree(), rights);
    EXPECT_EQ(set_form(visible(result.tree, others)), set_form(visible(before.tree(), others)))
        << "seed " << seed;
    EXPECT_EQ(set_form(visible(result.tree, rights)).contains("system"), false) << "seed " << seed;
    if (result.refusals.empty()) {
      EXPECT_TRUE(result.tree == after.tree()) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace millrace::tree::testing
