// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/log_file.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/file.h"

namespace millrace::ops {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
namespace fs = std::filesystem;

class LogFiles : public ::testing::Test {
 protected:
  LogFiles() {
    std::string name = fs::temp_directory_path() / "log-files-XXXXXX";
    folder = mkdtemp(name.data());
    fs::create_directories(folder / "log/frr");
    write("log/daemon.log", "first\nsecond\n");
    write("log/frr/frr.log", "zebra\n");
    write("secret", "not yours\n");
  }
  ~LogFiles() override { fs::remove_all(folder); }

  void write(const fs::path& name, std::string text) {
    ASSERT_TRUE(base::write_file(folder / name, std::move(text)));
  }
  std::string read(std::string_view name, std::size_t most = 1000) {
    const auto text = read_log(folder / "log", name, most);
    return text ? *text : "ERROR " + text.error().message;
  }

  fs::path folder;
};

TEST_F(LogFiles, Are_listed_with_their_folders_and_nothing_else) {
  fs::create_directories(folder / "log/journal/abc");
  write("log/journal/abc/system.journal", "binary");
  write("log/.hidden", "x");
  fs::create_symlink(folder / "secret", folder / "log/link");
  ASSERT_EQ(mkfifo((folder / "log/pipe").c_str(), 0600), 0);
  std::vector<std::string> names;
  const auto files = log_files(folder / "log");
  ASSERT_TRUE(files);
  for (const auto& file : *files) {
    names.push_back(file.name);
  }
  EXPECT_THAT(names, ElementsAre("daemon.log", "frr/frr.log"));
  EXPECT_EQ(files->front().size, 13U);
}

TEST_F(LogFiles, Are_read_whole_or_from_a_whole_line_on) {
  EXPECT_EQ(read("daemon.log"), "first\nsecond\n");
  EXPECT_EQ(read("frr/frr.log"), "zebra\n");
  EXPECT_EQ(read("daemon.log", 9), "... the first 6 bytes of daemon.log are not shown\nsecond\n");
}

TEST_F(LogFiles, No_name_leads_out_of_the_folder) {
  fs::create_symlink(folder / "secret", folder / "log/link");
  fs::create_directory_symlink(folder, folder / "log/up");
  fs::create_hard_link(folder / "secret", folder / "log/-x");
  for (const auto* name : {"../secret", "/etc/passwd", "frr/../../secret", "link", "up/secret", "",
                           ".", "..", "frr/", "/", "-x", "log//x"}) {
    EXPECT_THAT(read(name), StartsWith("ERROR ")) << name;
    EXPECT_FALSE(clear_log(folder / "log", name)) << name;
  }
  EXPECT_EQ(*base::read_file(folder / "secret"), "not yours\n");
}

TEST_F(LogFiles, What_is_no_text_and_no_file_is_refused) {
  write("log/wtmp", std::string("\0\1\2", 3));
  ASSERT_EQ(mkfifo((folder / "log/pipe").c_str(), 0600), 0);
  EXPECT_EQ(read("wtmp"), "ERROR 'wtmp' is no text");
  EXPECT_EQ(read("pipe"), "ERROR 'pipe' is no log file");
  EXPECT_EQ(read("frr"), "ERROR 'frr' is no log file");
  EXPECT_EQ(read("absent"), "ERROR there is no log file 'absent'");
}

TEST_F(LogFiles, What_is_in_them_cannot_move_the_cursor) {
  write("log/evil", "a\x1b[2Jb\tc\r\n");
  EXPECT_EQ(read("evil"), "a\\x1b[2Jb\tc\\x0d\n");
}

TEST_F(LogFiles, Clearing_leaves_an_empty_file) {
  ASSERT_TRUE(clear_log(folder / "log", "daemon.log"));
  EXPECT_EQ(*base::read_file(folder / "log/daemon.log"), "");
}

}  // namespace
}  // namespace millrace::ops
