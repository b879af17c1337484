// SPDX-License-Identifier: GPL-2.0-or-later
#include "system/files_disk.h"

#include <gmock/gmock.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/file.h"

namespace millrace::system {
namespace {

class FilesDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = std::filesystem::temp_directory_path() / "millrace-files.XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    root_ = name;
    files_ = make_files(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  std::filesystem::path root_;
  std::unique_ptr<Files> files_;
};

TEST_F(FilesDisk, Writes_below_its_root_with_the_mode) {
  const FileContent content{"server 192.0.2.1\n", 0640};
  ASSERT_TRUE(files_->write("/run/chrony/chrony.conf", content));
  EXPECT_EQ(base::read_file(root_ / "run/chrony/chrony.conf").value(), "server 192.0.2.1\n");
  EXPECT_EQ(files_->read("/run/chrony/chrony.conf").value(), content);
}

TEST_F(FilesDisk, Reads_nothing_where_no_file_is) {
  EXPECT_EQ(files_->read("/etc/none").value(), std::nullopt);
}

TEST_F(FilesDisk, Reading_removes_what_a_killed_write_left) {
  std::filesystem::create_directories(root_ / "etc");
  const auto left = root_ / "etc/.x.conf.unfinished";
  ASSERT_TRUE(base::write_file(left, "half"));
  EXPECT_EQ(files_->read("/etc/x.conf"), std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(left));
}

TEST_F(FilesDisk, Removes_what_is_there_and_what_is_gone) {
  ASSERT_TRUE(files_->write("/etc/one", {"1\n"}));
  EXPECT_TRUE(files_->remove("/etc/one"));
  EXPECT_FALSE(std::filesystem::exists(root_ / "etc/one"));
  EXPECT_TRUE(files_->remove("/etc/one"));
  EXPECT_TRUE(files_->remove("/nowhere/one"));
}

TEST_F(FilesDisk, Validates_a_temporary_file_with_the_content) {
  EXPECT_TRUE(files_->validate({"good\n"}, {"grep", "-q", "good", "{}"}));
  const auto bad = files_->validate({"evil\n"}, {"grep", "good", "{}"});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().code, base::Code::ApplyFailed);
}

TEST_F(FilesDisk, Reports_what_the_validating_program_said) {
  const auto bad = files_->validate({""}, {"ls", "{}", "/no/such/file"});
  ASSERT_FALSE(bad);
  EXPECT_THAT(bad.error().message, ::testing::HasSubstr("/no/such/file"));
}

TEST_F(FilesDisk, Writes_in_the_background_the_last_of_what_was_asked) {
  std::atomic<int> made = 0;
  for (int number = 1; number <= 50; ++number) {
    ASSERT_TRUE(files_->write_soon("/etc/big", [number, &made] {
      ++made;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return FileContent{std::to_string(number)};
    }));
  }
  EXPECT_EQ(files_->read("/etc/big").value()->text, "50");
  EXPECT_LT(made, 50);
  EXPECT_FALSE(files_->unwritten("/etc/big"));
}

TEST_F(FilesDisk, Ends_with_everything_written) {
  ASSERT_TRUE(files_->write_soon("/etc/big", [] { return FileContent{"all"}; }));
  files_.reset();
  EXPECT_EQ(base::read_file(root_ / "etc/big").value(), "all");
}

TEST_F(FilesDisk, A_write_comes_after_what_was_asked_before) {
  ASSERT_TRUE(files_->write_soon("/etc/big", [] { return FileContent{"first"}; }));
  ASSERT_TRUE(files_->write("/etc/big", {"second"}));
  files_.reset();
  EXPECT_EQ(base::read_file(root_ / "etc/big").value(), "second");
}

TEST_F(FilesDisk, The_next_process_learns_what_a_killed_one_has_not_written) {
  const pid_t child = ::fork();
  if (child == 0) {
    static_cast<void>(files_->write_soon("/etc/big", []() -> FileContent { ::_exit(0); }));
    ::pause();
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(files_->unwritten("/etc/big"));
  EXPECT_FALSE(files_->unwritten("/etc/other"));
  ASSERT_TRUE(files_->write("/etc/big", {"repaired"}));
  EXPECT_FALSE(files_->unwritten("/etc/big"));
}

TEST_F(FilesDisk, Says_when_the_disk_refused_what_was_to_be_written) {
  ASSERT_TRUE(base::write_file(root_ / "etc", "a file where a folder should be"));
  ASSERT_TRUE(files_->write_soon("/etc/big", [] { return FileContent{"all"}; }));
  EXPECT_TRUE(files_->unwritten("/etc/big"));
}

}  // namespace
}  // namespace millrace::system
