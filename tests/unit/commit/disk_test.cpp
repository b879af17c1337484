// SPDX-License-Identifier: GPL-2.0-or-later
//
// The engine on a real disk that is full or read-only: a small one in memory, mounted for this
// process alone. Needs root; a test without it is skipped and says so.
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <fstream>

#include "unit/commit/toy.h"

namespace millrace::commit {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

class Disk : public toy::ToyRouter {
 protected:
  void SetUp() override {
    if (::geteuid() != 0 || ::unshare(CLONE_NEWNS) != 0) {
      GTEST_SKIP() << "needs root: a mount of its own";
    }
    // In a chroot the root is no mount point; there the caller keeps its mounts to itself.
    static_cast<void>(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr));
    std::filesystem::create_directories(folder_ / "state");
    ASSERT_EQ(::mount("tmpfs", path().c_str(), "tmpfs", 0, "size=128k"), 0);
    mounted_ = true;
    start();
    ASSERT_TRUE(commit("set left item a value 1\nset right item a value 1\n").committed);
    before_ = system_.dump();
  }
  void TearDown() override {
    engine_.reset();
    if (mounted_) {
      ::umount2(path().c_str(), MNT_DETACH);
    }
  }

  std::string path() const { return (folder_ / "state").string(); }
  void read_only(bool on) {
    ASSERT_EQ(::mount(nullptr, path().c_str(), nullptr,
                      static_cast<unsigned long>(on ? MS_REMOUNT | MS_RDONLY : MS_REMOUNT), ""),
              0);
  }
  void fill() {
    std::ofstream file(folder_ / "state/filler", std::ios::binary);
    const std::string block(1024, 'x');
    while (file.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  void expect_refused() {
    const CommitReport report = commit("set left item a value 2\nset right item b value \"" +
                                       std::string(5000, 'x') + "\"\n");
    EXPECT_FALSE(report.committed);
    EXPECT_TRUE(report.degraded.empty());
    EXPECT_THAT(report.diagnostics.to_string(), HasSubstr("log-"));
    EXPECT_EQ(system_.dump(), before_);
    EXPECT_EQ(engine_->revisions().front().id, 1U);
  }
  void expect_accepted() {
    EXPECT_TRUE(commit("set left item a value 3\n").committed);
    EXPECT_EQ(system_.files.all().at("/etc/left/a").text, "3");
    start();
    EXPECT_EQ(tree::View(engine_->running())["left"]["item"].entry("a")["value"].text(), "3");
  }

  bool mounted_ = false;
  std::string before_;
};

TEST_F(Disk, That_is_full_refuses_commits_and_takes_them_again_later) {
  fill();
  expect_refused();
  expect_refused();
  reboot();
  EXPECT_EQ(system_.files.all().at("/etc/left/a").text, "1") << "a router boots on a full disk";
  expect_refused();
  std::filesystem::remove(folder_ / "state/filler");
  expect_accepted();
}

TEST_F(Disk, That_is_read_only_refuses_commits_and_takes_them_again_later) {
  engine_.reset();
  ASSERT_NO_FATAL_FAILURE(read_only(true));
  const StartReport report = reboot();
  EXPECT_EQ(report.revision, 1U) << "a router boots from a disk that it cannot write to";
  EXPECT_THAT(report.remarks, Contains(HasSubstr("alarm: ")));
  expect_refused();
  ASSERT_NO_FATAL_FAILURE(read_only(false));
  expect_accepted();
}

}  // namespace
}  // namespace millrace::commit
