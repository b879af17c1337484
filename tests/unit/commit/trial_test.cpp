// SPDX-License-Identifier: GPL-2.0-or-later
//
// `commit confirmed`: the clock is the test's, and the daemon dies at every moment.
#include "commit/trial.h"
#include "base/file.h"

#include <gmock/gmock.h>

#include <fstream>

#include "tree/delta.h"
#include "unit/commit/toy.h"

namespace millrace::commit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using toy::Crash;
using toy::Interruption;

constexpr auto kFirst = "set left item a value 1";
constexpr auto kSecond = "set left item a value 2\nset right item b value 1";

class Trials : public toy::ToyRouter {
 protected:
  Trials() {
    start();
    EXPECT_TRUE(commit(kFirst).committed);
    first_ = engine_->running();
    first_dump_ = system_.dump();
  }

  CommitRequest on_trial(const std::string& lines, unsigned minutes = 5) {
    CommitRequest request{edited(lines), "alice", "cli", ""};
    request.trial = TrialTerms{minutes, {}};
    return request;
  }
  CommitReport try_out(const std::string& lines, unsigned minutes = 5,
                       Observer* observer = nullptr) {
    return engine_->commit(on_trial(lines, minutes), observer);
  }
  bool runs(const tree::ConfigTree& tree) const {
    return tree::Delta(tree, engine_->running()).empty();
  }

  tree::ConfigTree first_{schema_};
  std::string first_dump_;
};

TEST_F(Trials, A_trial_knows_its_deadline_on_the_clock_since_the_boot) {
  const auto report = try_out(kSecond);
  ASSERT_TRUE(report.committed);
  const auto trial = engine_->trial();
  ASSERT_TRUE(trial);
  EXPECT_EQ(trial->revision, report.revision);
  EXPECT_EQ(trial->previous, report.revision - 1);
  EXPECT_EQ(trial->user, "alice");
  EXPECT_EQ(trial->deadline, clock_ + std::chrono::minutes(5));
}

TEST_F(Trials, A_further_commit_confirms_with_and_without_changes) {
  ASSERT_TRUE(try_out(kSecond).committed);
  const auto same = engine_->commit({engine_->running(), "alice", "cli", ""});
  EXPECT_TRUE(same.committed);
  EXPECT_FALSE(engine_->trial());
  EXPECT_EQ(engine_->revisions().size(), 3U);  // nothing changed, so no revision
  start();
  EXPECT_FALSE(engine_->trial());

  ASSERT_TRUE(try_out("set left item a value 3").committed);
  EXPECT_TRUE(commit("set left item a value 4").committed);
  EXPECT_FALSE(engine_->trial());
  reboot();
  EXPECT_EQ(system_.files.all().at("/etc/left/a").text, "4");
}

TEST_F(Trials, A_commit_that_fails_leaves_the_trial_and_arms_none) {
  ASSERT_TRUE(try_out(kSecond).committed);
  const auto before = engine_->trial();
  EXPECT_FALSE(commit("set left item forbidden value 1").committed);
  EXPECT_FALSE(try_out("set left item forbidden value 1", 60).committed);
  Interruption failure(Interruption::Kind::Fail, 3);
  EXPECT_FALSE(try_out("set left item a value 9", 60, &failure).committed);
  ASSERT_TRUE(engine_->trial());
  EXPECT_EQ(engine_->trial()->revision, before->revision);
  EXPECT_EQ(engine_->trial()->deadline, before->deadline);

  ASSERT_TRUE(engine_->confirm(before->revision));
  Interruption again(Interruption::Kind::Fail, 3);
  EXPECT_FALSE(try_out("set left item a value 9", 5, &again).committed);
  EXPECT_FALSE(engine_->trial());
}

TEST_F(Trials, Another_trial_begins_the_time_anew_and_keeps_what_comes_back) {
  const auto one = try_out(kSecond).revision;
  clock_ += std::chrono::minutes(4);
  const auto two = try_out("set left item c value 3", 7).revision;
  EXPECT_GT(two, one);
  EXPECT_EQ(engine_->trial()->deadline, clock_ + std::chrono::minutes(7));
  EXPECT_EQ(engine_->trial()->previous, one - 1);
  EXPECT_TRUE(engine_->reject(two, "root", "other", "not confirmed").committed);
  EXPECT_TRUE(runs(first_));
  EXPECT_EQ(system_.dump(), first_dump_);
}

