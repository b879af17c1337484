// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/check.h"

#include <gmock/gmock.h>

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
container ports {
  help "p";
  list port {
    help "p"; key name; type string; unique "protocol number";
    leaf protocol { help "p"; type string; default any; }
    leaf number { help "n"; type integer; }
    list address { help "a"; key address; type interface-address;
      unique-in "/ports" { by-address; error-message "that address has another owner"; }
    }
  }
  list term { help "t"; key name; type string; ordered-by user; unique mark;
    leaf mark { help "m"; type integer; }
    container steps { help "s"; leaf note { help "n"; type string; }
      leaf-list step { help "s"; type integer; min-elements 2; } }
  }
  leaf-list dns { help "d"; type ip-address; max-elements 2; }
  leaf strict { help "s"; type empty;
    must "not ../port/protocol = 'any'" { error-message "strict ports name their protocol"; } }
  leaf-list source { help "s"; type union { type ip-address; type string { ref "/ports/port"; } } }
  leaf uses { help "u"; type integer; ref "/ports/port/number"; }
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
    adopt();
    ASSERT_THAT(texts(check_all(before)), IsEmpty());
  }
  // The candidate runs, and its index with it.
  void adopt() {
    index = checker.check(tree::Delta(before, editor.tree()), index).index;
    before = editor.tree();
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
    const auto checked = checker.check(tree::Delta(before, editor.tree()), index);
    const auto by_change = texts(checked.findings.diagnostics());
    EXPECT_EQ(by_change, texts(check_all(editor.tree())));
    EXPECT_TRUE(checked.index == checker.index_of(editor.tree()));
    return by_change;
  }
  Checker checker{rules_schema()};
  tree::ConfigTree before{rules_schema()};
  Index index = checker.index_of(before);
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
  adopt();
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
  EXPECT_FALSE(checker.check(tree::Delta(before, editor.tree()), index).findings.has_errors());
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

TEST_F(CheckTest, A_unique_of_several_leaves_needs_all_of_them_to_repeat) {
  start("set ports port a protocol tcp\nset ports port b protocol tcp\n");
  run("set ports port a number 5\nset ports port b number 5\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit ports]\n  'port b'\n    protocol 'tcp' and number '5' are "
                          "used by port a already"));
  run("set ports port b protocol udp\n");
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(CheckTest, A_default_counts_for_unique) {
  run("set ports port a number 5\nset ports port b number 5\nset ports port b protocol any\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit ports]\n  'port b'\n    protocol 'any' and number '5' are "
                          "used by port a already"));
}

TEST_F(CheckTest, A_default_that_comes_with_what_it_stands_in_is_looked_at) {
  start("set ports strict\nset ports port b protocol tcp\n");
  run("set ports port a\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit ports]\n  'strict'\n    strict ports name their protocol"));
}

TEST_F(CheckTest, One_address_is_of_one_place_whatever_its_prefix_length) {
  start("set ports port a address 192.0.2.1/24\nset ports port a address fe80::1/64\n");
  run("set ports port b address 192.0.2.1/25\nset ports port b address fe80::1/64\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit ports port b]\n  'address 192.0.2.1/25'\n    that address "
                          "has another owner: ports port a"));
}

TEST_F(CheckTest, The_first_of_an_ordered_list_is_the_first_on_the_screen) {
  start("set ports term z mark 1\n");
  run("set ports term a mark 1\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit ports term a]\n  'mark 1'\n    '1' is used by term z already"));
}

TEST_F(CheckTest, The_number_of_elements_has_bounds) {
  run("set ports term z\nset ports dns 192.0.2.1\nset ports dns 192.0.2.2\n"
      "set ports dns 192.0.2.3\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit ports]\n  'dns'\n    found 3 of 'dns', expected at most 2"));
  run("delete ports dns 192.0.2.3\nset ports term a steps step 1\n"
      "set ports term z steps note x\n");
  EXPECT_THAT(found(),
              ElementsAre("[edit ports term z steps]\n    Missing mandatory statement: 'step'",
                          "[edit ports term a steps]\n  'step'\n    found 1 of 'step', expected at "
                          "least 2"));
}

TEST_F(CheckTest, A_name_beside_addresses_must_be_defined_and_an_address_need_not) {
  start("set ports port a\nset ports source 192.0.2.1\n");
  run("set ports source a\nset ports source b\n");
  EXPECT_THAT(found(), ElementsAre("[edit ports]\n  'source b'\n    port 'b' is not defined"));
}

TEST_F(CheckTest, A_reference_to_a_leaf_needs_a_leaf_with_that_value) {
  start("set ports port a number 5\nset ports port b number 6\nset ports uses 5\n");
  run("set ports port a number 7\n");
  EXPECT_THAT(found(), ElementsAre("[edit ports]\n  'uses 5'\n    number '5' is not defined"));
  run("set ports port b number 5\n");
  EXPECT_THAT(found(), IsEmpty());
}

// Doubles end at 2^53.
TEST(Check, whole_numbers_are_compared_exactly) {
  const auto built = schema::build({{"n.tmpl", R"tmpl(feature n { help "n"; container c { help "c";
    leaf low { help "l"; type integer; }
    leaf high { help "h"; type integer; must "../low < ." { error-message "not above low"; } }
  } })tmpl"}});
  ASSERT_TRUE(built) << built.error().message;
  struct Row {
    std::string_view low, high;
    bool good;
  };
  for (const auto& [low, high, good] : {
           Row{"9007199254740992", "9007199254740993", true},
           Row{"9007199254740993", "9007199254740992", false},
           Row{"9007199254740993", "9007199254740993", false},
           Row{"-9007199254740993", "-9007199254740992", true},
           Row{"-9007199254740992", "-9007199254740993", false},
           Row{"-9007199254740993", "9", true},
           Row{"9", "-9007199254740993", false},
           Row{"9", "10", true},
           Row{"-10", "-9", true},
       }) {
    tree::Editor editor{tree::ConfigTree(*built)};
    const auto report = tree::load(editor, {}, std::format("set c low {} high {}\n", low, high),
                                   tree::LoadAction::Set);
    ASSERT_TRUE(report.errors.empty()) << report.to_string("test");
    EXPECT_EQ(check_all(editor.tree()).has_errors(), !good) << low << " < " << high;
  }
}

}  // namespace
}  // namespace millrace::check
