// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/files.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace millrace::cli {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  Files() {
    std::string name = "/var/tmp/cli-files-XXXXXX";
    folder = mkdtemp(name.data());
    home = folder / "home";
    outside = folder / "outside";
    fs::create_directories(home / "deep");
    fs::create_directories(outside);
    write(home / "one", "1\n");
    write(outside / "two", "2\n");
  }
  ~Files() override { fs::remove_all(folder); }

  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  std::string good(std::vector<std::string> words) {
    const auto done = file_command(std::move(words), Places::everywhere());
    EXPECT_TRUE(done) << done.error();
    return done.value_or("");
  }

  fs::path folder;
  fs::path home;
  fs::path outside;
};

TEST_F(Files, Are_listed_shown_copied_renamed_compared_and_deleted) {
  EXPECT_EQ(good({"list", "--", home}), home.string() + ":\ndeep/\none\n");
  EXPECT_THAT(good({"list", "detail", "--", home}), HasSubstr("total files: 2\n"));
  EXPECT_EQ(good({"show", "--", home / "one"}), "1\n");
  EXPECT_EQ(good({"copy", "--", home / "one", home / "deep"}), "");
  EXPECT_EQ(good({"show", "--", home / "deep/one"}), "1\n");
  EXPECT_EQ(good({"compare", "--", home / "one", home / "deep/one"}), "");
  write(home / "deep/one", "3\n");
  EXPECT_THAT(good({"compare", "--", home / "one", home / "deep/one"}), HasSubstr("-1\n+3\n"));
  EXPECT_EQ(good({"rename", "--", home / "deep/one", home / "three"}), "");
  EXPECT_THAT(good({"checksum", "--", home / "one"}), HasSubstr("4355a46b19d348dc2f57c046f8ef63d4"));
  EXPECT_EQ(good({"delete", "--", home / "three"}), "");
  EXPECT_FALSE(fs::exists(home / "three"));
}

TEST_F(Files, What_cannot_be_done_is_said) {
  const auto error = [](std::vector<std::string> words) {
    return file_command(std::move(words), Places::everywhere()).error();
  };
  EXPECT_THAT(error({"show", "--", home / "none"}), HasSubstr("none"));
  EXPECT_THAT(error({"delete", "--", home / "deep"}), HasSubstr("is a directory"));
  EXPECT_THAT(error({"list", "--", home / "none"}), HasSubstr("no such file or directory"));
  EXPECT_THAT(error({"rename", "--", home / "none", home / "x"}), HasSubstr("cannot rename"));
}

// Confined to `home`: /tmp and /var/tmp are places as well, so `outside` stands elsewhere here.
TEST_F(Files, A_confined_user_reaches_no_other_place_by_any_name) {
  const Places places = Places::confined(home);
  EXPECT_TRUE(places.open(home / "one", Places::Use::Write));
  EXPECT_TRUE(places.open(home / "new", Places::Use::Write));
  EXPECT_TRUE(places.open("/tmp/x", Places::Use::Write));
  EXPECT_TRUE(places.open("/var/log/messages", Places::Use::Read));
  EXPECT_FALSE(places.open("/var/log/messages", Places::Use::Write));
  EXPECT_FALSE(places.open("/etc/passwd", Places::Use::Read));
  EXPECT_FALSE(places.open(home.string() + "/../../../../etc/passwd", Places::Use::Read));
  fs::create_symlink("/etc", home / "link");
  const auto refused = places.open(home / "link/passwd", Places::Use::Read);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("permission denied, expected a file in one of " +
                                         home.string()));
  EXPECT_FALSE(Places::confined("/").open("/etc/passwd", Places::Use::Read));
  EXPECT_FALSE(file_command({"copy", "--", home / "one", "/etc/one"}, places));
  EXPECT_FALSE(file_command({"rename", "--", home / "one", "/etc/one"}, places));
}

TEST_F(Files, Names_complete_and_folders_go_on) {
  const auto names = file_names(home.string() + "/", Places::everywhere(), 10);
  ASSERT_EQ(names.size(), 2U);
  EXPECT_EQ(names[0].text, home.string() + "/deep/");
  EXPECT_EQ(names[1].help, "Size: 2");
  EXPECT_EQ(file_names(home.string() + "/o", Places::everywhere(), 10).size(), 1U);
  EXPECT_TRUE(file_names("/etc/pass", Places::confined(home), 10).empty());
  const Verdict verdict =
      decide(Trigger::Tab, {5, {{ChoiceKind::Name, home.string() + "/deep/"}}}, "file /");
  EXPECT_EQ(verdict.word, home.string() + "/deep/") << "no blank: the folder's files come next";
}

}  // namespace
}  // namespace millrace::cli