TEST_F(Trials, Without_a_change_a_trial_still_begins_the_time_anew) {
  ASSERT_TRUE(try_out(kSecond, 5).committed);
  clock_ += std::chrono::minutes(4);
  ASSERT_TRUE(try_out("", 5).committed);
  EXPECT_EQ(engine_->trial()->deadline, clock_ + std::chrono::minutes(5));
  EXPECT_TRUE(engine_->reject(engine_->trial()->revision, "root", "other", "x").committed);
  EXPECT_TRUE(runs(first_));
}

TEST_F(Trials, A_rejected_trial_becomes_a_new_revision) {
  const auto revision = try_out(kSecond).revision;
  const auto report = engine_->reject(revision, "root", "other", "was not confirmed");
  EXPECT_TRUE(report.committed);
  EXPECT_EQ(report.revision, revision + 1);
  EXPECT_EQ(engine_->revisions().front().comment, "was not confirmed");
  EXPECT_TRUE(engine_->revisions()[1].trial);  // history says for good that it was one
  EXPECT_FALSE(engine_->trial());
  EXPECT_EQ(system_.dump(), first_dump_);
  EXPECT_FALSE(engine_->reject(revision, "root", "other", "again").committed);
  EXPECT_TRUE(engine_->confirm(revision).error().message.contains("does not wait"));
}

TEST_F(Trials, A_restart_waits_on_and_a_boot_does_not) {
  const auto revision = try_out(kSecond).revision;
  const auto deadline = engine_->trial()->deadline;
  clock_ += std::chrono::minutes(2);
  start();
  ASSERT_TRUE(engine_->trial());
  EXPECT_EQ(engine_->trial()->deadline, deadline);
  EXPECT_FALSE(runs(first_));

  const auto report = reboot();
  EXPECT_FALSE(engine_->trial());
  EXPECT_TRUE(runs(first_));
  EXPECT_EQ(system_.dump(), first_dump_);
  EXPECT_EQ(report.revision, revision + 1);
  EXPECT_THAT(report.remarks, ElementsAre(HasSubstr("was not confirmed before the restart")));
  EXPECT_TRUE(reboot().remarks.empty());
  EXPECT_TRUE(runs(first_));
}

// Half of a deadline is another deadline, an earlier one at best.
TEST_F(Trials, A_deadline_that_is_not_whole_is_none) {
  for (const std::string text : {"12", "12garbage", "12 \n", "garbage", ""}) {
    const auto revision = try_out(kSecond).revision;
    engine_.reset();
    const auto file = folder_ / "run" / std::format("trial-{}", revision);
    ASSERT_TRUE(base::write_file(file, text));
    EXPECT_THAT(start().remarks, ElementsAre(HasSubstr("was not confirmed"))) << text;
    EXPECT_TRUE(runs(first_)) << text;
  }
}

TEST_F(Trials, A_confirmed_trial_boots) {
  const auto revision = try_out(kSecond).revision;
  ASSERT_TRUE(engine_->confirm(revision));
  const std::string dump = system_.dump();
  reboot();
  EXPECT_EQ(system_.dump(), dump);
  EXPECT_EQ(engine_->revisions().front().id, revision);
}

TEST_F(Trials, What_decides_survives_a_restart) {
  auto request = on_trial(kSecond);
  request.trial->verify = "ping 192.0.2.1";
  ASSERT_TRUE(engine_->commit(std::move(request)).committed);
  start();
  EXPECT_EQ(engine_->trial()->terms.verify, "ping 192.0.2.1");
}

// Whatever the moment: after the crash either the first configuration runs and nothing is on trial,
// or the second runs and its trial goes on; and a boot always comes up with the first.
TEST_F(Trials, A_crash_at_any_moment_never_makes_a_trial_permanent) {
  bool went_through = false;
  for (std::size_t moment = 0; !went_through; ++moment) {
    for (const bool power : {false, true}) {
      Interruption crash(Interruption::Kind::Crash, moment);
      try {
        try_out(kSecond, 5, &crash);
      } catch (const Crash&) {
      }
      went_through = !crash.happened();
      power ? reboot() : start();
      if (engine_->trial()) {
        EXPECT_FALSE(power) << moment;
        EXPECT_FALSE(runs(first_)) << moment;
        EXPECT_TRUE(engine_->reject(engine_->trial()->revision, "root", "other", "x").committed);
      }
      EXPECT_TRUE(runs(first_)) << moment;
      EXPECT_EQ(system_.dump(), first_dump_) << moment;
    }
  }
}

