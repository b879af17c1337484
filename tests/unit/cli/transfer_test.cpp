// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/transfer.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

namespace millrace::cli {
namespace {

class Transfer : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(mkdtemp(folder_.data()), nullptr); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string folder_ = std::filesystem::temp_directory_path() / "transfer-XXXXXX";
};

TEST(TransferNames, Only_what_we_can_move_is_a_url) {
  for (const char* url : {"scp://a@b/c", "sftp://b/c", "https://b/c", "http://b/", "ftp://b/c"}) {
    EXPECT_TRUE(is_url(url)) << url;
  }
  for (const char* file : {"a.conf", "/a/b", "file:///etc/passwd", "scp://", "gopher://x/y", ""}) {
    EXPECT_FALSE(is_url(file)) << file;
  }
}

TEST_F(Transfer, Files_are_written_appended_and_read) {
  const std::string file = folder_ + "/x";
  EXPECT_TRUE(write_target(file, "one\n"));
  EXPECT_TRUE(write_target(file, "two\n", true));
  EXPECT_EQ(read_source(file), "one\ntwo\n");
  EXPECT_FALSE(read_source(folder_ + "/absent"));
  EXPECT_FALSE(read_source(folder_));
  EXPECT_FALSE(write_target(folder_ + "/absent/x", "text"));
}

TEST_F(Transfer, A_host_that_does_not_answer_is_an_error_that_names_the_url) {
  // Port 1 of the loopback: nobody is there.
  const auto read = read_source("http://127.0.0.1:1/x");
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().find("127.0.0.1:1"), std::string::npos) << read.error();
  EXPECT_FALSE(write_target("http://127.0.0.1:1/x", "text"));
  EXPECT_FALSE(write_target("http://127.0.0.1:1/x", "text", true));
}

}  // namespace
}  // namespace millrace::cli
