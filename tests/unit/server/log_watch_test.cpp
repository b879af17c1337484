// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/log_watch.h"

#include <gmock/gmock.h>

#include <fstream>

#include "base/file.h"

namespace millrace::server {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

class LogWatchTest : public ::testing::Test {
 protected:
  LogWatchTest() {
    std::string name = fs::temp_directory_path() / "log-watch-XXXXXX";
    folder = mkdtemp(name.data());
    append("a.log", "old\n");
    watch.emplace(folder);
  }
  ~LogWatchTest() override { fs::remove_all(folder); }

  void append(const std::string& name, std::string_view text) {
    std::ofstream(folder / name, std::ios::app) << text;
  }
  std::vector<std::string> news(std::uint64_t session = 1) {
    std::vector<std::string> out;
    for (const auto& each : watch->poll()) {
      if (each.session == session) {
        out.push_back(each.text);
      }
    }
    return out;
  }

  Peer peer{1000, 7, "alice", true};
  fs::path folder;
  std::optional<LogWatch> watch;
};

TEST_F(LogWatchTest, Whole_lines_come_to_those_who_watch) {
  ASSERT_TRUE(watch->start(1, peer, "a.log"));
  EXPECT_THAT(news(), IsEmpty());
  append("a.log", "one\ntwo\nhal");
  EXPECT_THAT(news(), ElementsAre("*** a.log ***\none\ntwo"));
  append("a.log", "f\n");
  EXPECT_THAT(news(), ElementsAre("*** a.log ***\nhalf"));
  EXPECT_THAT(news(), IsEmpty());
}

TEST_F(LogWatchTest, Each_session_has_its_own_logs) {
  append("b.log", "");
  ASSERT_TRUE(watch->start(1, peer, "a.log"));
  ASSERT_TRUE(watch->start(1, peer, "b.log"));
  ASSERT_TRUE(watch->start(1, peer, "b.log"));
  ASSERT_TRUE(watch->start(2, peer, "b.log"));
  EXPECT_THAT(watch->of(1), ElementsAre("a.log", "b.log"));
  append("b.log", "x\n");
  EXPECT_THAT(news(2), ElementsAre("*** b.log ***\nx"));
  EXPECT_TRUE(watch->stop(1, "b.log"));
  EXPECT_FALSE(watch->stop(1, "b.log"));
  append("b.log", "y\n");
  EXPECT_THAT(news(1), IsEmpty());
  watch->stop_all(1);
  EXPECT_THAT(watch->of(1), IsEmpty());
}

TEST_F(LogWatchTest, A_log_that_is_emptied_or_replaced_goes_on) {
  ASSERT_TRUE(watch->start(1, peer, "a.log"));
  ASSERT_TRUE(base::write_file(folder / "a.log.new", "fresh\n"));
  fs::rename(folder / "a.log", folder / "a.log.1");
  fs::rename(folder / "a.log.new", folder / "a.log");
  EXPECT_THAT(news(), ElementsAre("*** a.log ***\nfresh"));
  fs::resize_file(folder / "a.log", 0);
  append("a.log", "x\n");
  EXPECT_THAT(news(), ElementsAre("*** a.log ***\nx"));
}

TEST_F(LogWatchTest, A_flood_comes_in_parts_and_a_line_without_end_too) {
  ASSERT_TRUE(watch->start(1, peer, "a.log"));
  append("a.log", std::string(100'000, 'x'));
  ASSERT_EQ(news().size(), 1U);
  EXPECT_LT(news().at(0).size(), 40'000U);
}

TEST_F(LogWatchTest, What_is_no_log_cannot_be_watched) {
  EXPECT_FALSE(watch->start(1, peer, "absent"));
  EXPECT_FALSE(watch->start(1, peer, "../a.log"));
  EXPECT_THAT(watch->of(1), IsEmpty());
}

}  // namespace
}  // namespace millrace::server
