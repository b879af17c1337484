// SPDX-License-Identifier: GPL-2.0-or-later
//
// Takes every golden case
//
//   forwards          and compares everything with what the folder wants
//   backwards         and to nothing: each state is exactly as it was
//   from_boot         a machine that boots with the configuration afterwards is the same machine
//   failing_steps     each prepare, apply and "just after apply" fails: nothing has changed
//   refused_changes   each change is refused by the kernel, FRR, the disk or systemd: the same
//   failing_undos     after each failing step an undo fails as well: reconciling brings back the
//   same;
//                     and the machine refuses everything from each change on, undo included: what
//                     is degraded is said, and the same commit goes through when it no longer
//                     refuses
//   crashes           the daemon dies at each moment and before each change, and starts again:
//                     exactly the old or the new state, as the log says
//   power_cuts        the same with the machine rebooting
//   second_crashes    the daemon dies with all steps done and nothing committed, and again before
//                     each change of the recovery: the old state
//
// and then wanders at random between the configurations of all cases that share the default
// machine, with failures, crashes and power cuts on the way: wherever it comes to, the machine is
// the one that a single commit from nothing makes. convergence.h does the same with random edits.
//
// With MILLRACE_UPDATE_CASES=1 in the environment, or --update, forwards rewrites the folder
// instead.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <format>
#include <string_view>
#include <vector>

#include "cases/case_router.h"
#include "cases/convergence.h"
#include "cases/watcher.h"
#include "support/random.h"
#include "tree/compare.h"

namespace millrace::cases {
namespace {

using commit::CommitReport;
using commit::Observer;

// Set once, before the tests run.
bool updating = std::getenv("MILLRACE_UPDATE_CASES") != nullptr;

std::string lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

std::string findings(const base::Diagnostics& diagnostics, base::Severity severity) {
  base::Diagnostics some;
  for (const base::Diagnostic& item : diagnostics.items()) {
    if (item.severity == severity) {
      some.add(item);
    }
  }
  return some.to_string();
}

class CaseTest : public ::testing::Test {
 public:
  CaseTest(const GoldenCase& golden, void (CaseTest::*mode)()) : golden_(golden), mode_(mode) {}
  void TestBody() override { (this->*mode_)(); }

  void forwards();
  void backwards();
  void from_boot();
  void failing_steps();
  void refused_changes();
  void failing_undos();
  void crashes() { interruptions(&CaseRouter::restart); }
  void power_cuts() { interruptions(&CaseRouter::reboot); }
  void second_crashes();

 private:
  // The case's candidate. Fails the test when edit.set does not load.
  static tree::ConfigTree candidate(const CaseRouter& router) {
    std::string errors;
    auto tree = router.edited(errors);
    EXPECT_EQ(errors, "");
    return tree;
  }
  // The machine before and after the case, and the revision before.
  struct Dumps {
    std::string before, after;
    commit::RevisionId revision = 0;
  };
  Dumps dumps() const;
  void interruptions(commit::StartReport (CaseRouter::*start)());
  void expect_interrupted(CaseRouter& router, const Dumps& dumps, Watcher& watcher,
                          commit::StartReport (CaseRouter::*start)(), const std::string& where);
  void expect_nothing_changed(CaseRouter& router, const Dumps& dumps, const CommitReport& report,
                              const std::string& where);

