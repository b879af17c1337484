// SPDX-License-Identifier: GPL-2.0-or-later
#include "commit/revision_log.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "base/file.h"
#include "commit/segment.h"
#include "unit/commit/toy.h"

namespace millrace::commit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RevisionLog_ : public ::testing::Test {
 protected:
  RevisionLog_() {
    std::string pattern = (std::filesystem::temp_directory_path() / "log-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~RevisionLog_() override { std::filesystem::remove_all(folder_); }

  RevisionLog open() { return RevisionLog::open(folder_, schema_).value(); }

  tree::ConfigTree edited(const tree::ConfigTree& tree, const std::string& lines) {
    tree::Editor editor(tree);
    const auto report = tree::load(editor, {}, lines, tree::LoadAction::Set);
    EXPECT_TRUE(report.errors.empty()) << report.to_string("edit");
    return editor.tree();
  }
  RevisionId prepare(RevisionLog& log, const std::string& lines) {
    return log.prepare({0, 1, "alice", "cli", ""}, edited(log.running(), lines), {"left"}).value();
  }
  void commit(RevisionLog& log, const std::string& lines) {
    const RevisionId id = prepare(log, lines);
    ASSERT_TRUE(log.committed(id));
  }
  // Revision n sets item a to n and adds an item of its own.
  static std::string lines_of(std::size_t n) {
    return std::format("set left item a value {}\nset left item i{} value x\n", n, n);
  }
  void expect_revision(const tree::ConfigTree& tree, std::size_t n) {
    const auto items = tree::View(tree)["left"]["item"];
    EXPECT_EQ(items.entry("a")["value"].text(), std::to_string(n));
    EXPECT_EQ(items.entries().size(), n + 1);
  }

  schema::Schema schema_ = toy::make_schema();
  std::filesystem::path folder_;
};

TEST_F(RevisionLog_, Starts_with_the_empty_configuration) {
  RevisionLog log = open();
  EXPECT_TRUE(log.running().empty());
  ASSERT_EQ(log.revisions().size(), 1U);
  EXPECT_EQ(log.revisions()[0].id, 0U);
  EXPECT_TRUE(log.tree(0)->empty());
  EXPECT_EQ(log.tree(1).error().code, base::Code::UnknownPath);
}

TEST_F(RevisionLog_, Only_the_committed_record_makes_a_revision) {
  {
    RevisionLog log = open();
    commit(log, lines_of(1));
    prepare(log, lines_of(2));
  }
  RevisionLog log = open();
  EXPECT_EQ(log.recovery().committed, 1U);
  EXPECT_EQ(log.recovery().interrupted, 2U);
  EXPECT_EQ(log.recovery().user, "alice");
  EXPECT_THAT(log.recovery().touched, ElementsAre("left"));
  expect_revision(log.running(), 1);
  ASSERT_TRUE(log.aborted(2));
  log = open();
  EXPECT_FALSE(log.recovery().interrupted);
  commit(log, lines_of(2));
  EXPECT_EQ(log.revisions()[0].id, 3U) << "an id never names two things";
}

TEST_F(RevisionLog_, Cut_anywhere_holds_the_last_committed_revision) {
  std::vector<std::uintmax_t> ends;
  const auto file = Segment::path(folder_, 0);
  {
    RevisionLog log = open();
    for (std::size_t n = 1; n <= 2; ++n) {
      commit(log, lines_of(n));
      ends.push_back(std::filesystem::file_size(file));
    }
  }
  const std::string whole = base::read_file(file).value();
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    ASSERT_TRUE(base::write_file(file, whole.substr(0, size)));
    RevisionLog log = open();
    const std::size_t expected = (size >= ends[0] ? 1U : 0U) + (size >= ends[1] ? 1U : 0U);
    ASSERT_EQ(log.recovery().committed, expected) << size;
    if (expected > 0) {
      expect_revision(log.running(), expected);
    }
    // What was cut off does not come back, and the log goes on.
    commit(log, "set right item z value 1\n");
    ASSERT_EQ(open().revisions().size(), expected + 2);
  }
}

TEST_F(RevisionLog_, Keeps_fifty_revisions_and_drops_the_files_of_older_ones) {
  constexpr std::size_t kCount = 150;
  RevisionLog log = open();
  for (std::size_t n = 1; n <= kCount; ++n) {
    commit(log, lines_of(n));
  }
  const auto expect_all = [&](RevisionLog& checked) {
    ASSERT_EQ(checked.revisions().size(), 50U);
    for (const std::size_t index : {0UL, 1UL, 17UL, 49UL}) {
      EXPECT_EQ(checked.revisions()[index].id, kCount - index);
      expect_revision(checked.tree(index).value(), kCount - index);
    }
    EXPECT_FALSE(checked.tree(50));
  };
  expect_all(log);
  log = open();
  expect_all(log);
  // The worker may still be at it: it has until the deadline.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (std::filesystem::exists(Segment::path(folder_, 0)) &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    commit(log, "set right item z value 1\n");
    commit(log, "delete right\n");
  }
  EXPECT_FALSE(std::filesystem::exists(Segment::path(folder_, 0)));
  log = open();
  EXPECT_EQ(log.revisions().size(), 50U);
  EXPECT_TRUE(log.tree(49).has_value());
}

