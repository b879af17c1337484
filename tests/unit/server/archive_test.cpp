// SPDX-License-Identifier: GPL-2.0-or-later
//
// Copies of what was committed: into a folder and into a repository, and what a site that is not
// there does: nothing, but say so.
#include "server/archive.h"

#include <gmock/gmock.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/process.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using ::testing::HasSubstr;

class Archives : public ShellTest {
 protected:
  Archives() {
    std::string pattern = (std::filesystem::temp_directory_path() / "archive-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    archive_.emplace(services, folder_ / "work");
    setup({"configure"});
  }
  ~Archives() override { std::filesystem::remove_all(folder_); }

  // Whether something was sent, `seconds` after the boot.
  bool tick(int seconds) {
    const auto work = archive_->due(std::chrono::seconds(seconds));
    if (work) {
      work();
    }
    return static_cast<bool>(work);
  }
  std::vector<std::string> files(const std::filesystem::path& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
  void archive_to(const std::string& url) {
    setup({"set system archival configuration transfer-on-commit"});
    setup({"set system archival configuration archive-sites " + url});
  }
  // The standard output of git in the repository that archive_to_repository() makes.
  std::string git(std::vector<std::string> words) const {
    words.insert(words.begin(), {"git", "-C", (folder_ / "r.git").string()});
    const auto result = base::run_process(words);
    EXPECT_TRUE(result && result->status == 0) << (result ? result->errors : "no git");
    return result ? result->output : "";
  }
  void archive_to_repository() {
    EXPECT_FALSE(tick(1));
    std::filesystem::create_directory(folder_ / "r.git");
    git({"init", "--quiet", "--bare"});
    archive_to("git+file://" + (folder_ / "r.git").string());
  }

  std::filesystem::path folder_;
  std::optional<Archive> archive_;
};

TEST_F(Archives, Without_the_statement_nothing_is_sent) {
  EXPECT_FALSE(tick(1));
  setup({"set system host-name r7", "commit"});
  EXPECT_FALSE(tick(2));
}

TEST_F(Archives, Every_commit_becomes_a_file) {
  EXPECT_FALSE(tick(1));
  archive_to((folder_ / "out").string());
  setup({"commit comment one"});
  EXPECT_TRUE(tick(2));
  EXPECT_FALSE(tick(3));
  setup({"set system host-name r7", "commit"});
  EXPECT_TRUE(tick(4));
  const auto names = files(folder_ / "out");
  ASSERT_EQ(names.size(), 2U);
  for (const auto& name : names) {
    EXPECT_THAT(name, ::testing::MatchesRegex(".*_19700101_003320_[23]\\.conf"));
    EXPECT_THAT(base::read_file(folder_ / "out" / name).value(), HasSubstr("transfer-on-commit;"));
  }
}

TEST_F(Archives, An_interval_sends_only_what_is_new) {
  EXPECT_FALSE(tick(1));
  setup({"set system archival configuration transfer-interval 15"});
  setup(
      {"set system archival configuration archive-sites " + (folder_ / "out").string(), "commit"});
  EXPECT_FALSE(tick(100));
  EXPECT_TRUE(tick(1000));
  EXPECT_FALSE(tick(2000));
  setup({"set system host-name r7", "commit"});
  EXPECT_FALSE(tick(2001));
  EXPECT_TRUE(tick(3000));
}

TEST_F(Archives, Inactive_statements_send_nothing) {
  archive_to((folder_ / "out").string());
  setup({"deactivate system archival", "commit"});
  EXPECT_FALSE(tick(2));
}

TEST_F(Archives, A_site_that_fails_is_tried_again_and_fails_no_commit) {
  EXPECT_FALSE(tick(1));
  ASSERT_TRUE(base::write_file(folder_ / "taken", ""));
  archive_to((folder_ / "taken").string());
  setup({"commit"});
  EXPECT_TRUE(tick(2));
  EXPECT_FALSE(tick(30));
  std::filesystem::remove(folder_ / "taken");
  EXPECT_TRUE(tick(70));
  EXPECT_EQ(files(folder_ / "taken").size(), 1U);
}

TEST_F(Archives, A_repository_gets_a_commit_for_each_revision) {
  archive_to_repository();
  setup({"commit comment \"first words\"", "set system host-name r7", "commit"});
  EXPECT_TRUE(tick(2));
  const std::string branch = short_host_name();
  EXPECT_EQ(git({"log", "--reverse", "--format=%an %s", branch}),
            "root revision 1\nalice first words\nalice revision 3\n");
  EXPECT_THAT(git({"show", branch + ":" + branch + ".conf"}), HasSubstr("host-name r7;"));
  setup({"set system host-name r8", "commit"});
  EXPECT_TRUE(tick(3));
  EXPECT_EQ(git({"log", "-1", "--format=%s", branch}), "revision 4\n");
  // A router that has lost its clone goes on where the repository is.
  std::filesystem::remove_all(folder_ / "work");
  setup({"set system host-name r9", "commit"});
  EXPECT_TRUE(tick(4));
  EXPECT_EQ(git({"rev-list", "--count", branch}), "5\n");
}

TEST_F(Archives, A_clone_that_is_of_no_use_any_more_is_made_anew) {
  archive_to_repository();
  setup({"commit"});
  EXPECT_TRUE(tick(2));
  const std::string branch = short_host_name();
  const auto clone = folder_ / "work" / files(folder_ / "work").at(0);
  // A git that was killed leaves its lock.
  ASSERT_TRUE(base::write_file(clone / ".git" / "index.lock", ""));
  setup({"set system host-name r7", "commit"});
  EXPECT_TRUE(tick(3));
  EXPECT_EQ(git({"log", "-1", "--format=%s", branch}), "revision 3\n");
  // Somebody takes the last commit away, and puts another one there.
  const std::string parent = git({"rev-parse", branch + "^"});
  const std::string other =
      git({"-c", "user.name=x", "-c", "user.email=x", "commit-tree", "-m", "other", "-p",
           parent.substr(0, 40), parent.substr(0, 40) + "^{tree}"});
  git({"update-ref", "refs/heads/" + branch, other.substr(0, 40)});
  setup({"set system host-name r8", "commit"});
  EXPECT_TRUE(tick(4));
  EXPECT_EQ(git({"log", "--format=%s", "-2", branch}), "revision 4\nrevision 3\n");
}

}  // namespace
}  // namespace millrace::server
