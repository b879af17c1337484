// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/check.h"

#include <gmock/gmock.h>

#include <random>

#include "schema/walk.h"
#include "tree/text.h"

namespace millrace::check {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const schema::Schema& rules_schema() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"rules.tmpl", R"tmpl(
feature rules { help "r";
container policies {
  help "p";
  list policy { help "p"; key name; type string;
    leaf note { help "n"; type string; }
  }
}
container groups {
  help "g";
  leaf limit { help "l"; type integer; default 3;
    must "count(../group) <= ." { error-message "more groups than the limit"; }
  }
  list group {
    help "g"; key name; type string; unique port;
    must "exists(./kind) or not exists(./detail)" { error-message "detail needs a kind"; }
    leaf kind { help "k"; type enumeration { enum external { help "e"; } enum internal { help "i"; } } mandatory; }
    leaf port { help "p"; type integer; }
    leaf detail { help "d"; type string; }
    leaf-list import { help "i"; type string; ref "/policies/policy"; }
    leaf export { help "e"; type string; ref "/policies/policy";
      must "not /policies/policy[.]/note = 'broken'" { error-message "that policy is broken"; }
    }
    leaf secret-port { help "s"; type integer; secret;
      must ". > 1000" { error-message "too low"; }
    }
    leaf idle { help "i"; type empty; warns "nothing idles here"; }
  }
}
}
)tmpl"}});
    if (!built) {
      ADD_FAILURE() << built.error().to_string();
      std::abort();
    }
    return std::move(*built);
  }();
  return schema;
}

class CheckTest : public ::testing::Test {
 protected:
  void run(const std::string& lines) {
    const tree::LoadReport report = tree::load(editor, {}, lines, tree::LoadAction::Set);
    ASSERT_EQ(report.to_string("lines"), "load complete\n");
  }
  void start(const std::string& lines) {
    run(lines);
    before = editor.tree();
    ASSERT_THAT(texts(check_all(before)), IsEmpty());
  }
  static std::vector<std::string> texts(const base::Diagnostics& diagnostics) {
    std::vector<std::string> result;
    for (const base::Diagnostic& item : diagnostics.items()) {
      result.push_back(item.to_string());
    }
    return result;
  }
  // What is found, by the change and by all, which must be the same.
  std::vector<std::string> found() const {
    const auto by_change = texts(check(tree::Delta(before, editor.tree())));
    EXPECT_EQ(by_change, texts(check_all(editor.tree())));
    return by_change;
  }
  tree::ConfigTree before{rules_schema()};
  tree::Editor editor{before};
};

TEST_F(CheckTest, A_good_change_has_no_findings) {
  start("set policies policy A\nset groups group g kind external\n");
  run("set groups group g import A\nset groups group g port 7\nset groups group g detail x\n");
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(CheckTest, A_missing_mandatory_statement_is_reported_under_its_parent) {
  run("set groups group g port 7\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit groups group g]\n    Missing mandatory statement: 'kind'"));
  run("set groups group g kind internal\n");
  before = editor.tree();
  run("delete groups group g kind\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit groups group g]\n    Missing mandatory statement: 'kind'"));
}

TEST_F(CheckTest, A_reference_needs_its_target) {
  run("set groups group g kind external\nset groups group g import A\n"
      "set groups group g export B\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit groups group g]\n  'import A'\n    policy 'A' is not defined",
                          "[edit groups group g]\n  'export B'\n    policy 'B' is not defined"));
}

TEST_F(CheckTest, Deleting_a_target_finds_those_who_refer_to_it) {
  start(
      "set policies policy A\nset policies policy B\n"
      "set groups group g kind external\nset groups group g import A\n"
      "set groups group h kind external\nset groups group h import B\n"
      "set groups group i kind external\nset groups group i export A\n");
  run("delete policies policy A\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit groups group g]\n  'import A'\n    policy 'A' is not defined",
                          "[edit groups group i]\n  'export A'\n    policy 'A' is not defined"));
  run("delete policies\n");
  EXPECT_EQ(found().size(), 3U);
}

