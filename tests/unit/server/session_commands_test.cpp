// SPDX-License-Identifier: GPL-2.0-or-later
//
// Commands about the session itself: settings, aliases, help, and what the client carries out.
#include <gmock/gmock.h>

#include "server/completion.h"
#include "server/table.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class SessionCommands : public ShellTest {
 protected:
  std::vector<std::string> words(std::string_view line) {
    std::vector<std::string> out;
    for (const auto& offer : complete(shell, line).offers) {
      out.push_back(offer.text);
    }
    return out;
  }
  std::string help_of(std::string_view line, std::string_view word) {
    for (const auto& offer : complete(shell, line).offers) {
      if (offer.text == word) {
        return offer.help;
      }
    }
    return "not offered";
  }
};

TEST_F(SessionCommands, Each_setting_echoes_one_line_and_tells_the_client) {
  EXPECT_EQ(run("set cli screen-length 75").output, "Screen length set to 75\n");
  EXPECT_EQ(run("set cli screen-width 511").settings["screen-width"], 511);
  EXPECT_EQ(run("set cli color off").settings["color"], false);
  EXPECT_EQ(run("set cli terminal vt100").settings["terminal"], "vt100");
  EXPECT_EQ(run("set cli timestamp").output, "CLI timestamp set to: '%b %d %H:%M:%S'\n");
  EXPECT_EQ(run("set cli timestamp format \"%T\"").settings["timestamp"], "%T");
  EXPECT_EQ(run("set cli timestamp disable").settings["timestamp"], "");
  EXPECT_THAT(run("set cli directory /var/tmp").local, ElementsAre("directory", "/var/tmp"));
}

TEST_F(SessionCommands, A_wrong_setting_is_named_before_its_argument_is_missed) {
  EXPECT_THAT(run("set cli frobnicate").errors, HasSubstr("\n        ^\nsyntax error"));
  EXPECT_THAT(run("set cli t vt100").errors, HasSubstr("'t' is ambiguous."));
  EXPECT_THAT(run("set cli screen-width 20").errors, HasSubstr("not within range (40..1024)"));
  EXPECT_THAT(run("set cli screen-length").errors, HasSubstr("missing argument."));
  EXPECT_THAT(run("set cli color blue").errors, HasSubstr("expecting <on> or <off>"));
  EXPECT_THAT(run("set cli logical-system x").errors, HasSubstr("never planned: "));
  EXPECT_THAT(run("set cli terminal \"a b\"").errors, HasSubstr("invalid value 'a b'"));
}

TEST_F(SessionCommands, A_prompt_of_ones_own_still_shows_the_mode) {
  run("set cli prompt \"edge1> \"");
  EXPECT_EQ(shell.prompt(), "edge1> ");
  run("configure");
  EXPECT_EQ(shell.prompt(), "edge1# ");
  run("run set cli prompt \"\"");
  EXPECT_THAT(shell.prompt(), StartsWith("alice@"));
}

TEST_F(SessionCommands, An_alias_stands_for_its_text_and_takes_words) {
  setup({"set cli alias cfg \"show configuration $1 | display set\""});
  setup({"configure", "set system host-name r7", "commit", "exit"});
  EXPECT_TRUE(run("cfg system").ok);
  EXPECT_THAT(run("cfg").errors, HasSubstr("missing argument $1"));
  EXPECT_THAT(run("cfg a b").errors, HasSubstr("unexpected 'b'"));
  EXPECT_THAT(run("cfg system | count").pipes, ElementsAre(ElementsAre("count")));
  EXPECT_THAT(run("show cli alias").output, HasSubstr("show configuration $1 | display set"));
  EXPECT_THAT(words(""), Contains("cfg"));
  setup({"set cli alias cfg disable"});
  EXPECT_THAT(run("cfg system").errors, HasSubstr("unknown command."));
}

TEST_F(SessionCommands, Words_behind_an_alias_without_places_come_before_its_pipes) {
  setup({"set cli alias named \"show | match host\"", "configure", "set system host-name r7"});
  const Reply reply = run("named system");
  EXPECT_EQ(reply.output, "host-name r7;\n");
  EXPECT_THAT(reply.pipes, ElementsAre(ElementsAre("match", "host")));
  // No word can bring a pipe or a second command with it.
  EXPECT_THAT(run("named \"system | save /etc/passwd\"").pipes,
              ElementsAre(ElementsAre("match", "host")));
}

TEST_F(SessionCommands, An_alias_hides_no_command) {
  EXPECT_THAT(run("set cli alias show \"ping\"").errors, HasSubstr("there is a command"));
  EXPECT_THAT(run("set cli alias commit \"ping\"").errors, HasSubstr("there is a command"));
  EXPECT_THAT(run("set cli alias 4x \"ping\"").errors, HasSubstr("expected a letter"));
  EXPECT_THAT(run("set cli alias x \"show \\\"\"").errors, HasSubstr("stands for a command"));
}

