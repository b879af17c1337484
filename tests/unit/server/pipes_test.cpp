// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/pipes.h"

#include <gmock/gmock.h>

namespace millrace::server {
namespace {

using ::testing::ElementsAre;

std::expected<Pipes, PipeError> read(std::string_view line) {
  return read_pipes(syntax::parse_line(line).line.pipes);
}

TEST(Pipes, Text_pipes_are_left_to_the_client_in_order) {
  const auto pipes = read("show x | match \"a b\" | count");
  ASSERT_TRUE(pipes);
  EXPECT_THAT(pipes->client, ElementsAre(ElementsAre("match", "a b"), ElementsAre("count")));
  EXPECT_FALSE(pipes->rerenders());
}

TEST(Pipes, Display_compare_and_plan_belong_to_the_daemon) {
  EXPECT_EQ(read("show | display set")->format(), Format::Set);
  EXPECT_EQ(read("show | display set relative")->display,
            (Display{.format = Format::Set, .relative = true}));
  EXPECT_EQ(read("show | dis json")->format(), Format::Json);
  EXPECT_EQ(read("show | display detail | display max-depth 2")->display,
            (Display{.detail = true, .max_depth = 2}));
  EXPECT_EQ(read("show | compare rollback 3")->compare_with.index, 3U);
  EXPECT_EQ(read("show | compare revision 17")->compare_with.name, "17");
  EXPECT_EQ(read("show | compare rescue")->compare_with.kind, ConfigurationSource::Kind::Rescue);
  EXPECT_EQ(read("show | compare old.conf")->compare_with.name, "old.conf");
  EXPECT_TRUE(read("show | plan")->plan);
  const auto both = read("show | compare | display set | match x");
  ASSERT_TRUE(both);
  EXPECT_TRUE(both->compare);
  EXPECT_EQ(both->format(), Format::Set);
  EXPECT_THAT(both->client, ElementsAre(ElementsAre("match", "x")));
}

TEST(Pipes, A_pipe_that_renders_again_comes_before_text_pipes) {
  const auto pipes = read("show | count | display set");
  ASSERT_FALSE(pipes);
  EXPECT_EQ(pipes.error().column, 16U);
}

TEST(Pipes, What_does_not_exist_is_refused_with_its_reason) {
  EXPECT_TRUE(read("show | display omit")
                  .error()
                  .message.starts_with("'display omit' is not supported: nothing is left out"));
  EXPECT_TRUE(read("show | display commit-scripts")
                  .error()
                  .message.starts_with("'display commit-scripts' is not supported: "));
  EXPECT_EQ(read("show | frobnicate").error().message, "syntax error, expecting <command>.");
}

TEST(Pipes, Those_of_the_terminal_and_of_others_are_read_whole) {
  const auto pipes =
      read("show | refresh 5 | resolve full | suppress-zeros | req mess alice@pts/3 | refresh");
  ASSERT_TRUE(pipes) << pipes.error().message;
  EXPECT_THAT(
      pipes->client,
      ElementsAre(ElementsAre("refresh", "5"), ElementsAre("resolve", "full-names"),
                  ElementsAre("suppress-zeros"), ElementsAre("request", "message", "alice@pts/3"),
                  ElementsAre("refresh")));
  EXPECT_EQ(read("show | re").error().message, "'re' is ambiguous.");
  EXPECT_EQ(read("show | request message").error().message,
            "missing argument, expecting <all> or <user@tty>.");
  EXPECT_FALSE(read("show | request message alice"));
  EXPECT_FALSE(read("show | request all"));
  EXPECT_FALSE(read("show | resolve names"));
  EXPECT_FALSE(read("show | refresh often"));
}

TEST(Pipes, Rfc5952_is_how_addresses_are_shown_anyway) {
  EXPECT_EQ(read("show | display rfc5952")->display, Display{});
  EXPECT_EQ(read("show | display table")->format(), Format::Table);
}

TEST(Pipes, Arguments_are_checked_before_anything_runs) {
  EXPECT_EQ(read("show | match").error().message, "missing argument.");
  EXPECT_FALSE(read("show | last ten"));
  EXPECT_FALSE(read("show | count 3"));
  EXPECT_FALSE(read("show | compare old.conf new.conf"));
  EXPECT_FALSE(read("show | compare revision"));
  EXPECT_FALSE(read("show | display max-depth 0"));
  EXPECT_FALSE(read("show | display max-depth"));
  EXPECT_FALSE(read("show | display set relative relative"));
  EXPECT_EQ(read("show | compare rollback 5x").error().message,
            "invalid value '5x': expected a number (0..49), the id or the label of a revision");
}

}  // namespace
}  // namespace millrace::server
