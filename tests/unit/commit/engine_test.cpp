// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/engine.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/fd.h"
#include "unit/commit/full_disk.h"
#include "unit/commit/toy.h"

namespace millrace::commit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Engine_ = toy::ToyRouter;
using toy::Interruption;

const std::string kFirst =
    "set left item a value 1\nset left item b value 1\nset right item a value 1\n";
const std::string kSecond =
    "set left item a value 2\ndelete left item b\nset left item c value 2\n"
    "set right item a value 2\nset right item d value 2\n";

TEST_F(Engine_, A_commit_is_applied_and_recorded) {
  start();
  const CommitReport report = commit(kFirst, nullptr, "first");
  EXPECT_TRUE(report.committed) << report.diagnostics.to_string();
  EXPECT_EQ(report.revision, 1U);
  EXPECT_EQ(system_.files.all().at("/etc/left/a").text, "1");
  const auto revisions = engine_->revisions();
  ASSERT_EQ(revisions.size(), 2U);
  EXPECT_EQ(revisions[0].user, "alice");
  EXPECT_EQ(revisions[0].comment, "first");
  EXPECT_TRUE(engine_->revision(1)->empty());
  EXPECT_TRUE(*engine_->revision(0) == engine_->running());
}

TEST_F(Engine_, Plan_names_the_steps_in_order_and_runs_none) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  const std::string before = system_.dump();
  std::vector<std::string> lines;
  const auto steps = engine_->plan(edited(kSecond));
  ASSERT_TRUE(steps.has_value());
  for (const StepLine& line : *steps) {
    lines.push_back(line.applier + ": " + line.description);
  }
  EXPECT_THAT(lines, ElementsAre("left: write /etc/left/c", "right: write /etc/right/d",
                                 "left: write /etc/left/a", "right: write /etc/right/a",
                                 "left: remove /etc/left/b"));
  EXPECT_EQ(system_.dump(), before);
}

TEST_F(Engine_, A_commit_of_what_runs_makes_no_revision_unless_it_has_a_comment) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  const CommitReport nothing = commit("");
  EXPECT_TRUE(nothing.committed);
  EXPECT_EQ(nothing.revision, 1U);
  EXPECT_EQ(engine_->revisions().size(), 2U);
  EXPECT_EQ(commit("", nullptr, "a remark").revision, 2U);
  EXPECT_EQ(engine_->revisions().size(), 3U);
}

TEST_F(Engine_, A_change_that_has_no_effect_still_makes_a_revision) {
  start();
  ASSERT_TRUE(commit(kFirst + "deactivate left item a\n").committed);
  EXPECT_FALSE(system_.files.all().contains("/etc/left/a"));
  const std::string before = system_.dump();
  EXPECT_EQ(commit("set left item a value 9\n").revision, 2U);
  EXPECT_EQ(system_.dump(), before);
}

TEST_F(Engine_, An_error_of_a_check_changes_nothing) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  const std::string before = system_.dump();
  const CommitReport report = commit("set left item forbidden value 1\nset right item z value 1\n");
  EXPECT_FALSE(report.committed);
  EXPECT_THAT(report.diagnostics.to_string(), HasSubstr("this item is not possible"));
  EXPECT_EQ(system_.dump(), before);
  EXPECT_EQ(engine_->revisions().size(), 2U);
}

TEST_F(Engine_, A_failure_at_any_moment_takes_everything_back) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  const std::string before = system_.dump();
  std::size_t failures = 0;
  for (std::size_t n = 0;; ++n) {
    Interruption interruption(Interruption::Kind::Fail, n);
    const CommitReport report = commit(kSecond, &interruption);
    ASSERT_TRUE(interruption.happened());
    if (interruption.moment() == Observer::Moment::Committed) {
      EXPECT_TRUE(report.committed) << "nobody can refuse after the record";
      break;
    }
    ++failures;
    ASSERT_FALSE(report.committed) << n;
    EXPECT_THAT(report.diagnostics.to_string(), HasSubstr("injected"));
    EXPECT_EQ(system_.dump(), before) << n;
    EXPECT_EQ(engine_->revisions().size(), 2U);
    EXPECT_THAT(report.degraded, IsEmpty());
  }
  EXPECT_EQ(failures, 5U + 1U + 2U * 5U);
}