  const GoldenCase& golden_;
  void (CaseTest::*mode_)();
};

CaseTest::Dumps CaseTest::dumps() const {
  CaseRouter router(golden_);
  router.commit_before();
  Dumps dumps{router.dump(), {}, router.engine().revisions().front().id};
  const CommitReport report = router.commit(candidate(router));
  EXPECT_TRUE(report.committed) << report.diagnostics.to_string();
  dumps.after = router.dump();
  return dumps;
}

void CaseTest::forwards() {
  CaseRouter router(golden_);
  ASSERT_NO_FATAL_FAILURE(router.commit_before());
  const auto kernel = router.system().kernel.dump();
  const auto frr = router.system().frr.dump();
  const auto files = router.system().files.all();
  const auto units = router.system().units.dump();
  const auto accounts = router.system().accounts.dump();
  const std::string dump = router.dump();

  Wanted found;
  std::string load_errors;
  const tree::ConfigTree running = router.engine().running();
  const tree::ConfigTree candidate = router.edited(load_errors);
  found["want.diff"] = tree::compare_text(tree::Delta(running, candidate), {});
  found["want.errors"] = load_errors;
  if (load_errors.empty()) {
    Watcher watcher;
    const CommitReport report = router.commit(candidate, &watcher);
    EXPECT_TRUE(report.degraded.empty());
    found["want.warnings"] = findings(report.diagnostics, base::Severity::Warning);
    found["want.errors"] = findings(report.diagnostics, base::Severity::Error);
    if (report.committed) {
      found["want.plan"] = watcher.plan();
    }
  }
  if (!found["want.errors"].empty()) {
    EXPECT_EQ(router.dump(), dump) << "a commit that fails changes nothing";
    EXPECT_TRUE(router.engine().running() == running);
  }
  if (router.system().kernel.dump() != kernel) {
    found["want.kernel"] = lines(router.system().kernel.dump());
  }
  if (router.system().frr.dump() != frr) {
    found["want.frr"] = lines(router.system().frr.dump());
  }
  if (router.system().units.dump() != units) {
    found["want.units"] = lines(router.system().units.dump());
  }
  if (router.system().accounts.dump() != accounts) {
    found["want.accounts"] = lines(router.system().accounts.dump());
  }
  if (router.system().files.all() != files) {
    for (const auto& [path, content] : router.system().files.all()) {
      found["want" + path] = content.text;
    }
  }
  EXPECT_EQ(router.differences(), "") << "what the appliers would still do";
  std::erase_if(found, [](const auto& file) { return file.second.empty(); });
  if (updating) {
    golden_.rewrite(found);
    return;
  }
  const Wanted wanted = golden_.wanted();
  EXPECT_FALSE(wanted.empty()) << "nothing is wanted; write the files or run with --update";
  for (const auto& [path, content] : wanted) {
    EXPECT_EQ(found[path], content) << path;
  }
  for (const auto& [path, content] : found) {
    EXPECT_TRUE(wanted.contains(path)) << "not wanted: " << path << "\n" << content;
  }
}

void CaseTest::backwards() {
  CaseRouter router(golden_);
  const std::string nothing = router.dump();
  ASSERT_NO_FATAL_FAILURE(router.commit_before());
  const std::string before = router.dump();
  const tree::ConfigTree after = candidate(router);
  ASSERT_TRUE(router.commit(after).committed);
  const std::string after_dump = router.dump();

  const CommitReport back = router.commit(router.before());
  ASSERT_TRUE(back.committed) << back.diagnostics.to_string();
  EXPECT_EQ(router.dump(), before);
  ASSERT_TRUE(router.commit(after).committed);
  EXPECT_EQ(router.dump(), after_dump) << "the second time";
  const CommitReport to_nothing = router.commit(tree::ConfigTree(real_schema()));
  ASSERT_TRUE(to_nothing.committed) << to_nothing.diagnostics.to_string();
  EXPECT_EQ(router.dump(), nothing) << "with everything deleted";
}

void CaseTest::from_boot() {
  CaseRouter router(golden_);
  ASSERT_NO_FATAL_FAILURE(router.commit_before());
  ASSERT_TRUE(router.commit(candidate(router)).committed);
  const std::string after = router.dump();
  for (const std::string& remark : router.reboot().remarks) {
    EXPECT_TRUE(remark.contains("is kept without effect")) << remark;
  }
  EXPECT_EQ(router.dump(), after) << "after a boot";
  EXPECT_EQ(router.differences(), "");

  CaseRouter fresh(golden_);
  ASSERT_TRUE(fresh.commit(router.engine().running()).committed);
  EXPECT_EQ(fresh.dump(), after) << "in one commit from nothing";
}

void CaseTest::expect_nothing_changed(CaseRouter& router, const Dumps& dumps,
                                      const CommitReport& report, const std::string& where) {
  EXPECT_FALSE(report.committed) << where;
  EXPECT_TRUE(report.diagnostics.has_errors()) << where;
  EXPECT_TRUE(report.degraded.empty()) << where;
  EXPECT_EQ(router.dump(), dumps.before) << where;
  EXPECT_EQ(router.engine().revisions().front().id, dumps.revision) << where;
  const CommitReport again = router.commit(candidate(router));
  EXPECT_TRUE(again.committed) << where << ", then again: " << again.diagnostics.to_string();
  EXPECT_EQ(router.dump(), dumps.after) << where << ", then again";
}

void CaseTest::failing_steps() {
  const Dumps expected = dumps();
  for (std::size_t n = 0; !HasFailure(); ++n) {
    CaseRouter router(golden_);
    ASSERT_NO_FATAL_FAILURE(router.commit_before());
    Watcher watcher(n);
    const CommitReport report = router.commit(candidate(router), &watcher);
    if (!watcher.happened() || watcher.moment() == Observer::Moment::Committed) {
      EXPECT_TRUE(report.committed);
      return;
    }
    expect_nothing_changed(router, expected, report, std::format("failure at moment {}", n));
  }
}

void CaseTest::refused_changes() {
  const Dumps expected = dumps();
  for (std::size_t n = 0; !HasFailure(); ++n) {
    CaseRouter router(golden_);
    ASSERT_NO_FATAL_FAILURE(router.commit_before());
    std::size_t seen = 0;
    std::string refused;
    router.system().hook = [&](const std::string& what) -> base::Result<void> {
      if (seen++ != n) {
        return {};
      }
      refused = what;
      return base::fail(base::Code::ApplyFailed, "injected refusal");
    };
    const CommitReport report = router.commit(candidate(router));
    router.system().hook = nullptr;
    if (refused.empty()) {
      EXPECT_TRUE(report.committed);
      return;
    }
    expect_nothing_changed(router, expected, report, "refused: " + refused);
  }
}

void CaseTest::failing_undos() {
  const Dumps expected = dumps();
  for (std::size_t n = 0; !HasFailure(); ++n) {
    CaseRouter router(golden_);
    ASSERT_NO_FATAL_FAILURE(router.commit_before());
    Watcher watcher(n, false, n % 3);
    const CommitReport report = router.commit(candidate(router), &watcher);
    if (!watcher.happened() || watcher.moment() == Observer::Moment::Committed) {
      break;
    }
    expect_nothing_changed(router, expected, report, std::format("failure at moment {}", n));
  }
  for (std::size_t n = 0; !HasFailure(); ++n) {
    CaseRouter router(golden_);
    ASSERT_NO_FATAL_FAILURE(router.commit_before());
    std::size_t seen = 0;
    router.system().hook = [&](const std::string&) -> base::Result<void> {
      return seen++ < n ? base::Result<void>()
                        : base::fail(base::Code::ApplyFailed, "injected refusal");
    };
    const CommitReport report = router.commit(candidate(router));
    router.system().hook = nullptr;
    if (seen <= n) {
      EXPECT_TRUE(report.committed);
      return;
    }
    const std::string where = std::format("everything refused from change {} on", n);
    EXPECT_FALSE(report.committed) << where;
    EXPECT_EQ(report.degraded, router.engine().degraded()) << where;
    EXPECT_TRUE(!report.degraded.empty() || router.dump() == expected.before) << where;
    const CommitReport again = router.commit(candidate(router));
    EXPECT_TRUE(again.committed) << where << ", then again: " << again.diagnostics.to_string();
    EXPECT_TRUE(again.degraded.empty()) << where << ", then again";
    EXPECT_EQ(router.dump(), expected.after) << where << ", then again";
  }
}

void CaseTest::expect_interrupted(CaseRouter& router, const Dumps& dumps, Watcher& watcher,
                                  commit::StartReport (CaseRouter::*start)(),
                                  const std::string& where) {
  router.system().hook = nullptr;
  const auto report = (router.*start)();
  const bool committed = watcher.moment() == Observer::Moment::Committed;
  EXPECT_EQ(report.revision, dumps.revision + (committed ? 1U : 0U)) << where;
  EXPECT_EQ(router.dump(), committed ? dumps.after : dumps.before) << where;
  EXPECT_TRUE(router.engine().degraded().empty()) << where;
  EXPECT_EQ(router.differences(), "") << where;
}

void CaseTest::interruptions(commit::StartReport (CaseRouter::*start)()) {
  const Dumps expected = dumps();
  for (std::size_t n = 0; !HasFailure(); ++n) {
    CaseRouter router(golden_);
    ASSERT_NO_FATAL_FAILURE(router.commit_before());
    Watcher watcher(n, true);
    try {
      EXPECT_TRUE(router.commit(candidate(router), &watcher).committed);
      break;
    } catch (const Crash&) {
      expect_interrupted(router, expected, watcher, start, std::format("at moment {}", n));
    }
  }
  for (std::size_t n = 0; !HasFailure(); ++n) {
    CaseRouter router(golden_);
    ASSERT_NO_FATAL_FAILURE(router.commit_before());
    std::size_t seen = 0;
    std::string last;
    router.system().hook = [&](const std::string& what) -> base::Result<void> {
      last = what;
      return seen++ == n ? throw Crash() : base::Result<void>();
    };
    Watcher watcher;
    try {
      EXPECT_TRUE(router.commit(candidate(router), &watcher).committed);
      break;
    } catch (const Crash&) {
      expect_interrupted(router, expected, watcher, start, "before " + last);
    }
  }
}

void CaseTest::second_crashes() {
  const Dumps expected = dumps();
  for (std::size_t n = 0; !HasFailure(); ++n) {
    CaseRouter router(golden_);
    ASSERT_NO_FATAL_FAILURE(router.commit_before());
    const auto steps = router.engine().plan(candidate(router));
    ASSERT_TRUE(steps.has_value());
    // Prepares, the record, and then two moments a step.
    Watcher watcher(3 * steps->size(), true);
    try {
      EXPECT_TRUE(router.commit(candidate(router), &watcher).committed);
    } catch (const Crash&) {
    }
    std::size_t seen = 0;
    std::string last;
    router.system().hook = [&](const std::string& what) -> base::Result<void> {
      last = what;
      return seen++ == n ? throw Crash() : base::Result<void>();
    };
    try {
      router.restart();
      return;
    } catch (const Crash&) {
      expect_interrupted(router, expected, watcher, &CaseRouter::restart, "then before " + last);
    }
  }
}

// ===== the program =====

const std::vector<GoldenCase>& all_cases() {
  static const std::vector<GoldenCase> cases = find_cases();
  return cases;
}

class RandomWalk : public ::testing::Test {
 public:
  void TestBody() override;

