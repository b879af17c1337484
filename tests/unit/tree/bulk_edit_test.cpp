// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/bulk_edit.h"

#include <gmock/gmock.h>

#include "unit/tree/random_tree.h"

namespace millrace::tree {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::path_of;
using ::testing::SizeIs;
using testing::test_schema;

class BulkEditTest : public ::testing::Test {
 protected:
  void start(std::string text) { load(editor, {}, std::move(text), LoadAction::Override); }
  std::string now() const { return to_set(editor.tree(), {}); }
  base::Result<std::size_t> replace(const std::string& pattern, std::string_view with,
                                    std::optional<std::size_t> upto = {}, const Path& level = {}) {
    return replace_pattern(editor, level, *base::Pattern::compile(pattern), with, upto);
  }
  LoadReport lines(std::string text) { return load(editor, {}, std::move(text), LoadAction::Set); }
  Editor editor{ConfigTree(test_schema())};
};

TEST_F(BulkEditTest, Replaces_names_and_values_and_no_keywords) {
  start(
      "system { host-name eth0-host; search [ eth0 x ]; } interfaces { eth0 { mtu 1400; "
      "description \"eth0 up\"; } inactive: eth10 { mtu 1500; } }");
  EXPECT_EQ(replace("eth0\\b|eth0$", "eth7"), 4U);
  EXPECT_EQ(now(),
            "set system host-name eth7-host\nset system search eth7\nset system search x\n"
            "set interfaces eth7 description \"eth7 up\"\nset interfaces eth7 mtu 1400\n"
            "set interfaces eth10 mtu 1500\ndeactivate interfaces eth10\n");
}

TEST_F(BulkEditTest, Upto_counts_objects_siblings_before_what_is_in_them) {
  start("interfaces { eth0 { description eth0; } eth1 { description eth1; } }");
  EXPECT_EQ(replace("^eth", "eth1", 3), 3U);
  EXPECT_EQ(now(),
            "set interfaces eth10 description eth10\nset interfaces eth11 description eth1\n");
}

TEST_F(BulkEditTest, Entries_are_renamed_together_and_keep_their_order) {
  start("policy-options { policy-statement p { term a1; term a2; term a3; } }");
  EXPECT_EQ(replace("^a(.)$", "a\\1\\1"), 3U);
  EXPECT_EQ(replace("^a([0-9])[0-9]$", "b\\1"), 3U);
  EXPECT_EQ(now(),
            "set policy-options policy-statement p term b1\n"
            "set policy-options policy-statement p term b2\n"
            "set policy-options policy-statement p term b3\n");
}

TEST_F(BulkEditTest, A_result_that_is_not_valid_changes_nothing) {
  start("interfaces { eth0 { description x0; unit 0 { vlan-id 10; } } }");
  const std::string before = now();
  const auto invalid = replace("0", "x");
  ASSERT_FALSE(invalid);
  EXPECT_THAT(invalid.error().message, HasSubstr("interfaces eth0"));
  EXPECT_EQ(now(), before);
  start("system { search [ a b ]; }");
  const auto twice = replace("[ab]", "c");
  ASSERT_FALSE(twice);
  EXPECT_THAT(twice.error().message, HasSubstr("'c'"));
  EXPECT_EQ(now(), "set system search a\nset system search b\n");
}

TEST_F(BulkEditTest, What_is_protected_stays_and_so_does_what_is_outside_of_the_level) {
  start(
      "system { host-name x; } interfaces { protect: eth0 { description x; } "
      "eth1 { description x; } }");
  EXPECT_EQ(replace("x", "y", {}, path_of("interfaces")), 1U);
  EXPECT_EQ(now(),
            "set system host-name x\nset interfaces eth0 description x\nprotect interfaces eth0\n"
            "set interfaces eth1 description y\n");
}

TEST_F(BulkEditTest, Replacing_each_letter_by_itself_changes_nothing_in_any_tree) {
  testing::RandomEdits edits(3);
  for (int i = 0; i < 200; ++i) {
    edits.edit(editor);
  }
  const NodePtr root = editor.tree().root_ptr();
  EXPECT_EQ(replace("[a-z]", "\\0"), 0U);
  EXPECT_EQ(editor.tree().root_ptr(), root);
}

TEST_F(BulkEditTest, Wildcard_finds_entries_values_and_statements) {
  start("interfaces { eth0; eth1; lo0; } system { host-name a; search [ a b ]; }");
  const auto count = [&](const Path& path, const std::string& pattern) {
    return matching(editor.tree(), path, *base::Pattern::compile(pattern)).size();
  };
  EXPECT_EQ(count(path_of("interfaces"), "^eth"), 2U);
  EXPECT_EQ(count(path_of("system"), "host"), 1U);
  EXPECT_EQ(count(path_of("system search"), "."), 2U);
  EXPECT_EQ(count({}, "."), 2U);
}

TEST_F(BulkEditTest, Ranges_expand_in_every_form) {
  EXPECT_THAT(*expand_ranges("eth[0-2]"), ElementsAre("eth0", "eth1", "eth2"));
  EXPECT_THAT(*expand_ranges("e[1,3,5].[7]"), ElementsAre("e1.7", "e3.7", "e5.7"));
  EXPECT_THAT(*expand_ranges("[0-9,!4,!6-9]"), ElementsAre("0", "1", "2", "3", "5"));
  EXPECT_THAT(*expand_ranges("plain"), ElementsAre("plain"));
  EXPECT_THAT(*expand_ranges(""), ElementsAre(""));
  EXPECT_THAT(*expand_ranges("[18446744073709551614-18446744073709551615]"),
              ElementsAre("18446744073709551614", "18446744073709551615"));
  for (const char* bad : {"[a]", "[]", "[3-1]", "[0-4,]", "[!3]", "[0-99999999999]",
                          "[0-999][0-999]", "[18446744073709551616]"}) {
    EXPECT_FALSE(expand_ranges(bad)) << bad;
  }
}

TEST_F(BulkEditTest, A_short_line_does_not_become_more_text_than_can_be_meant) {
  const std::string long_word(100'000, 'x');
  EXPECT_FALSE(expand_ranges(long_word + "[0-9999]"));
  EXPECT_FALSE(expand_ranges(std::vector<std::string_view>{"[0-9999]", long_word}));
  std::string again = "[0-99999";
  for (int i = 0; i < 10'000; ++i) {
    again += ",0-99999";
  }
  EXPECT_FALSE(expand_ranges(again + "]"));
}

TEST_F(BulkEditTest, Half_a_character_is_not_replaced) {
  start("interfaces { eth0 { description \"\u00e9t\u00e9\"; } }");
  const std::string before = now();
  const auto replaced = replace("^.", "x");  // bytes: the daemon runs in the locale C
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code, base::Code::BadValue);
  EXPECT_EQ(now(), before);
}

TEST_F(BulkEditTest, Commands_of_a_set_file_do_the_same) {
  EXPECT_EQ(lines("wildcard range set interfaces eth[0-4,!3] unit [0,7] vlan-id 5\n"
                  "wildcard range delete interfaces eth[1-3]\n"
                  "wildcard delete interfaces eth4 unit ^7$\n"
                  "edit interfaces\nreplace pattern ^eth0$ with eth9 upto 1\n")
                .to_string("x"),
            "load complete\n");
  EXPECT_EQ(now(),
            "set interfaces eth4 unit 0 vlan-id 5\n"
            "set interfaces eth9 unit 0 vlan-id 5\nset interfaces eth9 unit 7 vlan-id 5\n");
  const auto report = lines(
      "wildcard range set interfaces eth[0-9] mtu 1\n"
      "wildcard delete interfaces zzz\nreplace pattern zzz with y\n"
      "wildcard delete interfaces (\nreplace pattern x\nwildcard range\n"
      "wildcard range delete interfaces eth[20-29]\n");
  EXPECT_THAT(report.errors, SizeIs(4));
  EXPECT_THAT(report.warnings, SizeIs(3));
}

}  // namespace
}  // namespace millrace::tree
