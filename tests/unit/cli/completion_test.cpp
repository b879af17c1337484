// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/completion.h"

#include <gtest/gtest.h>

namespace millrace::cli {
namespace {

using Act = Verdict::Act;

Choice keyword(std::string text, std::string help = {}) {
  return {ChoiceKind::Keyword, std::move(text), std::move(help)};
}
Choice name(std::string text) {
  return {ChoiceKind::Name, std::move(text)};
}
Choice placeholder(std::string text) {
  return {ChoiceKind::Placeholder, std::move(text)};
}
const Choice kEnter{ChoiceKind::Enter, "<[Enter]>", "Execute this command"};
const Choice kPipe{ChoiceKind::Pipe, "|", "Pipe through a command"};

TEST(Completion, space_completes_a_keyword_that_is_the_only_one) {
  const auto verdict = decide(Trigger::Space, {0, {keyword("show")}}, "sh");
  EXPECT_EQ(verdict.act, Act::Put);
  EXPECT_EQ(verdict.word, "show ");
}

TEST(Completion, an_exact_keyword_wins_over_longer_ones) {
  const Answer answer{5, {keyword("bgp"), keyword("bgp-extra")}};
  EXPECT_EQ(decide(Trigger::Space, answer, "show bgp").word, "bgp ");
}

TEST(Completion, says_what_is_ambiguous_one_column_past_the_word) {
  const Answer answer{5, {keyword("interfaces", "State of ports"), keyword("isis")}};
  for (const auto trigger : {Trigger::Space, Trigger::Tab, Trigger::Enter}) {
    const auto verdict = decide(trigger, answer, "show i");
    EXPECT_EQ(verdict.act, Act::Show);
    EXPECT_EQ(verdict.caret, 6U);
    EXPECT_EQ(verdict.said,
              "'i' is ambiguous.\n"
              "Possible completions:\n"
              "  interfaces           State of ports\n"
              "  isis\n");
  }
}

TEST(Completion, only_tab_completes_names_of_the_user) {
  const Answer answer{16, {name("to-core")}};
  EXPECT_EQ(decide(Trigger::Space, answer, "show interfaces to").word, "to ");
  EXPECT_EQ(decide(Trigger::Enter, answer, "show interfaces to").word, std::nullopt);
  EXPECT_EQ(decide(Trigger::Tab, answer, "show interfaces to").word, "to-core ");
}

TEST(Completion, a_name_that_is_there_wins_over_a_keyword_it_abbreviates) {
  const Answer answer{15, {keyword("interface-range"), name("in")}};
  EXPECT_EQ(decide(Trigger::Space, answer, "set interfaces in").word, "in ");
}

TEST(Completion, a_word_that_fits_a_placeholder_stays) {
  const Answer answer{15, {placeholder("<name>"), keyword("eth-a"), keyword("eth-b")}};
  EXPECT_EQ(decide(Trigger::Space, answer, "set interfaces eth").word, "eth ");
}

TEST(Completion, a_keyword_wins_over_a_placeholder) {
  const Answer answer{15, {placeholder("<name>"), keyword("interface-range")}};
  EXPECT_EQ(decide(Trigger::Space, answer, "set interfaces int").word, "interface-range ");
}

TEST(Completion, enter_completes_and_runs) {
  const auto verdict = decide(Trigger::Enter, {5, {keyword("version")}}, "show ver");
  EXPECT_EQ(verdict.act, Act::Run);
  EXPECT_EQ(verdict.word, "version");
  EXPECT_EQ(decide(Trigger::Enter, {5, {kEnter, kPipe}}, "show ").act, Act::Run);
}

TEST(Completion, shows_a_problem_under_its_caret_and_keeps_the_line) {
  const Answer answer{5, {}, Problem{5, "syntax error, expecting <command>."}};
  for (const auto trigger : {Trigger::Space, Trigger::Tab, Trigger::Enter, Trigger::Help}) {
    const auto verdict = decide(trigger, answer, "show xyzzy");
    EXPECT_EQ(verdict.act, Act::Show);
    EXPECT_EQ(verdict.caret, 5U);
    EXPECT_EQ(verdict.said, "syntax error, expecting <command>.\n");
  }
}

TEST(Completion, tab_after_a_blank_takes_the_only_word_and_lists_several) {
  EXPECT_EQ(decide(Trigger::Tab, {5, {keyword("version")}}, "show ").word, "version ");
  EXPECT_EQ(decide(Trigger::Tab, {5, {kEnter, keyword("version")}}, "show ").act, Act::Show);
  EXPECT_EQ(decide(Trigger::Tab, {5, {}}, "show ").act, Act::Refuse);
}

TEST(Completion, help_lists_without_touching_the_line) {
  const auto verdict = decide(Trigger::Help, {5, {kEnter, keyword("terse"), kPipe}}, "show ");
  EXPECT_EQ(verdict.act, Act::Show);
  EXPECT_EQ(verdict.caret, std::nullopt);
  EXPECT_EQ(verdict.word, std::nullopt);
  EXPECT_EQ(decide(Trigger::Help, {5, {}}, "show z").said, "No valid completions\n");
}

TEST(Completion, quotes_a_name_that_would_be_read_as_something_else) {
  EXPECT_EQ(decide(Trigger::Tab, {4, {name("my \"file\"")}}, "set my").word,
            "\"my \\\"file\\\"\" ");
}

TEST(Completion, lists_markers_names_and_help_in_columns) {
  EXPECT_EQ(listing({kEnter,
                     {ChoiceKind::Placeholder, "<unit>", "Number (0..16385)", '>'},
                     {ChoiceKind::Name, "東京", "To Tokyo", '>'},
                     {ChoiceKind::Keyword, "apply-groups", "Inherit", '+'},
                     {ChoiceKind::Keyword, "nineteen-characters", "Fits"},
                     {ChoiceKind::Keyword, "twenty-characters-xx", "Does not"},
                     kPipe}),
            "Possible completions:\n"
            "  <[Enter]>            Execute this command\n"
            "> <unit>               Number (0..16385)\n"
            "> 東京                 To Tokyo\n"
            "+ apply-groups         Inherit\n"
            "  nineteen-characters  Fits\n"
            "  twenty-characters-xx  Does not\n"
            "  |                    Pipe through a command\n");
}

}  // namespace
}  // namespace millrace::cli