TEST_F(CheckTest, Values_of_a_unique_leaf_may_not_repeat) {
  start(
      "set groups group a kind external\nset groups group a port 5\n"
      "set groups group b kind external\n");
  run("set groups group b port 5\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit groups group b]\n  'port 5'\n    '5' is used by group a already"));
}

TEST_F(CheckTest, A_must_is_asked_again_when_what_it_reads_changes) {
  start("set groups group a kind external\nset groups limit 2\n");
  run("set groups group b kind external\nset groups group c kind external\n");
  EXPECT_THAT(found(), ElementsAre("[edit groups]\n  'limit 2'\n    more groups than the limit"));
}

TEST_F(CheckTest, A_must_with_a_key_reads_the_entry_it_names) {
  start("set policies policy A\nset groups group a kind external\nset groups group a export A\n");
  run("set policies policy A note broken\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit groups group a]\n  'export A'\n    that policy is broken"));
}

TEST_F(CheckTest, Secrets_are_not_quoted) {
  run("set groups group a kind external\nset groups group a secret-port 7\n");
  EXPECT_THAT(found(), ElementsAre("[edit groups group a]\n  'secret-port'\n    too low"));
}

TEST_F(CheckTest, A_statement_without_effect_is_a_warning) {
  run("set groups group a kind external\nset groups group a idle\n");
  const auto diagnostics = check(tree::Delta(before, editor.tree()));
  EXPECT_FALSE(diagnostics.has_errors());
  EXPECT_THAT(found(), ElementsAre("[edit groups group a]\n  'idle'\n    warning: statement has no "
                                   "effect: nothing idles here"));
}

TEST_F(CheckTest, All_findings_are_reported_in_tree_order) {
  run("set groups group b export X\nset groups group a detail x\nset groups group a import Y\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit groups group a]\n    Missing mandatory statement: 'kind'",
                          "[edit groups]\n  'group a'\n    detail needs a kind",
                          "[edit groups group a]\n  'import Y'\n    policy 'Y' is not defined",
                          "[edit groups group b]\n    Missing mandatory statement: 'kind'",
                          "[edit groups group b]\n  'export X'\n    policy 'X' is not defined"));
}

// Whatever is edited, the rules found by the change are those that the whole tree breaks.
TEST_F(CheckTest, The_change_finds_the_errors_of_the_whole) {
  std::mt19937 random(7);
  const auto pick = [&](const auto& from) { return from[random() % std::size(from)]; };
  constexpr const char* kNames[] = {"A", "B", "C", "D"};
  constexpr const char* kLeaves[] = {"kind external", "port 1", "port 2",          "detail x",
                                     "import",        "export", "export",          "secret-port 10",
                                     "kind internal", "import", "secret-port 2000"};
  int good = 0;
  int bad = 0;
  for (int round = 0; round < 4'000; ++round) {
    const auto saved = editor.tree();
    for (unsigned edits = 1 + random() % 4; edits > 0; --edits) {
      std::string line = random() % 5 < 3 ? "set " : "delete ";
      const unsigned kind = random() % 8;
      if (kind == 0) {
        line +=
            line == "set " ? "groups limit " + std::to_string(1 + random() % 5) : "groups limit";
      } else if (kind < 4) {
        line +=
            std::string("policies policy ") + pick(kNames) + (random() % 4 ? "" : " note broken");
      } else {
        const std::string leaf = pick(kLeaves);
        line += std::string("groups group ") + pick(kNames);
        if (line[0] == 's' || random() % 3) {
          line += ' ' + leaf +
                  (leaf == "import" || leaf == "export" ? std::string(" ") + pick(kNames)
                                                        : std::string());
        }
      }
      tree::load(editor, {}, line + "\n", tree::LoadAction::Set);
    }
    const auto errors = found();
    errors.empty() ? ++good : ++bad;
    if (errors.empty()) {
      before = editor.tree();
    } else if (random() % 2) {
      editor.reset(saved == before ? saved : before);
    }
  }
  EXPECT_GT(good, 200);
  EXPECT_GT(bad, 200);
}

}  // namespace
}  // namespace millrace::check
