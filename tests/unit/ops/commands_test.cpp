// SPDX-License-Identifier: GPL-2.0-or-later
#include "ops/commands.h"

#include <gmock/gmock.h>

namespace millrace::ops {
namespace {

using ::testing::ElementsAre;
using Words = std::vector<std::string_view>;

schema::Command command(std::string words, std::vector<schema::Command::Argument> arguments = {},
                        std::vector<std::string> argv = {}) {
  schema::Command out;
  out.words = std::move(words);
  out.help = "help of " + out.words;
  out.arguments = std::move(arguments);
  out.runner = "exec";
  out.argv = std::move(argv);
  return out;
}

schema::Type type(schema::BaseType base) {
  schema::Type out;
  out.base = base;
  return out;
}

Commands example() {
  schema::Command session = command("show configuration");
  session.runner = kSessionRunner;
  return Commands({
      command("show interfaces",
              {{"interface", "name", type(schema::BaseType::String), true, false, false, {}}}),
      command("show interfaces terse"),
      command("show version"),
      command("show vlans"),
      command("ping",
              {{"host", "whom", type(schema::BaseType::String), true, true, false, {}},
               {"count", "how often", type(schema::BaseType::Integer), false, false, false, {}},
               {"rapid", "fast", type(schema::BaseType::Empty), false, false, false, {}},
               {"resolve", "names", type(schema::BaseType::Empty), false, false, false, {}}},
              {"ping", "-c{count}", "-A{-rapid}", "--", "{host}"}),
      session,
  });
}

TEST(Commands, Words_may_be_abbreviated) {
  const auto commands = example();
  const Words words = {"sh", "int", "te"};
  const auto match = commands.match(words);
  ASSERT_TRUE(match);
  EXPECT_EQ(match->command->words, "show interfaces terse");
}

TEST(Commands, A_keyword_wins_over_a_positional_argument) {
  const auto commands = example();
  const Words words = {"show", "interfaces", "eth0"};
  const auto match = commands.match(words);
  ASSERT_TRUE(match);
  EXPECT_EQ(match->command->words, "show interfaces");
  EXPECT_EQ(*match->argument("interface"), "eth0");
}

TEST(Commands, An_unknown_first_word_is_an_unknown_command) {
  const Words words = {"frobnicate"};
  const auto match = example().match(words);
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().message, "unknown command.");
  EXPECT_EQ(match.error().word, 0U);
}

TEST(Commands, A_wrong_later_word_is_a_syntax_error_at_that_word) {
  const Words words = {"show", "frobnicate"};
  const auto match = example().match(words);
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().message, "syntax error, expecting <command>.");
  EXPECT_EQ(match.error().word, 1U);
}

TEST(Commands, An_ambiguous_word_lists_what_it_could_be) {
  const Words words = {"show", "v"};
  const auto match = example().match(words);
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().message, "'v' is ambiguous.");
  EXPECT_TRUE(match.error().past_word);
  ASSERT_EQ(match.error().choices.size(), 2U);
  EXPECT_EQ(match.error().choices[1].text, "vlans");
}

TEST(Commands, An_incomplete_command_points_behind_its_last_word) {
  const Words words = {"show"};
  const auto match = example().match(words);
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().word, 1U);
}

TEST(Commands, Words_of_absent_arguments_are_dropped_from_the_program) {
  const auto commands = example();
  const Words plain = {"ping", "192.0.2.1"};
  EXPECT_THAT(program(*commands.match(plain)), ElementsAre("ping", "--", "192.0.2.1"));
  const Words full = {"ping", "192.0.2.1", "rapid", "count", "5"};
  EXPECT_THAT(program(*commands.match(full)), ElementsAre("ping", "-c5", "-A", "--", "192.0.2.1"));
}

TEST(Commands, A_value_that_looks_like_an_option_is_refused) {
  const Words words = {"ping", "-f"};
  const auto match = example().match(words);
  ASSERT_FALSE(match);
  EXPECT_THAT(match.error().message, ::testing::HasSubstr("may not start with '-'"));
}

TEST(Commands, A_missing_mandatory_argument_is_named) {
  const Words words = {"ping", "rapid"};
  const auto match = example().match(words);
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().message, "missing argument, expecting <host>.");
}

TEST(Commands, A_keyword_prefix_among_arguments_may_be_ambiguous) {
  const Words words = {"ping", "h", "r"};
  const auto match = example().match(words);
  ASSERT_FALSE(match);
  EXPECT_EQ(match.error().message, "'r' is ambiguous.");
}

TEST(Commands, A_session_command_leaves_its_tail_alone) {
  const auto commands = example();
  const Words words = {"show", "conf", "system", "ntp"};
  const auto match = commands.match(words);
  ASSERT_TRUE(match);
  EXPECT_EQ(match->used, 2U);
}

TEST(Commands, Choices_are_the_next_words_and_the_arguments) {
  std::vector<std::string> names;
  const auto commands = example();
  const Words words = {"show", "interfaces"};
  for (const auto& choice : commands.choices(words, "")) {
    names.push_back(choice.text);
  }
  EXPECT_THAT(names, ElementsAre("<interface>", "terse"));
}

}  // namespace
}  // namespace millrace::ops