TEST_F(Trials, A_crash_while_a_trial_is_rejected_ends_in_the_first_configuration) {
  bool went_through = false;
  for (std::size_t moment = 0; !went_through; ++moment) {
    for (const bool power : {false, true}) {
      const auto revision = try_out(kSecond).revision;
      Interruption crash(Interruption::Kind::Crash, moment);
      try {
        engine_->reject(revision, "root", "other", "x", &crash);
      } catch (const Crash&) {
      }
      went_through = !crash.happened();
      power ? reboot() : start();
      if (const auto trial = engine_->trial()) {  // its deadline has passed, so it is tried again
        EXPECT_EQ(trial->revision, revision);
        EXPECT_TRUE(engine_->reject(revision, "root", "other", "x").committed);
      }
      EXPECT_TRUE(runs(first_)) << moment;
      EXPECT_EQ(system_.dump(), first_dump_) << moment;
    }
  }
}

TEST_F(Trials, A_trial_goes_even_when_its_rollback_is_refused) {
  const auto revision = try_out(kSecond).revision;
  Interruption refuse(Interruption::Kind::Fail, 0);
  const auto report = engine_->reject(revision, "root", "other", "x", &refuse);
  EXPECT_TRUE(report.committed);
  EXPECT_FALSE(engine_->trial());
  EXPECT_TRUE(runs(first_));
  EXPECT_EQ(system_.dump(), first_dump_);
}

TEST_F(Trials, Labels_are_unique_and_names) {
  auto request = on_trial(kSecond);
  request.label = "before-upgrade";
  ASSERT_TRUE(engine_->commit(request).committed);
  EXPECT_EQ(engine_->revisions().front().label, "before-upgrade");
  start();
  EXPECT_EQ(engine_->revisions().front().label, "before-upgrade");
  EXPECT_THAT(engine_->commit(request).diagnostics.to_string(), HasSubstr("belongs to revision 2"));
  for (const std::string_view bad : {"9", "a b", "rescue", "../x", ""}) {
    EXPECT_FALSE(check_name(bad)) << bad;
  }
}

TEST_F(Trials, Full_brings_back_what_somebody_has_changed_behind_our_back) {
  ASSERT_TRUE(system_.files.write("/etc/left/a", {"foreign"}));
  auto request = on_trial("");
  request.trial.reset();
  EXPECT_TRUE(engine_->commit(request).committed);
  EXPECT_EQ(system_.files.all().at("/etc/left/a").text, "foreign");
  request.full = true;
  EXPECT_TRUE(engine_->commit(request).committed);
  EXPECT_EQ(system_.files.all().at("/etc/left/a").text, "1");
}

TEST_F(Trials, Activate_runs_what_was_prepared_and_nothing_else) {
  CommitRequest request{edited(kSecond), "alice", "cli", ""};
  request.prepared = true;
  EXPECT_THAT(engine_->commit(request).diagnostics.to_string(), HasSubstr("no commit is prepared"));
  EXPECT_FALSE(engine_->prepare_commit(request.candidate).has_errors());
  EXPECT_EQ(system_.dump(), first_dump_);
  EXPECT_TRUE(engine_->commit(request).committed);
  EXPECT_FALSE(runs(first_));

  request.candidate = edited("set left item a value 5");
  EXPECT_FALSE(engine_->prepare_commit(edited("set left item a value 6")).has_errors());
  EXPECT_THAT(engine_->commit(request).diagnostics.to_string(),
              HasSubstr("the candidate has changed"));
  EXPECT_FALSE(engine_->prepare_commit(request.candidate).has_errors());
  EXPECT_TRUE(commit("set left item a value 7").committed);
  EXPECT_THAT(engine_->commit(request).diagnostics.to_string(), HasSubstr("no commit is prepared"));
  EXPECT_TRUE(engine_->prepare_commit(edited("set left item forbidden value 7")).has_errors());
  EXPECT_FALSE(engine_->drop_prepared());
}