TEST_F(SessionCommands, Files_and_live_screens_are_the_clients) {
  EXPECT_THAT(run("file list detail /var/log").local,
              ElementsAre("file", "list", "detail", "--", "/var/log"));
  EXPECT_THAT(run("file copy a b").local, ElementsAre("file", "copy", "--", "a", "b"));
  EXPECT_THAT(run("monitor interface traffic").local, ElementsAre("monitor-interface"));
  EXPECT_THAT(run("monitor interface eth0").local, ElementsAre("monitor-interface", "eth0"));
  EXPECT_THAT(run("show cli").local, ElementsAre("show-cli"));
  EXPECT_THAT(run("show cli history 5").local, ElementsAre("show-history", "5"));
  EXPECT_THAT(run("start shell").run, ElementsAre("bash"));
  EXPECT_FALSE(run("file show -rf").ok);
}

TEST_F(SessionCommands, Files_are_offered_as_such_for_the_client_to_list) {
  for (const auto line : {"file show ", "show version | save ", "show configuration | compare "}) {
    const auto offers = complete(shell, line).offers;
    EXPECT_TRUE(std::ranges::contains(offers, OfferKind::File, &Offer::kind)) << line;
  }
}

TEST_F(SessionCommands, Words_that_only_lead_on_have_help) {
  for (const auto* word : {"show", "request", "file", "monitor", "clear", "set", "start"}) {
    EXPECT_NE(help_of("", word), "") << word;
    EXPECT_NE(help_of("", word), "not offered") << word;
  }
  EXPECT_NE(help_of("show ", "system"), "");
}

TEST_F(SessionCommands, Apropos_finds_commands_and_below_the_level_statements) {
  const std::string commands = run("help apropos ROUTE").output;
  EXPECT_THAT(commands, HasSubstr("show route\n    Routes of the routing tables\n"));
  setup({"configure"});
  EXPECT_THAT(run("help apropos \"^mtu$\"").output,
              HasSubstr("set interfaces <name> mtu <256..9192>\n    "));
  setup({"edit system"});
  EXPECT_EQ(run("help apropos \"^mtu$\"").output, "Nothing found\n");
  EXPECT_THAT(run("help apropos host-name").output, HasSubstr("set host-name <host-name>\n    "));
  EXPECT_THAT(run("help apropos \"(\"").errors, HasSubstr("^\n"));
}

TEST_F(SessionCommands, Reference_pages_name_syntax_level_options_and_privilege) {
  const std::string command = run("help reference show route").output;
  EXPECT_THAT(command, StartsWith("Syntax\n    show route [<destination>] [active-path]"));
  EXPECT_THAT(command, HasSubstr("Required Privilege Level\n    view\n"));
  const std::string statement = run("help reference interfaces eth0 mtu").output;
  EXPECT_THAT(statement, StartsWith("Syntax\n    mtu <256..9192>;\n\nHierarchy Level\n    "
                                    "[edit interfaces <name>]\n"));
  EXPECT_THAT(statement, HasSubstr("range: 256 .. 9192"));
  EXPECT_THAT(run("help topic interfaces unit").output, HasSubstr("Statements in it:"));
  EXPECT_THAT(run("help topic no such thing").errors, HasSubstr("'help apropos PATTERN'"));
  EXPECT_THAT(run("help topic system radius-server").output, HasSubstr("It is not supported: "));
  EXPECT_NE(run("help tip").output, "");
}

TEST_F(SessionCommands, Help_words_complete) {
  EXPECT_THAT(words("help "),
              ElementsAre("<[Enter]>", "apropos", "reference", "tip", "topic", "|"));
  EXPECT_THAT(words("help topic interfaces u"), Contains("unit"));
  EXPECT_THAT(words("help reference show r"), Contains("route"));
}

TEST(Tables, Lists_of_objects_become_tables_with_the_names_of_what_is_around_them) {
  const auto data = nlohmann::ordered_json::parse(
      R"({"links":[{"mtu":1500,"name":"eth0","tags":["a","b"],"units":[{"name":"0"},{"name":"7"}]},
          {"mtu":9000,"name":"eth10","tags":[],"units":[]}],"host":"r1"})");
  EXPECT_EQ(to_table(data),
            "links\n"
            "name   mtu   tags\n"
            "-----  ----  ----\n"
            "eth0   1500  a b\n"
            "eth10  9000\n"
            "\n"
            "links units\n"
            "links  name\n"
            "-----  ----\n"
            "eth0   0\n"
            "eth0   7\n"
            "\n"
            "name  value\n"
            "----  -----\n"
            "host  r1\n");
  EXPECT_EQ(to_table(nlohmann::ordered_json::parse("[]")), "[]\n");
}

TEST_F(SessionCommands, Configuration_is_shown_as_tables_too) {
  setup({"configure", "set interfaces eth0 mtu 1400"});
  const std::string text = run("show | display table").output;
  EXPECT_THAT(text, HasSubstr("name  mtu\n----  ----\neth0  1400\n"));
  EXPECT_THAT(text, Not(HasSubstr("@")));
}

}  // namespace
}  // namespace millrace::server