TEST_F(Engine_, A_crash_at_any_moment_ends_in_the_old_or_the_new_state_as_the_log_says) {
  for (const bool power_cut : {false, true}) {
    for (std::size_t n = 0;; ++n) {
      std::filesystem::remove_all(folder_);
      for (const auto& [path, content] : std::map(system_.files.all())) {
        ASSERT_TRUE(system_.files.remove(path));
      }
      reboot();
      ASSERT_TRUE(commit(kFirst).committed);
      const std::string old_dump = system_.dump();
      Interruption interruption(Interruption::Kind::Crash, n);
      EXPECT_THROW(commit(kSecond, &interruption), toy::Crash);
      const StartReport report = power_cut ? reboot() : start();
      if (interruption.moment() == Observer::Moment::Committed) {
        EXPECT_EQ(report.revision, 2U);
        EXPECT_EQ(system_.files.all().at("/etc/left/c").text, "2");
        EXPECT_EQ(system_.files.all().size(), 4U);
        EXPECT_THAT(report.remarks,
                    power_cut ? testing::Matcher<std::vector<std::string>>(IsEmpty())
                              : ElementsAre("commit 2 by alice was interrupted after it had been "
                                            "committed and is in force"));
        break;
      }
      EXPECT_EQ(report.revision, 1U);
      EXPECT_EQ(system_.dump(), old_dump) << n;
      if (interruption.moment() == Observer::Moment::Prepare) {
        EXPECT_THAT(report.remarks, IsEmpty());
      } else {
        EXPECT_THAT(report.remarks,
                    ElementsAre("commit 2 by alice was interrupted and has been rolled back to "
                                "revision 1"));
      }
      EXPECT_THAT(start().remarks, IsEmpty()) << "it is said once";
    }
  }
}

TEST_F(Engine_, A_clean_restart_touches_nothing) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  const std::string before = system_.dump();
  system_.hook = [](const std::string& what) -> base::Result<void> {
    return base::fail(base::Code::Internal, "unexpected: " + what);
  };
  const StartReport report = start();
  EXPECT_EQ(report.revision, 1U);
  EXPECT_THAT(report.remarks, IsEmpty());
  EXPECT_THAT(engine_->degraded(), IsEmpty());
  EXPECT_EQ(system_.dump(), before);
}

TEST_F(Engine_, A_boot_applies_what_it_can_and_says_what_not) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  ASSERT_TRUE(system_.files.remove("/etc/left/a"));
  ASSERT_TRUE(system_.files.remove("/etc/right/a"));
  system_.hook = [](const std::string& what) -> base::Result<void> {
    return what.find("left") == std::string::npos
               ? base::Result<void>()
               : base::fail(base::Code::ApplyFailed, "no space left");
  };
  const StartReport report = reboot();
  EXPECT_THAT(report.remarks, ElementsAre(HasSubstr("no older revision can be applied"),
                                          HasSubstr("alarm: left does not follow")));
  EXPECT_THAT(engine_->degraded(), ElementsAre("left"));
  EXPECT_TRUE(system_.files.all().contains("/etc/right/a"));

  system_.hook = nullptr;
  ASSERT_TRUE(commit("set right item e value 1\n").committed);
  EXPECT_THAT(engine_->degraded(), IsEmpty()) << "the next commit repairs it";
  EXPECT_TRUE(system_.files.all().contains("/etc/left/a"));
}

TEST_F(Engine_, A_failed_undo_is_repaired_by_reconciling) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  const std::string before = system_.dump();
  // The change to right/a is refused, and then the first undo as well.
  int refusals = 0;
  system_.hook = [&](const std::string& what) -> base::Result<void> {
    const bool refuse = what == "files: write /etc/right/a" || refusals == 1;
    refusals += refuse ? 1 : 0;
    return refuse && refusals <= 2 ? base::fail(base::Code::ApplyFailed, "refused")
                                   : base::Result<void>();
  };
  const CommitReport report = commit(kSecond);
  EXPECT_FALSE(report.committed);
  EXPECT_EQ(refusals, 2);
  EXPECT_THAT(report.degraded, IsEmpty());
  EXPECT_EQ(system_.dump(), before);
}

TEST_F(Engine_, A_subsystem_that_cannot_be_undone_is_degraded_until_it_follows_again) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  bool broken = false;
  system_.hook = [&](const std::string& what) -> base::Result<void> {
    broken = broken || what == "files: write /etc/left/a";
    return broken && what.find("left") != std::string::npos
               ? base::fail(base::Code::ApplyFailed, "disk is broken")
               : base::Result<void>();
  };
  const CommitReport report = commit(kSecond);
  EXPECT_FALSE(report.committed);
  EXPECT_THAT(report.degraded, ElementsAre("left"));
  start();
  EXPECT_THAT(engine_->degraded(), ElementsAre("left")) << "a restart does not forget it";
  EXPECT_TRUE(system_.files.all().contains("/etc/left/c")) << "what could not be taken back";

  EXPECT_TRUE(commit("set right item f value 1\n").committed) << "others are not held up";
  EXPECT_FALSE(commit("set left item g value 1\n").committed);
  system_.hook = nullptr;
  const CommitReport repaired = commit("delete left item a\n");
  EXPECT_TRUE(repaired.committed);
  EXPECT_THAT(repaired.degraded, IsEmpty());
  EXPECT_FALSE(system_.files.all().contains("/etc/left/c"));
  EXPECT_FALSE(system_.files.all().contains("/etc/left/a"));
}

