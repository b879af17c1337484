// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/settings.h"

#include <gmock/gmock.h>

#include "cli/paint.h"
#include "cli/text_pipes.h"

namespace millrace::cli {
namespace {

using ::testing::HasSubstr;
using nlohmann::json;

TEST(Settings, A_reply_changes_what_it_names) {
  Settings settings;
  settings.take({{"screen-length", 0}, {"color", false}, {"timestamp", "%H"}});
  EXPECT_EQ(settings.screen_length, 0U);
  EXPECT_FALSE(settings.color);
  EXPECT_TRUE(settings.complete_on_space);
  settings.take({{"screen-length", "much"}});
  EXPECT_EQ(settings.screen_length, 0U) << "nonsense changes nothing";
}

TEST(Settings, Show_cli_has_a_line_for_each) {
  Settings settings;
  settings.terminal = "vt100";
  settings.take({{"idle-timeout", 60}});
  const std::string text = settings.to_string(24, 80, "/var/tmp");
  for (const auto* line :
       {"CLI complete-on-space set to on\n", "CLI idle-timeout set to 60 minutes\n",
        "CLI screen-length set to 24\n", "CLI screen-width set to 80\n", "CLI terminal is 'vt100'\n",
        "CLI timestamp disabled\n", "CLI working directory is '/var/tmp'\n",
        "CLI is operating in enhanced mode\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(Settings, The_time_is_a_line_only_when_it_is_wanted) {
  Settings settings;
  EXPECT_EQ(settings.time_line(0), "");
  settings.timestamp = "at %Y";
  EXPECT_THAT(settings.time_line(40'000'000), HasSubstr("at 1971\n"));
}

TEST(Paint, Only_comparisons_are_coloured_and_the_text_stays) {
  EXPECT_TRUE(is_comparison("[edit system]\n-  host-name a;\n"));
  EXPECT_FALSE(is_comparison("system {\n"));
  EXPECT_EQ(paint_comparison("+  host-name b;"), "\x1b[32m+  host-name b;\x1b[0m");
  EXPECT_EQ(paint_comparison("   context"), "   context");
  EXPECT_EQ(paint_errors("x\nerror: y\n"), "x\n\x1b[31merror: y\x1b[0m\n");
}

TEST(Resolve, Addresses_become_names_and_nothing_else_does) {
  const NameOf names = [](const std::string& address) -> std::optional<std::string> {
    return address == "192.0.2.1" ? std::optional<std::string>("gw.example.net")
           : address == "2001:db8::1" ? std::optional<std::string>("six.example.net")
                                      : std::nullopt;
  };
  EXPECT_EQ(resolve("to 192.0.2.1 via eth0\n", false, names), "to gw via eth0\n");
  EXPECT_EQ(resolve("192.0.2.1", true, names), "gw.example.net");
  EXPECT_EQ(resolve("[2001:db8::1]:179 10.0.0.1", false, names), "[six]:179 10.0.0.1");
  EXPECT_EQ(resolve("x192.0.2.1 192.0.2.10 dead beef", false, names),
            "x192.0.2.1 192.0.2.10 dead beef");
}

TEST(SuppressZeros, Lines_whose_numbers_are_all_zero_go) {
  EXPECT_EQ(suppress_zeros("Input: 0\nOutput: 3, errors: 0\nno numbers\nFlaps: 0 (0)\n10.0.0.0/8\n"),
            "Output: 3, errors: 0\nno numbers\n10.0.0.0/8\n");
}

TEST(MessagePipe, The_output_goes_to_others_and_not_to_the_screen) {
  PipeHost host(24);
  std::string sent;
  host.tell = [&](const std::string& whom,
                  const std::string& text) -> std::expected<void, std::string> {
    sent = whom + ": " + text;
    return {};
  };
  EXPECT_EQ(apply_pipes({{"request", "message", "all"}}, "hello\n", host).value(), "");
  EXPECT_EQ(sent, "all: hello\n");
  host.tell = [](const auto&, const auto&) -> std::expected<void, std::string> {
    return std::unexpected("nobody there");
  };
  EXPECT_EQ(apply_pipes({{"request", "message", "all"}}, "hello\n", host).error(), "nobody there");
}

}  // namespace
}  // namespace millrace::cli
