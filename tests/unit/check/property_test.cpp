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

struct Tally {
  int good = 0;
  int bad = 0;
};

void walk(unsigned seed, int rounds, Tally& tally) {
  RandomRules rules(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + rules.text());
  const schema::Schema schema = rules.schema();
  const Checker checker(schema);
  tree::ConfigTree running(schema);
  Index index = checker.index_of(running);
  tree::Editor editor{running};
  for (int round = 0; round < rounds; ++round) {
    std::string lines;
    for (unsigned edits = 1 + rules.below(4); edits > 0; --edits) {
      lines += rules.edit() + "\n";
    }
    const auto report = tree::load(editor, {}, lines, tree::LoadAction::Set);
    ASSERT_TRUE(report.errors.empty()) << report.to_string("lines") << lines;
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
    if (!all.has_errors()) {
      ++tally.good;
      running = candidate;
      index = checked.index;
    } else {
      ++tally.bad;
      if (rules.below(3) == 0) {
        editor.reset(running);
      }
    }
  }
}

TEST(CheckLaws, The_change_finds_what_the_whole_finds_and_the_index_follows) {
  const bool release = std::getenv("MILLRACE_RELEASE") != nullptr;
  const unsigned seeds = release ? 2'000 : 60;
  Tally tally;
  for (unsigned seed = 1; seed <= seeds && !HasFatalFailure(); ++seed) {
    walk(seed, 40, tally);
  }
  // Neither side of the comparison was always empty.
  EXPECT_GT(tally.good, tally.bad / 10);
  EXPECT_GT(tally.bad, tally.good / 10);
}

}  // namespace
}  // namespace millrace::check