TEST_F(Engine_, A_degraded_subsystem_does_not_hold_up_what_it_only_reads) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  ASSERT_TRUE(system_.files.remove("/etc/right/a"));
  system_.hook = [](const std::string& what) -> base::Result<void> {
    return what.find("right") == std::string::npos
               ? base::Result<void>()
               : base::fail(base::Code::ApplyFailed, "does not answer");
  };
  reboot();
  ASSERT_THAT(engine_->degraded(), ElementsAre("right"));
  const CommitReport report = commit("set left item h value 1\n");
  EXPECT_TRUE(report.committed) << report.diagnostics.to_string();
  EXPECT_THAT(report.degraded, ElementsAre("right"));
  EXPECT_TRUE(system_.files.all().contains("/etc/left/h"));

  system_.hook = nullptr;
  ASSERT_TRUE(commit("set left item i value 1\n").committed);
  EXPECT_THAT(engine_->degraded(), IsEmpty());
  EXPECT_TRUE(system_.files.all().contains("/etc/right/a"));
}

TEST_F(Engine_, A_commit_that_the_log_cannot_record_changes_nothing) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  const std::string before = system_.dump();
  const CommitReport report =
      engine_->commit({edited(kSecond), "alice", "cli", "\xff is not UTF-8"}, nullptr);
  EXPECT_FALSE(report.committed);
  EXPECT_THAT(report.diagnostics.to_string(), HasSubstr("UTF-8"));
  EXPECT_EQ(system_.dump(), before);
  EXPECT_TRUE(commit(kSecond).committed) << "and the next one works";
}

// Puts a device that is always full in the place of the open log, as a disk that fails would.
struct LogBreaker : Observer {
  explicit LogBreaker(std::filesystem::path state) : state_(std::move(state)) {}

  base::Result<void> at(Moment moment, const PlannedStep*) override {
    if (moment != Moment::Applied) {
      return {};
    }
    for (const auto& fd : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code closed;  // the iterator's own
      const auto file = std::filesystem::read_symlink(fd.path(), closed);
      if (file.parent_path() == state_ && file.filename().string().starts_with("log-")) {
        const base::Fd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
        ::dup2(full.get(), std::stoi(fd.path().filename().string()));
      }
    }
    return {};
  }

 private:
  std::filesystem::path state_;
};

TEST_F(Engine_, A_log_that_fails_at_the_end_makes_the_next_start_look_at_everything) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  const std::string before = system_.dump();
  LogBreaker breaker(folder_ / "state");
  EXPECT_FALSE(commit("set left item a value 2\n", &breaker).committed);
  EXPECT_EQ(system_.dump(), before);
  EXPECT_FALSE(commit("set left item a value 3\n").committed) << "nothing more may be promised";
  EXPECT_EQ(system_.dump(), before);

  ASSERT_TRUE(system_.files.remove("/etc/right/a"));
  start();
  EXPECT_EQ(system_.dump(), before);
}

TEST_F(Engine_, A_full_disk_does_not_keep_the_router_from_starting) {
  start();
  ASSERT_TRUE(commit(kFirst).committed);
  const std::string before = system_.dump();
  Interruption crash(Interruption::Kind::Crash, 8);  // among the steps
  EXPECT_THROW(commit(kSecond, &crash), toy::Crash);
  {
    const FullDisk full(std::filesystem::file_size(folder_ / "state/log-000000000000"));
    EXPECT_THAT(start().remarks, Contains(HasSubstr("alarm: the revision log")));
    EXPECT_EQ(system_.dump(), before);
  }
  EXPECT_THAT(start().remarks, ElementsAre(HasSubstr("was interrupted")));
  EXPECT_EQ(system_.dump(), before);
}

TEST(Appliers, Come_after_those_they_name_and_otherwise_by_name) {
  test::FakeSystem system;
  Registry registry;
  registry.push_back(std::make_unique<toy::Toy>("c", std::vector<std::string_view>{}, system));
  registry.push_back(std::make_unique<toy::Toy>("a", std::vector<std::string_view>{"d"}, system));
  registry.push_back(std::make_unique<toy::Toy>("d", std::vector<std::string_view>{}, system));
  registry.push_back(std::make_unique<toy::Toy>("b", std::vector<std::string_view>{}, system));
  ASSERT_TRUE(sort_appliers(registry));
  std::string order;
  for (const auto& applier : registry) {
    order += applier->name();
  }
  EXPECT_EQ(order, "bcda");
}

TEST(Appliers, In_a_circle_or_after_nobody_are_refused) {
  test::FakeSystem system;
  Registry circle;
  circle.push_back(std::make_unique<toy::Toy>("a", std::vector<std::string_view>{"b"}, system));
  circle.push_back(std::make_unique<toy::Toy>("b", std::vector<std::string_view>{"a"}, system));
  EXPECT_FALSE(sort_appliers(circle));
  Registry nobody;
  nobody.push_back(std::make_unique<toy::Toy>("a", std::vector<std::string_view>{"x"}, system));
  EXPECT_THAT(sort_appliers(nobody).error().message, HasSubstr("'x', which does not exist"));
}

}  // namespace
}  // namespace millrace::commit
