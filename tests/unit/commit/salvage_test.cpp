// SPDX-License-Identifier: GPL-2.0-or-later
//
// A log that is damaged before its end, or that cannot be written: the daemon starts all the same,
// with the newest revision that can be trusted, and says so.
#include "commit/salvage.h"

#include <gmock/gmock.h>

#include <thread>

#include "base/file.h"
#include "commit/segment.h"
#include "commit/snapshot.h"
#include "unit/commit/full_disk.h"
#include "unit/commit/toy.h"

namespace millrace::commit {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

class Salvage : public toy::ToyRouter {
 protected:
  // Revision n sets item a to n.
  void commit_up_to(std::size_t last) {
    for (auto n = engine_->revisions().front().id + 1; n <= last; ++n) {
      ASSERT_TRUE(commit(std::format("set left item a value {}", n)).committed);
    }
  }
  // The snapshot is written by a thread of its own.
  void wait_for_snapshot(RevisionId id) {
    while (!std::filesystem::exists(snapshot_path(state(), id))) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  std::filesystem::path state() const { return folder_ / "state"; }
  std::filesystem::path log(RevisionId base) const { return Segment::path(state(), base); }

  // Changes one byte in the middle of the record of revision `id`.
  void damage(RevisionId base, RevisionId id) {
    std::string text = base::read_file(log(base)).value();
    const std::size_t at = text.find(std::format("value {}", id));
    ASSERT_NE(at, std::string::npos);
    text[at] = 'V';
    ASSERT_TRUE(base::write_file(log(base), text));
  }
  std::string in_force() const {
    const auto file = system_.files.all().find("/etc/left/a");
    return file == system_.files.all().end() ? "nothing" : file->second.text;
  }
  std::filesystem::path aside() const {
    for (const auto& entry : std::filesystem::directory_iterator(state())) {
      if (entry.path().filename().string().starts_with("damaged-")) {
        return entry.path();
      }
    }
    return {};
  }
};

TEST_F(Salvage, What_comes_before_the_damage_is_in_force_and_the_files_are_kept) {
  start();
  commit_up_to(6);
  engine_.reset();
  const std::string before = base::read_file(log(0)).value();
  damage(0, 4);
  const std::string damaged = base::read_file(log(0)).value();
  const auto report = start();  // no boot: and still everything is looked at
  EXPECT_EQ(in_force(), "3");
  EXPECT_EQ(engine_->revisions().front().id, 3U);
  ASSERT_FALSE(report.remarks.empty());
  EXPECT_THAT(report.remarks.front(), HasSubstr("the newest revision that can be trusted is 3"));
  EXPECT_EQ(base::read_file(aside() / "log-000000000000").value(), damaged);
  // It goes on, and no id is used again.
  ASSERT_TRUE(commit("set left item a value new").committed);
  EXPECT_EQ(engine_->revisions().front().id, 7U);
  EXPECT_TRUE(start().remarks.empty());
  EXPECT_EQ(in_force(), "new");
}

TEST_F(Salvage, A_disk_that_fails_again_and_again_does_not_fill_up_with_copies) {
  for (int time = 0; time < 12; ++time) {
    start();
    commit_up_to(engine_->revisions().front().id + 3);
    engine_.reset();
    const RevisionId last = log_files(state()).value().back();
    std::string text = base::read_file(log(last)).value();
    text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 1);
    ASSERT_TRUE(base::write_file(log(last), text));
  }
  start();
  EXPECT_EQ(std::ranges::count_if(std::filesystem::directory_iterator(state()),
                                  [](const auto& entry) {
                                    return entry.path().filename().string().starts_with("damaged-");
                                  }),
            8);
}

TEST_F(Salvage, A_snapshot_behind_the_damage_wins) {
  start();
  commit_up_to(20);
  wait_for_snapshot(16);
  engine_.reset();
  damage(0, 5);
  const auto report = reboot();
  EXPECT_EQ(in_force(), "20");
  EXPECT_EQ(engine_->revisions().front().id, 20U);
  EXPECT_THAT(report.remarks.front(), HasSubstr("that can be trusted is 20"));
  EXPECT_TRUE(reboot().remarks.empty());
  EXPECT_EQ(in_force(), "20");
}

TEST_F(Salvage, A_snapshot_alone_is_enough) {
  start();
  commit_up_to(17);
  wait_for_snapshot(16);
  engine_.reset();
  damage(0, 5);
  damage(16, 17);
  const auto first = reboot();
  EXPECT_EQ(in_force(), "16");
  EXPECT_EQ(engine_->revisions().front().id, 16U);
  ASSERT_TRUE(commit("set left item a value new").committed);
  EXPECT_TRUE(reboot().remarks.empty());
  EXPECT_EQ(in_force(), "new");
}

TEST_F(Salvage, An_emptied_log_has_its_snapshot_and_without_one_nothing) {
  for (const bool with_snapshot : {true, false}) {
    std::filesystem::remove_all(state());
    start();
    commit_up_to(17);
    wait_for_snapshot(16);
    engine_.reset();
    std::filesystem::remove(log(0));
    ASSERT_TRUE(base::write_file(log(16), ""));
    if (!with_snapshot) {
      std::filesystem::remove(state() / "snapshot-16.conf");
    }
    EXPECT_THAT(reboot().remarks.front(), HasSubstr("nothing that it follows is there"));
    EXPECT_EQ(in_force(), with_snapshot ? "16" : "nothing");
    ASSERT_TRUE(commit("set left item a value new").committed);
    EXPECT_THAT(reboot().remarks, ::testing::IsEmpty());
    EXPECT_EQ(in_force(), "new");
  }
}

TEST_F(Salvage, When_nothing_is_left_the_rescue_configuration_comes_up) {
  start();
  commit_up_to(3);
  ASSERT_TRUE(engine_->saved().save(kRescue, engine_->running(), "alice"));
  commit_up_to(5);
  engine_.reset();
  ASSERT_TRUE(base::write_file(log(0), "garbage\n" + base::read_file(log(0)).value()));
  const auto report = reboot();
  EXPECT_EQ(in_force(), "3");
  EXPECT_THAT(report.remarks.back(), HasSubstr("the rescue configuration is in force"));
  EXPECT_EQ(engine_->revisions().front().id, 6U);
  EXPECT_TRUE(reboot().remarks.empty());
  EXPECT_EQ(in_force(), "3");
}

TEST_F(Salvage, Any_byte_changed_anywhere_and_the_daemon_starts) {
  start();
  commit_up_to(3);
  engine_.reset();
  const std::string whole = base::read_file(log(0)).value();
  for (std::size_t at = 0; at < whole.size(); at += 29) {
    std::filesystem::remove_all(state());
    std::string text = whole;
    text[at] = static_cast<char>(text[at] ^ 0x11);
    ASSERT_TRUE(base::write_file(log(0), text));
    reboot();
    EXPECT_THAT(in_force(), AnyOf("nothing", "1", "2", "3")) << at;
    ASSERT_TRUE(commit("set left item a value new").committed) << at;
    reboot();
    EXPECT_EQ(in_force(), "new") << at;
  }
}

TEST_F(Salvage, A_full_disk_refuses_commits_and_nothing_else) {
  start();
  commit_up_to(2);
  const auto running = engine_->running();
  {
    const FullDisk full(16);
    const auto report = commit("set left item a value 3");
    EXPECT_FALSE(report.committed);
    EXPECT_THAT(report.diagnostics.to_string(), HasSubstr("cannot write"));
    EXPECT_FALSE(engine_->saved().save("x", running, "alice"));
    EXPECT_FALSE(engine_->schedule().add({1, "alice", "cli", "", ""}, running));
    EXPECT_FALSE(engine_->schedule().waiting());
    EXPECT_TRUE(engine_->running() == running);
    EXPECT_TRUE(engine_->revision(1));
  }
  EXPECT_EQ(in_force(), "2");
  ASSERT_TRUE(commit("set left item a value 3").committed);
}

TEST_F(Salvage, A_trial_ends_on_a_full_disk_too) {
  start();
  commit_up_to(2);
  CommitRequest request{edited("set left item a value 3"), "alice", "cli", ""};
  request.trial = TrialTerms{};
  const auto revision = engine_->commit(request).revision;
  {
    const FullDisk full(16);
    EXPECT_FALSE(engine_->confirm(revision));
    EXPECT_TRUE(engine_->trial());
    const auto report = engine_->reject(revision, "root", "other", "not confirmed");
    EXPECT_TRUE(report.committed);
    EXPECT_THAT(report.diagnostics.to_string(), HasSubstr("takes no records"));
    EXPECT_EQ(in_force(), "2");
  }
  reboot();  // the log still says that it is on trial, and so it is taken back again
  EXPECT_EQ(in_force(), "2");
  EXPECT_FALSE(engine_->trial());
}

TEST_F(Salvage, A_log_that_cannot_be_written_is_read) {
  if (::geteuid() == 0) {
    // Root may write anywhere, so the place of the file is taken by what cannot be removed.
    start();
    commit_up_to(2);
    engine_.reset();
    std::filesystem::rename(log(0), state() / "kept");
    std::filesystem::create_directories(log(0) / "full");
    EXPECT_THAT(start().remarks, ::testing::Contains(HasSubstr("takes no records")));
    EXPECT_FALSE(commit("set left item a value 3").committed);
    EXPECT_EQ(engine_->revisions().size(), 1U);
    return;
  }
  start();
  commit_up_to(2);
  engine_.reset();
  std::filesystem::permissions(log(0), std::filesystem::perms::owner_read);
  const auto report = start();
  EXPECT_THAT(report.remarks.front(), HasSubstr("takes no records"));
  EXPECT_EQ(engine_->revisions().front().id, 2U);
  EXPECT_FALSE(commit("set left item a value 3").committed);
  std::filesystem::permissions(log(0), std::filesystem::perms::owner_write,
                               std::filesystem::perm_options::add);
  EXPECT_TRUE(commit("set left item a value 3").committed);
}

}  // namespace
}  // namespace millrace::commit
