// SPDX-License-Identifier: GPL-2.0-or-later
//
// Checking what changed finds what checking everything finds, and the index that went along with
// the edits is the one that the tree alone gives: for random rules, trees and edits. check_all has
// no index and looks at everything, so the two share the wording and little else.
#include <gmock/gmock.h>

#include <cstdlib>

#include "check/check.h"
#include "unit/check/random_rules.h"

namespace millrace::check {
namespace {

using testing::RandomRules;

std::vector<std::string> texts(const Findings& findings, base::Severity severity) {
  std::vector<std::string> result;
  for (const Finding& finding : findings.items()) {
    if (finding.diagnostic.severity == severity) {
      result.push_back(finding.diagnostic.to_string());
    }
  }
  return result;
}

// Of rounds. A property that has met none of these has shown nothing.
struct Tally {
  int good = 0;
  int bad = 0;
  int lost_target = 0;     // who refers is found because what it refers to went
  int taken_value = 0;     // who owns is found because another took its value
  int broken_must = 0;     // a must is found because of what it looks at
  int changed_unique = 0;  // an entry stays and gets other unique values
};

// A finding at a statement that the change leaves as it is.
bool is_afar(const Finding& finding, const tree::Delta& delta) {
  return std::ranges::none_of(delta.changes(), [&](const tree::Change& change) {
    return !change.path.empty() && finding.path.to_string().starts_with(change.path.to_string());
  });
}

void count(const Findings& findings, const tree::Delta& delta, Tally& tally) {
  const auto afar = [&](std::string_view text) {
    return std::ranges::any_of(findings.items(), [&](const Finding& finding) {
      return finding.diagnostic.message.contains(text) && is_afar(finding, delta);
    });
  };
  tally.lost_target += afar("is not defined");
  tally.taken_value += afar("used already") || afar("used by");
  tally.broken_must += afar("rule ");
  tally.changed_unique += std::ranges::any_of(delta.changes(), [](const tree::Change& change) {
    const std::string path = change.path.to_string();
    return path.starts_with("top zone ") && (path.contains(" port") || path.contains(" mark"));
  });
}

// A valid tree that holds as much as the rules let in, so that the edits to come meet something.
tree::ConfigTree grown(RandomRules& rules, const Checker& checker, const tree::ConfigTree& empty) {
  tree::Editor editor{empty};
  for (int line = 0; line < 60; ++line) {
    const tree::ConfigTree before = editor.tree();
    tree::load(editor, {}, rules.addition() + "\n", tree::LoadAction::Set);
    if (checker.check_all(editor.tree()).has_errors()) {
      editor.reset(before);
    }
  }
  return editor.tree();
}

void walk(unsigned seed, int rounds, Tally& tally) {
  RandomRules rules(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + rules.text());
  const schema::Schema schema = rules.schema();
  const Checker checker(schema);
  tree::ConfigTree running = grown(rules, checker, tree::ConfigTree(schema));
  Index index = checker.index_of(running);
  tree::Editor editor{running};
  for (int round = 0; round < rounds; ++round) {
    std::string lines;
    for (unsigned edits = 1 + rules.below(4); edits > 0; --edits) {
      lines += rules.edit(editor.tree()) + "\n";
    }
    tree::load(editor, {}, lines, tree::LoadAction::Set);  // what does not apply is skipped
    const tree::ConfigTree candidate = editor.tree();
    const auto checked = checker.check(tree::Delta(running, candidate), index);
    const Findings all = checker.check_all(candidate);
    const std::string trees =
        "running:\n" + to_text(running, {}) + "candidate:\n" + to_text(candidate, {}) + lines;
    ASSERT_EQ(texts(checked.findings, base::Severity::Error), texts(all, base::Severity::Error))
        << trees;
    ASSERT_THAT(texts(all, base::Severity::Warning),
                ::testing::IsSupersetOf(texts(checked.findings, base::Severity::Warning)));
    ASSERT_TRUE(checked.index == checker.index_of(candidate)) << trees;
    count(checked.findings, tree::Delta(running, candidate), tally);
    if (!all.has_errors()) {
      ++tally.good;
      running = candidate;
      index = checked.index;
    } else {
      ++tally.bad;
      if (rules.below(3) != 0) {
        editor.reset(running);
      }
    }
  }
}

TEST(CheckLaws, The_change_finds_what_the_whole_finds_and_the_index_follows) {
  const bool release = std::getenv("MILLRACE_RELEASE") != nullptr;
  const int seeds = release ? 2'000 : 60;
  Tally tally;
  for (int seed = 1; seed <= seeds && !HasFatalFailure(); ++seed) {
    walk(static_cast<unsigned>(seed), 40, tally);
  }
  // Neither side of the comparison was always empty.
  EXPECT_GT(tally.good, tally.bad / 10);
  EXPECT_GT(tally.bad, tally.good / 10);
  EXPECT_GT(tally.lost_target, seeds / 6);
  EXPECT_GT(tally.taken_value, seeds / 10);
  EXPECT_GT(tally.broken_must, seeds / 6);
  EXPECT_GT(tally.changed_unique, seeds / 6);
}

}  // namespace
}  // namespace millrace::check
