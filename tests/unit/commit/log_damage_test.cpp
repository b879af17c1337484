// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a disk may do to the log, at any place: bits that turn, ends that are cut or written twice,
// blocks of zeros, files that are gone. The log opens with a configuration that once was in force,
// under the right name, or it refuses; it never makes one up.
#include <gmock/gmock.h>

#include <cstdlib>
#include <map>

#include "base/file.h"
#include "commit/revision_log.h"
#include "support/random.h"
#include "unit/commit/toy.h"

namespace millrace::commit {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class LogDamage : public ::testing::Test {
 protected:
  LogDamage() {
    std::string pattern = (fs::temp_directory_path() / "damage-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~LogDamage() override { fs::remove_all(folder_); }

  // Forty revisions, three files and their snapshots; `trees_` remembers them all.
  void write_log() {
    RevisionLog log = RevisionLog::open(folder_ / "log", schema_).value();
    trees_.emplace(0, log.running());
    for (std::size_t n = 1; n <= 40; ++n) {
      tree::Editor editor(log.running());
      tree::load(
          editor, {},
          std::format("set left item a value {}\nset left item i{} value \"x {{ y\"\n", n, n),
          tree::LoadAction::Set);
      const auto id = log.prepare({0, 1, "alice", "cli", "why"}, editor.tree(), {"left"}).value();
      ASSERT_TRUE(log.committed(id));
      trees_.emplace(id, editor.tree());
    }
  }

  std::string damage(support::Random& random, const fs::path& copy) {
    std::vector<fs::path> files;
    for (const auto& file : fs::directory_iterator(copy)) {
      files.push_back(file.path());
    }
    std::ranges::sort(files);
    const fs::path& file = random.pick(files);
    std::string text = base::read_file(file).value();
    const std::size_t at = random.below(text.size());
    std::string what;
    switch (random.below(6)) {
      case 0:
        what = "cut";
        text.resize(at);
        break;
      case 1:
        what = "zeros";
        std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(at),
                    std::min<std::size_t>(512, text.size() - at), '\0');
        break;
      case 2:
        what = "written twice";
        text += text.substr(at);
        break;
      case 3:
        what = "gone";
        fs::remove(file);
        return std::format("{} {}", file.filename().string(), what);
      default:
        what = "a bit";
        text[at] = static_cast<char>(text[at] ^ (1 << random.below(8)));
    }
    EXPECT_TRUE(base::write_file(file, text));
    return std::format("{} {} at {}", file.filename().string(), what, at);
  }

  schema::Schema schema_ = toy::make_schema();
  fs::path folder_;
  std::map<RevisionId, tree::ConfigTree> trees_;
};

TEST_F(LogDamage, Never_makes_up_a_configuration) {
  ASSERT_NO_FATAL_FAILURE(write_log());
  support::Random random;
  const int rounds = std::getenv("MILLRACE_RELEASE") != nullptr ? 20'000 : 100;
  int opened = 0;
  for (int round = 0; round < rounds && !HasFailure(); ++round) {
    const fs::path copy = folder_ / "copy";
    fs::remove_all(copy);
    fs::copy(folder_ / "log", copy);
    const std::string where = damage(random, copy);
    auto log = RevisionLog::open(copy, schema_);
    if (!log) {
      EXPECT_FALSE(log.error().message.empty()) << where;
      continue;
    }
    ++opened;
    const Recovery& recovery = log->recovery();
    ASSERT_TRUE(trees_.contains(recovery.committed)) << where;
    EXPECT_TRUE(log->running() == trees_.at(recovery.committed)) << where;
    // A file that is cut between two records, or gone from the end, looks like one that ends there.
    const bool seen = !recovery.remarks.empty() || recovery.interrupted;
    EXPECT_TRUE(recovery.committed == 40 || seen || where.contains(" cut ") ||
                where.ends_with(" gone"))
        << where << ": revision " << recovery.committed << " without a word";
    const auto& revisions = log->revisions();
    for (std::size_t index = 0; index < revisions.size(); index += 7) {
      if (const auto tree = log->tree(index)) {
        EXPECT_TRUE(*tree == trees_.at(revisions[index].id)) << where << ": rollback " << index;
      }
    }
    // It goes on from there.
    tree::Editor editor(log->running());
    tree::load(editor, {}, "set right item z value 1\n", tree::LoadAction::Set);
    if (const auto id = log->prepare({0, 1, "alice", "cli", ""}, editor.tree(), {"right"})) {
      ASSERT_TRUE(log->committed(*id)) << where;
      EXPECT_TRUE(log->running() == editor.tree()) << where;
    }
  }
  EXPECT_GT(opened, rounds / 10);
}

TEST_F(LogDamage, A_clock_that_jumps_leaves_the_revisions_in_order) {
  const std::vector<std::int64_t> times = {1'700'000'000, 0, 4'102'444'800, -5, 1'700'000'001};
  {
    RevisionLog log = RevisionLog::open(folder_ / "log", schema_).value();
    for (std::size_t n = 0; n < times.size(); ++n) {
      tree::Editor editor(log.running());
      tree::load(editor, {}, std::format("set left item a value {}\n", n), tree::LoadAction::Set);
      const auto id = log.prepare({0, times[n], "alice", "cli", ""}, editor.tree(), {}).value();
      ASSERT_TRUE(log.committed(id));
    }
  }
  const RevisionLog log = RevisionLog::open(folder_ / "log", schema_).value();
  std::vector<RevisionId> ids;
  std::vector<std::int64_t> read;
  for (std::size_t index = 0; index < times.size(); ++index) {
    ids.push_back(log.revisions()[index].id);
    read.push_back(log.revisions()[index].time);
  }
  EXPECT_THAT(ids, ElementsAre(5, 4, 3, 2, 1));
  EXPECT_THAT(read, ElementsAre(times[4], times[3], times[2], times[1], times[0]));
  EXPECT_EQ(tree::View(log.running())["left"]["item"].entry("a")["value"].text(), "4");
}

}  // namespace
}  // namespace millrace::commit