TEST_F(Trials, Saved_configurations_stay_and_damage_is_noticed) {
  auto& saved = engine_->saved();
  ASSERT_TRUE(saved.save(kRescue, first_, "alice"));
  ASSERT_TRUE(saved.save("lab-1", first_, "bob"));
  ASSERT_TRUE(commit(kSecond).committed);
  start();
  EXPECT_TRUE(tree::Delta(engine_->saved().load("lab-1").value(), first_).empty());
  EXPECT_TRUE(tree::Delta(engine_->saved().load(kRescue).value(), first_).empty());
  ASSERT_EQ(engine_->saved().list().size(), 2U);
  EXPECT_EQ(engine_->saved().list()[0].user, "bob");
  EXPECT_FALSE(engine_->saved().load("../../etc/passwd"));
  EXPECT_FALSE(engine_->saved().save("a/b", first_, "bob"));
  {
    std::ofstream(folder_ / "state" / "checkpoint-lab-1.conf", std::ios::app) << "x";
  }
  EXPECT_THAT(engine_->saved().load("lab-1").error().message, HasSubstr("is damaged"));
  EXPECT_TRUE(engine_->saved().remove("lab-1"));
  EXPECT_THAT(engine_->saved().load("lab-1").error().message, HasSubstr("there is no checkpoint"));
}

TEST_F(Trials, A_scheduled_commit_survives_and_knows_a_boot_from_a_restart) {
  ASSERT_TRUE(engine_->schedule().add({5000, "alice", "cli", "night", ""}, edited(kSecond)));
  EXPECT_EQ(engine_->schedule().add({6000, "bob", "cli", "", ""}, first_).error().code,
            base::Code::Locked);
  start();
  ASSERT_TRUE(engine_->schedule().waiting());
  EXPECT_EQ(engine_->schedule().waiting()->comment, "night");
  EXPECT_FALSE(engine_->schedule().due(4999));
  EXPECT_TRUE(engine_->schedule().due(5000));
  ASSERT_TRUE(engine_->schedule().remove());
  start();
  EXPECT_FALSE(engine_->schedule().waiting());

  ASSERT_TRUE(engine_->schedule().add({{}, "alice", "cli", "", ""}, edited(kSecond)));
  start();
  EXPECT_FALSE(engine_->schedule().due(1'000'000'000));
  reboot();
  EXPECT_TRUE(engine_->schedule().due(0));
  const auto taken = engine_->schedule().take();
  ASSERT_TRUE(taken);
  EXPECT_TRUE(engine_->commit({taken->second, taken->first.user, "cli", ""}).committed);
  start();
  EXPECT_FALSE(engine_->schedule().due(0));
}

// What the timekeeper does when the time has come, dying at every moment of it: between the two
// calls, and within the second.
TEST_F(Trials, A_scheduled_commit_that_dies_happens_once_or_not_at_all) {
  bool died = true;
  for (std::size_t moment = 0; died; ++moment) {
    SCOPED_TRACE(moment);
    const auto before = engine_->running();
    const std::string dump = system_.dump();
    const auto revision = engine_->revisions().front().id;
    const auto after = edited(std::format("set left item a value v{}", moment));
    ASSERT_TRUE(engine_->schedule().add({5000, "alice", "cli", "night", ""}, after));
    start();
    auto taken = engine_->schedule().take();
    ASSERT_TRUE(taken);
    died = moment == 0;
    if (moment > 0) {
      Interruption interruption(Interruption::Kind::Crash, moment - 1);
      try {
        engine_->commit({taken->second, "alice", "cli", "night"}, &interruption);
      } catch (const Crash&) {
        died = true;
      }
    }
    moment % 2 == 0 ? start() : reboot();
    EXPECT_FALSE(engine_->schedule().waiting());
    EXPECT_TRUE(runs(before) || runs(after));
    if (runs(before)) {
      EXPECT_EQ(system_.dump(), dump);
    } else {
      EXPECT_EQ(system_.files.all().at("/etc/left/a").text, std::format("v{}", moment));
      EXPECT_EQ(engine_->revisions().front().comment, "night");
    }
    EXPECT_EQ(engine_->revisions().front().id > revision, runs(after));
    if (!died) {
      EXPECT_TRUE(runs(after));
      EXPECT_GT(moment, 4U);  // there were moments to die at
    }
  }
}

}  // namespace
}  // namespace millrace::commit