 private:
  // The machine that one commit of `tree` makes from nothing.
  std::string fresh_dump(const GoldenCase& machine, const tree::ConfigTree& tree) {
    CaseRouter router(machine);
    const CommitReport report = router.commit(tree);
    EXPECT_TRUE(report.committed) << report.diagnostics.to_string();
    return router.dump();
  }
};

void RandomWalk::TestBody() {
  static constexpr std::size_t kCommits = 150;
  support::Random random;
  const GoldenCase machine;
  std::vector<std::pair<tree::ConfigTree, std::string>> places;
  for (const GoldenCase& golden : all_cases()) {
    if (!golden.facts.empty() || golden.must_fail()) {
      continue;
    }
    CaseRouter router(golden);
    router.commit_before();
    std::string errors;
    const tree::ConfigTree after = router.edited(errors);
    for (const auto& tree : {router.engine().running(), after}) {
      places.emplace_back(tree, fresh_dump(machine, tree));
    }
  }
  ASSERT_GE(places.size(), 2U);

  CaseRouter router(machine);
  std::string here = router.dump();
  for (std::size_t n = 0; n < kCommits && !HasFailure(); ++n) {
    const auto& [tree, dump] = places[random.below(places.size())];
    const auto fault = random.below(4);  // none, a failure, a crash, a power cut
    Watcher watcher(fault == 0 ? Watcher::kNever : random.below(30), fault >= 2);
    bool arrived = false;
    try {
      arrived = router.commit(tree, &watcher).committed;
      EXPECT_EQ(arrived, !watcher.happened() || watcher.moment() == Observer::Moment::Committed);
    } catch (const Crash&) {
      arrived = watcher.moment() == Observer::Moment::Committed;
      fault == 2 ? router.restart() : router.reboot();
    }
    here = arrived ? dump : here;
    EXPECT_EQ(router.dump(), here) << "commit " << n << ", fault " << fault;
  }
}

// Only case `name` and mode `mode` unless empty; returns how many that are.
std::size_t register_cases(std::string_view name, std::string_view only) {
  struct Mode {
    const char* name;
    void (CaseTest::*run)();
  };
  static constexpr std::array kModes = {
      Mode{"forwards", &CaseTest::forwards},
      Mode{"backwards", &CaseTest::backwards},
      Mode{"from_boot", &CaseTest::from_boot},
      Mode{"failing_steps", &CaseTest::failing_steps},
      Mode{"refused_changes", &CaseTest::refused_changes},
      Mode{"failing_undos", &CaseTest::failing_undos},
      Mode{"crashes", &CaseTest::crashes},
      Mode{"power_cuts", &CaseTest::power_cuts},
      Mode{"second_crashes", &CaseTest::second_crashes},
  };
  std::size_t count = 0;
  for (const GoldenCase& golden : all_cases()) {
    for (const Mode& mode : kModes) {
      if ((!name.empty() && name != golden.name) || (!only.empty() && only != mode.name) ||
          (mode.run != &CaseTest::forwards && (golden.must_fail() || updating))) {
        continue;
      }
      ++count;
      ::testing::RegisterTest(
          ("cases/" + golden.name).c_str(), mode.name, nullptr, nullptr, __FILE__, __LINE__,
          [&golden, mode]() -> CaseTest* { return new CaseTest(golden, mode.run); });
    }
  }
  if (!updating && (name.empty() || name == "random-walk")) {
    ++count;
    ::testing::RegisterTest("cases/random-walk", "between_all_cases", nullptr, nullptr, __FILE__,
                            __LINE__, []() -> RandomWalk* { return new RandomWalk; });
  }
  if (!updating && (name.empty() || name == "sequences")) {
    ++count;
    register_sequences();
  }
  return count;
}

}  // namespace
}  // namespace millrace::cases

// cases_test [--update] [CASE [MODE]]
int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  std::vector<std::string_view> words(argv + 1, argv + argc);
  millrace::cases::updating |= std::erase(words, "--update") > 0;
  words.resize(2);
  if (millrace::cases::updating && !words[1].empty() && words[1] != "forwards") {
    return 0;  // only forwards rewrites; what a case wants cannot be judged meanwhile
  }
  if (millrace::cases::register_cases(words[0], words[1]) == 0) {
    std::fprintf(stderr, "no case %s\n", std::string(words[0]).c_str());
    return 2;
  }
  return RUN_ALL_TESTS();
}
