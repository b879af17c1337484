// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iterator>

namespace millrace::base {
namespace {

class FileTest : public ::testing::Test {
 protected:
  FileTest() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "millrace-file-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~FileTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(FileTest, Written_file_reads_back_with_its_mode) {
  const auto path = folder_ / "a" / "b" / "file";
  const std::string content("line\n\0\xff", 7);
  ASSERT_TRUE(write_file(path, content, 0640));
  EXPECT_EQ(read_file(path), content);
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0640U);
}

TEST_F(FileTest, Replacing_leaves_no_temporary_file) {
  const auto path = folder_ / "file";
  ASSERT_TRUE(write_file(path, "old"));
  ASSERT_TRUE(write_file(path, "new"));
  EXPECT_EQ(read_file(path), "new");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

// The killed writer is another process, which writes without end.
TEST_F(FileTest, Nothing_stays_of_a_write_that_was_killed) {
  const auto path = folder_ / "file";
  for (int round = 0; round < 50; ++round) {
    ASSERT_TRUE(write_file(path, "old"));
    const pid_t writer = fork();
    if (writer == 0) {
      for (;;) {
        static_cast<void>(write_file(path, "new"));
      }
    }
    ASSERT_GT(writer, 0);
    while (read_file(path) != "new") {
    }
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
    EXPECT_TRUE(discard_unfinished(path));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
  }
  EXPECT_EQ(read_file(path), "new");
}

TEST_F(FileTest, What_a_kill_left_does_not_hinder_the_next_write_and_is_not_followed) {
  ASSERT_TRUE(write_file(folder_ / "victim", "kept"));
  std::filesystem::create_symlink(folder_ / "victim", folder_ / ".file.unfinished");
  ASSERT_TRUE(write_file(folder_ / "file", "text"));
  EXPECT_EQ(read_file(folder_ / "victim"), "kept");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 2);
}

TEST_F(FileTest, Missing_file_is_an_unknown_path) {
  const auto content = read_file(folder_ / "none");
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, Code::UnknownPath);
}

TEST_F(FileTest, Directory_is_not_a_file) {
  const auto content = read_file(folder_);
  ASSERT_FALSE(content);
  EXPECT_EQ(content.error().code, Code::Io);
}

TEST_F(FileTest, Failed_replacement_leaves_no_temporary_file) {
  std::filesystem::create_directories(folder_ / "taken" / "below");
  const auto written = write_file(folder_ / "taken", "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Code::Io);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "taken" / "below"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

}  // namespace
}  // namespace millrace::base
