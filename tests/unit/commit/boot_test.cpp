// SPDX-License-Identifier: GPL-2.0-or-later
//
// Booting what cannot be applied, and what another version of the software has written.
#include <gmock/gmock.h>

#include "base/file.h"
#include "commit/record.h"
#include "commit/segment.h"
#include "commit/snapshot.h"
#include "tree/keep_unknown.h"
#include "unit/commit/toy.h"

namespace millrace::commit {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Boot : public toy::ToyRouter {
 protected:
  // From now on the system takes no file of that name.
  void refuse(std::string path, base::Code code = base::Code::ApplyFailed) {
    system_.hook = [path = std::move(path), code](const std::string& what) -> base::Result<void> {
      return what == "files: write " + path ? base::fail(code, "refused by the disk")
                                            : base::Result<void>();
    };
  }
  bool has(const std::string& file) const { return system_.files.all().contains(file); }
  void lose_files() {
    for (const auto& [path, file] : std::map(system_.files.all())) {
      ASSERT_TRUE(system_.files.remove(path));
    }
  }
  std::string text() const { return tree::to_text(engine_->running(), {}); }
};

TEST_F(Boot, Of_what_cannot_be_applied_takes_the_newest_revision_that_can_be_as_a_whole) {
  start();
  ASSERT_TRUE(commit("set left item a value 1\nset right item a value 1").committed);
  ASSERT_TRUE(commit("set left item b value 1").committed);
  ASSERT_TRUE(commit("set right item c value 1").committed);  // the same for left
  ASSERT_TRUE(commit("set left item d value 1").committed);
  lose_files();
  refuse("/etc/left/b");
  const StartReport report = reboot();
  EXPECT_EQ(report.revision, 5U) << "a revision of its own, so that the others keep their places";
  EXPECT_THAT(report.remarks,
              ElementsAre(AllOf(HasSubstr("alarm: revision 4 cannot be applied as a whole: left"),
                                HasSubstr("refused by the disk"), HasSubstr("revision 1 is"))));
  EXPECT_THAT(engine_->remarks(), ElementsAre(HasSubstr("alarm: revision 4")));
  EXPECT_THAT(engine_->degraded(), IsEmpty());
  EXPECT_TRUE(has("/etc/left/a") && has("/etc/right/a"));
  EXPECT_FALSE(has("/etc/left/b") || has("/etc/right/c") || has("/etc/left/d"));
  EXPECT_THAT(text(), Not(HasSubstr("item b")));
  EXPECT_THAT(engine_->revisions().front().comment, HasSubstr("revision 4 cannot be applied"));

  // The next boot finds a revision that can be applied, and nothing to say.
  EXPECT_THAT(reboot().remarks, IsEmpty());
  system_.hook = nullptr;
  const auto refused = engine_->revision(1);
  ASSERT_TRUE(refused);
  ASSERT_TRUE(engine_->commit({*refused, "alice", "cli", ""}).committed) << "rollback 1";
  EXPECT_TRUE(has("/etc/left/d"));
}

TEST_F(Boot, Without_a_revision_that_can_be_applied_puts_into_force_what_can_be) {
  start();
  ASSERT_TRUE(commit("set left item a value 1").committed);
  ASSERT_TRUE(commit("set left item a value 2\nset right item a value 1").committed);
  lose_files();
  refuse("/etc/left/a");
  const StartReport report = reboot();
  EXPECT_EQ(report.revision, 2U);
  EXPECT_THAT(report.remarks, Contains(HasSubstr("no older revision can be applied either")));
  EXPECT_THAT(engine_->degraded(), ElementsAre("left"));
  EXPECT_TRUE(has("/etc/right/a"));
  EXPECT_THAT(text(), HasSubstr("value 2"));
}

// A daemon that is down is no fault of the configuration, and another one would not help.
TEST_F(Boot, With_a_system_that_cannot_be_reached_keeps_the_configuration) {
  start();
  ASSERT_TRUE(commit("set right item a value 1").committed);
  ASSERT_TRUE(commit("set left item a value 1").committed);
  lose_files();
  refuse("/etc/left/a", base::Code::Io);
  const StartReport report = reboot();
  EXPECT_EQ(report.revision, 2U);
  EXPECT_THAT(report.remarks, ElementsAre(HasSubstr("alarm: left does not follow")));
}

TEST_F(Boot, A_restart_does_not_go_back) {
  start();
  ASSERT_TRUE(commit("set right item a value 1").committed);
  ASSERT_TRUE(commit("set left item a value 1").committed);
  refuse("/etc/left/a");
  EXPECT_EQ(start().revision, 2U);
}

// A trial that nobody confirmed has not been found good by anybody.
TEST_F(Boot, Never_goes_back_to_a_trial_that_nobody_confirmed) {
  start();
  ASSERT_TRUE(commit("set right item a value 1").committed);
  ASSERT_TRUE(commit("set left item a value 1").committed);
  ASSERT_TRUE(engine_
                  ->commit({.candidate = edited("delete left item a"),
                            .user = "alice",
                            .comment = "",
                            .trial = TrialTerms{10, ""}})
                  .committed);
  lose_files();
  refuse("/etc/left/a");
  const StartReport report = reboot();
  EXPECT_THAT(report.remarks, Contains(HasSubstr("revision 1 is in force instead")));
}

TEST_F(Boot, Goes_back_on_a_disk_that_takes_no_records_too) {
  start();
  ASSERT_TRUE(commit("set right item a value 1").committed);
  ASSERT_TRUE(commit("set left item a value 1").committed);
  lose_files();
  refuse("/etc/left/a");
  for (int boot = 0; boot < 2; ++boot) {
    engine_.reset();
    std::filesystem::permissions(folder_ / "state", std::filesystem::perms::owner_all);
    reboot();
    EXPECT_THAT(text(), Not(HasSubstr("left")));
  }
}

// ===== what another version has written =====

constexpr std::string_view kRoot = R"(
    leaf-list unknown-statement {
        help "Kept";
        type string { pattern "(set|deactivate|protect|annotate|insert) .*"; }
        ordered-by user;
        warns "not known";
    }
    container left {
        help "Left";
        list item { help "Item"; key name; type string; leaf value { help "V"; type string; } }
    }
)";
constexpr std::string_view kNewer = R"(
    container right {
        help "Right";
        list item {
            help "Item"; key name; type string;
            leaf value { help "V"; type string; }
            leaf weight { help "W"; type integer { range 1..9; } }
            container colour { help "C"; leaf red { help "R"; type string; } leaf-list blue { help "B"; type string; } }
        }
    }
)";
constexpr std::string_view kOlder = R"(
    container right {
        help "Right";
        list item {
            help "Item"; key name; type string;
            leaf value { help "V"; type string; }
            leaf weight { help "W"; type integer { range 1..5; } }
        }
    }
)";
constexpr std::string_view kOldest;