TEST_F(RevisionLog_, A_damaged_snapshot_is_said_and_an_older_one_used) {
  {
    RevisionLog log = open();
    for (std::size_t n = 1; n <= 40; ++n) {
      commit(log, lines_of(n));
    }
  }  // the destructor waits for the snapshot that is being written
  ASSERT_TRUE(std::filesystem::exists(folder_ / "snapshot-32.conf"));
  std::string text = base::read_file(folder_ / "snapshot-32.conf").value();
  text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 1);
  ASSERT_TRUE(base::write_file(folder_ / "snapshot-32.conf", text));
  RevisionLog log = open();
  EXPECT_THAT(log.recovery().remarks, ElementsAre(HasSubstr("snapshot 32 is damaged")));
  expect_revision(log.running(), 40);
}

TEST_F(RevisionLog_, A_file_that_was_begun_and_not_headed_is_begun_again) {
  {
    RevisionLog log = open();
    for (std::size_t n = 1; n <= 16; ++n) {
      commit(log, lines_of(n));
    }
  }
  ASSERT_TRUE(base::write_file(Segment::path(folder_, 16), "40 0000"));
  RevisionLog log = open();
  EXPECT_EQ(log.recovery().committed, 16U);
  commit(log, lines_of(17));
  log = open();
  expect_revision(log.running(), 17);
}

TEST_F(RevisionLog_, Statements_that_are_not_known_any_more_are_kept_out_with_an_alarm) {
  {
    RevisionLog log = open();
    commit(log, "set right item z value 1\n" + lines_of(1));
    commit(log, "delete right item z\nset right item y value 1\n" + lines_of(2));
  }
  schema_ = schema::build({{"toy.tmpl", R"(
feature toy {
    help "A toy without right";
    container left {
        help "Left";
        list item { help "Item"; key name; type string; leaf value { help "V"; type string; } }
    }
})"}})
                .value();
  RevisionLog log = open();
  EXPECT_EQ(log.recovery().committed, 2U);
  expect_revision(log.running(), 2);
  ASSERT_FALSE(log.recovery().remarks.empty());
  EXPECT_THAT(log.recovery().remarks.front(), HasSubstr("alarm: statement"));
}

TEST_F(RevisionLog_, Is_for_root_only) {
  RevisionLog log = open();
  struct stat folder{}, file{};
  ASSERT_EQ(::stat(folder_.c_str(), &folder), 0);
  ASSERT_EQ(::stat(Segment::path(folder_, 0).c_str(), &file), 0);
  EXPECT_EQ(folder.st_mode & 0777U, 0700U);
  EXPECT_EQ(file.st_mode & 0777U, 0600U);
}

}  // namespace
}  // namespace millrace::commit