schema::Schema schema_with(std::string_view part) {
  return schema::build(
             {{"toy.tmpl", std::format("feature toy {{ help \"A toy\"; {} {} }}", kRoot, part)}})
      .value();
}

class Versions : public ::testing::Test {
 protected:
  Versions() {
    std::string pattern = (std::filesystem::temp_directory_path() / "versions-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~Versions() override { std::filesystem::remove_all(folder_); }

  // What a version that knows `part` sees; with `lines`, after a commit of them.
  std::string seen_by(std::string_view part, const std::string& lines = {}) {
    const schema::Schema schema = schema_with(part);
    RevisionLog log = RevisionLog::open(folder_, schema).value();
    if (!lines.empty()) {
      tree::Editor editor(log.running());
      const auto report = tree::load(editor, {}, lines, tree::LoadAction::Set);
      EXPECT_TRUE(report.errors.empty()) << report.to_string("edit");
      const auto id = log.prepare({0, 1, "alice", "cli", ""}, editor.tree(), {});
      EXPECT_TRUE(id && log.committed(*id));
    }
    unknown_ = tree::unknown_statements(log.running());
    EXPECT_THAT(log.recovery().remarks, IsEmpty());
    return tree::to_set(log.running(), {});
  }
  // The log as only a snapshot and what follows it.
  void cut_to_snapshot(std::string_view part) {
    const schema::Schema schema = schema_with(part);
    const tree::ConfigTree tree = RevisionLog::open(folder_, schema).value().running();
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
      std::filesystem::remove_all(entry.path());
    }
    ASSERT_TRUE(write_snapshot(folder_, 16, tree));
    Record head;
    head.revision.id = 16;
    ASSERT_TRUE(base::write_file(Segment::path(folder_, 16), encode_record(head).value()));
  }

  static std::string without_y(std::string lines) {
    constexpr std::string_view kY = "set left item y value 2\n";
    const std::size_t at = lines.find(kY);
    EXPECT_NE(at, std::string::npos);
    return at == std::string::npos ? lines : lines.erase(at, kY.size());
  }

  static constexpr std::string_view kAll = R"(set left item x value 1
set right item a value 1
set right item a weight 7
set right item a colour red "a b"
set right item a colour blue p
set right item a colour blue q
set right item b weight 2
)";
  std::filesystem::path folder_;
  std::vector<tree::UnknownStatement> unknown_;
};

TEST_F(Versions, What_an_older_one_does_not_know_is_kept_shown_and_back_with_the_newer) {
  for (const bool through_snapshot : {false, true}) {
    SCOPED_TRACE(through_snapshot);
    std::filesystem::remove_all(folder_);
    seen_by(kNewer, std::string(kAll) + "deactivate right item a colour\n");
    const std::string whole = seen_by(kNewer);
    if (through_snapshot) {
      cut_to_snapshot(kNewer);
    }
    const std::string old = seen_by(kOlder);
    EXPECT_THAT(old, HasSubstr("set right item a value 1\n"));
    EXPECT_THAT(old, HasSubstr("set unknown-statement \"set right item a weight 7\"\n"));
    EXPECT_THAT(old, HasSubstr(R"(set unknown-statement "set right item a colour red \"a b\"")"));
    EXPECT_THAT(old, HasSubstr("set unknown-statement \"deactivate right item a colour\"\n"));
    EXPECT_THAT(old, HasSubstr("set right item b weight 2\n"));
    EXPECT_EQ(unknown_.size(), 5U);
    EXPECT_EQ(unknown_.front().statement, "right item a weight") << "a value may be a secret";

    const std::string oldest = seen_by(kOldest);
    EXPECT_THAT(oldest, HasSubstr("set left item x value 1\n"));
    EXPECT_THAT(oldest, HasSubstr("set unknown-statement \"set right item b weight 2\"\n"));

    // Not lost by a commit of that version, nor by its snapshot.
    seen_by(kOldest, "set left item y value 2\n");
    cut_to_snapshot(kOldest);
    EXPECT_EQ(without_y(seen_by(kOlder)), old);
    cut_to_snapshot(kOlder);
    EXPECT_EQ(without_y(seen_by(kNewer)), whole);
  }
}

TEST_F(Versions, What_is_deleted_stays_deleted_whoever_deletes_it) {
  seen_by(kNewer, std::string(kAll));
  seen_by(kOlder, "delete unknown-statement \"set right item a weight 7\"\n");
  EXPECT_THAT(seen_by(kOlder), Not(HasSubstr("weight 7")));
  EXPECT_THAT(seen_by(kNewer), Not(HasSubstr("weight 7"))) << "the log says delete of a kept one";
  seen_by(kNewer, "delete right item a colour\n");
  EXPECT_THAT(seen_by(kOlder), Not(HasSubstr("colour")));
  EXPECT_THAT(seen_by(kOldest), Not(HasSubstr("colour")));
  seen_by(kNewer, "delete right\n");
  EXPECT_EQ(seen_by(kOldest), "set left item x value 1\n");
}

TEST_F(Versions, A_block_that_is_not_known_is_kept_with_all_that_is_in_it) {
  seen_by(kNewer,
          std::string(kAll) + "annotate right \"about \\\"right\\\"\"\nprotect right item b\n");
  cut_to_snapshot(kNewer);
  seen_by(kOldest, "set left item y value 2\n");
  cut_to_snapshot(kOldest);
  seen_by(kNewer);
  const schema::Schema schema = schema_with(kNewer);
  const std::string text = tree::to_text(RevisionLog::open(folder_, schema).value().running(), {});
  EXPECT_THAT(text, HasSubstr("/* about \"right\" */\nright {"));
  EXPECT_THAT(text, HasSubstr("protect: item b {"));
  EXPECT_THAT(unknown_, IsEmpty());
}

}  // namespace
}  // namespace millrace::commit
