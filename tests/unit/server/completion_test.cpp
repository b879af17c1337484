// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/completion.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "server/pipes.h"
#include "tree/text.h"
#include "unit/server/shell_fixture.h"

namespace millrace::server {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class CompletionTest : public ShellTest {
 protected:
  Completion at(std::string_view line) { return complete(shell, line); }

  std::vector<std::string> words(std::string_view line) {
    std::vector<std::string> out;
    for (const auto& offer : at(line).offers) {
      out.push_back(offer.text);
    }
    return out;
  }

  Offer offer(std::string_view line, std::string_view text) {
    for (const auto& offer : at(line).offers) {
      if (offer.text == text) {
        return offer;
      }
    }
    ADD_FAILURE() << "'" << text << "' is not offered after '" << line << "'";
    return {};
  }

  std::string problem(std::string_view line) {
    const auto completion = at(line);
    return completion.problem
               ? std::to_string(completion.problem->byte) + ": " + completion.problem->message
               : "none";
  }
};

TEST_F(CompletionTest, Offers_the_commands_of_each_mode) {
  EXPECT_THAT(words(""), AllOf(Contains("configure"), Contains("show"), Contains("ping")));
  EXPECT_THAT(words("conf"), ElementsAre("configure"));
  setup({"configure"});
  EXPECT_THAT(words(""), AllOf(Contains("commit"), Contains("set"), Not(Contains("ping"))));
  EXPECT_THAT(words("run pi"), ElementsAre("ping"));
}

TEST_F(CompletionTest, Says_where_the_word_at_the_cursor_begins) {
  EXPECT_EQ(at("show  ver").start, 6U);
  EXPECT_EQ(at("show ").start, 5U);
  EXPECT_EQ(at("").start, 0U);
}

TEST_F(CompletionTest, Enter_comes_first_and_the_pipe_last_when_the_line_is_complete) {
  const auto offered = words("show interfaces ");
  ASSERT_GE(offered.size(), 3U);
  EXPECT_EQ(offered.front(), "<[Enter]>");
  EXPECT_EQ(offered.back(), "|");
  EXPECT_THAT(words("show "), Not(Contains("<[Enter]>")));
  EXPECT_THAT(words("ping "), Not(Contains("|")));
  EXPECT_THAT(words("show version"), ElementsAre("version"));
}

TEST_F(CompletionTest, Placeholders_stand_before_words_and_words_are_sorted) {
  setup({"configure"});
  const auto offered = at("set interfaces eth0 unit ").offers;
  ASSERT_FALSE(offered.empty());
  EXPECT_EQ(offered.front().kind, OfferKind::Placeholder);
  EXPECT_EQ(offered.front().text, "<number>");
  EXPECT_THAT(offered.front().help, HasSubstr("(0..16385)"));
  EXPECT_TRUE(std::ranges::is_sorted(at("set ").offers, {}, &Offer::text));
}

TEST_F(CompletionTest, Marks_containers_and_lists) {
  setup({"configure"});
  EXPECT_EQ(offer("set ", "system").marker, '>');
  EXPECT_EQ(offer("set system ", "host-name").marker, ' ');
}

TEST_F(CompletionTest, Names_of_users_carry_their_own_description) {
  setup({"configure", "set interfaces eth0 description \"to the core\"",
         "set interfaces eth1 unit 0"});
  const auto name = offer("set interfaces ", "eth0");
  EXPECT_EQ(name.kind, OfferKind::Name);
  EXPECT_EQ(name.help, "to the core");
  EXPECT_EQ(name.marker, '>');
  EXPECT_THAT(words("delete interfaces eth1 unit "), Contains("0"));
  EXPECT_THAT(words("show interfaces eth"), ElementsAre(StartsWith("<"), "eth0", "eth1"));
}

TEST_F(CompletionTest, Operational_mode_offers_names_that_are_in_force) {
  setup({"configure", "set interfaces eth0 description \"to the core\""});
  EXPECT_THAT(words("run show configuration interfaces "), Not(Contains("eth0")));
  ASSERT_TRUE(run("commit").ok);
  EXPECT_EQ(offer("run show configuration interfaces ", "eth0").help, "to the core");
}

TEST_F(CompletionTest, Levels_count) {
  setup({"configure", "set interfaces eth0 unit 7", "edit interfaces eth0"});
  EXPECT_THAT(words("set unit "), Contains("7"));
  EXPECT_THAT(words("top set int"), Contains("interfaces"));
  EXPECT_THAT(words("up 2 show "), Contains("interfaces"));
}

TEST_F(CompletionTest, Only_levels_are_offered_to_edit) {
  setup({"configure", "set interfaces eth0"});
  EXPECT_THAT(words("edit interfaces eth0 "),
              AllOf(Contains("unit"), Contains("<[Enter]>"), Not(Contains("description"))));
  EXPECT_THAT(words("edit interfaces "), Contains("eth0"));
}

TEST_F(CompletionTest, A_value_that_is_shown_has_nothing_below_it) {
  setup({"configure", "set system host-name r7"});
  EXPECT_THAT(words("show system host-name "), ElementsAre("<[Enter]>", "|"));
  EXPECT_THAT(words("set system host-name "), Not(Contains("<[Enter]>")));
  EXPECT_THAT(words("set system host-name r8 "), Contains("<[Enter]>"));
}

TEST_F(CompletionTest, Enumerations_and_values_of_keywords_are_offered) {
  EXPECT_THAT(words("show route protocol "), AllOf(Contains("direct"), Not(Contains("exact"))));
  EXPECT_THAT(words("ping 192.0.2.1 count "), ElementsAre("<1..2000000000>"));
}

TEST_F(CompletionTest, Commands_about_routes_and_logs_offer_what_there_is) {
  setup(
      {"configure", "set routing-options static route 198.51.100.0/24 discard", "commit", "exit"});
  EXPECT_THAT(words("show route "), Contains("198.51.100.0/24"));
  EXPECT_THAT(words("show route 198"), Contains("198.51.100.0/24"));
  EXPECT_THAT(words("show log "),
              AllOf(Contains("<file>"), Contains("messages"), Contains("audit")));
  EXPECT_THAT(words("monitor start "), Contains("messages"));
  EXPECT_THAT(words("monitor stop "), ElementsAre("<[Enter]>", "<file>", "|"));
  EXPECT_THAT(words("request system reboot "),
              ElementsAre("<[Enter]>", "at", "in", "message", "|"));
  EXPECT_THAT(words("request system reboot in 5 "), ElementsAre("<[Enter]>", "message", "|"));
}

TEST_F(CompletionTest, Unknown_words_are_told_at_their_place) {
  EXPECT_EQ(problem("shwo ver"), "0: unknown command.");
  EXPECT_EQ(problem("xyzzy"), "0: unknown command.");
  EXPECT_EQ(problem("show xyzzy"), "5: syntax error, expecting <command>.");
  EXPECT_EQ(problem("s v"), "1: 's' is ambiguous.");
  setup({"configure"});
  EXPECT_EQ(problem("xyzzy"), "0: unknown command.");
  EXPECT_EQ(problem("set system xyzzy"), "11: syntax error.");
  EXPECT_EQ(problem("set xyzzy foo"), "4: syntax error.");
}

TEST_F(CompletionTest, Values_are_checked_at_their_place) {
  setup({"configure"});
  EXPECT_THAT(problem("set interfaces eth0 mtu 70000"), StartsWith("24: "));
  EXPECT_EQ(problem("set interfaces eth0 mtu 1500"), "none");
  EXPECT_THAT(problem("set interfaces eth0 unit 0 family inet address 300.1.1.1/24 x"),
              StartsWith("47: invalid"));
}

TEST_F(CompletionTest, A_half_typed_name_is_no_wrong_value) {
  setup({"configure", "set interfaces eth0 unit 0 family inet address 192.0.2.1/24"});
  EXPECT_EQ(problem("delete interfaces eth0 unit 0 family inet address 192"), "none");
  EXPECT_THAT(words("delete interfaces eth0 unit 0 family inet address 192"),
              Contains("192.0.2.1/24"));
}

TEST_F(CompletionTest, Refused_statements_say_why) {
  setup({"configure"});
  EXPECT_THAT(problem("set interfaces eth0 unit 0 family inet filter x"),
              HasSubstr("not in this release"));
  EXPECT_THAT(words("set interfaces eth0 unit 0 family inet "), Not(Contains("filter")));
}

TEST_F(CompletionTest, Comments_and_quotes_are_left_alone) {
  EXPECT_THAT(words("# sh"), IsEmpty());
  EXPECT_EQ(problem("# sh"), "none");
  setup({"configure"});
  EXPECT_EQ(problem("set interfaces eth0 description \"to t"), "none");
}

TEST_F(CompletionTest, Every_pipe_that_is_offered_is_accepted) {
  setup({"configure"});
  const auto pipes = words("show | ");
  EXPECT_THAT(pipes, AllOf(Contains("match"), Contains("display"), Contains("compare")));
  for (const auto& pipe : pipes) {
    std::string line = "show | " + pipe;
    // The first thing offered is taken, until the line could run.
    for (auto offers = at(line + " ").offers;
         !offers.empty() && offers.front().kind != OfferKind::Enter;
         offers = at(line + " ").offers) {
      const Offer& argument = offers.front();
      const bool is_word = argument.kind == OfferKind::Keyword || argument.kind == OfferKind::Name;
      line += is_word                         ? " " + argument.text
              : argument.text == "<number>"   ? " 3"
              : argument.text == "<user@tty>" ? " alice@pts/3"
                                              : " x";
    }
    EXPECT_TRUE(read_pipes(syntax::parse_line(line).line.pipes)) << line;
  }
}

TEST_F(CompletionTest, Pipes_complete_their_own_words) {
  setup({"configure"});
  EXPECT_THAT(words("show | dis"), ElementsAre("display"));
  EXPECT_THAT(words("show | display "), AllOf(Contains("set"), Contains("json")));
  EXPECT_THAT(words("show | display set "), ElementsAre("<[Enter]>", "explicit", "relative", "|"));
  EXPECT_THAT(words("show | compare rollback "), Contains("0"));
  EXPECT_THAT(words("show |"), Contains("match"));
  EXPECT_EQ(problem("show | xyzzy"), "7: syntax error, expecting <command>.");
  EXPECT_EQ(problem("show | "), "none");
}

TEST_F(CompletionTest, Commit_rollback_load_and_exit_have_their_words) {
  setup({"configure"});
  EXPECT_THAT(words("commit "),
              AllOf(Contains("check"), Contains("and-quit"), Contains("<[Enter]>")));
  EXPECT_THAT(words("commit comment "), ElementsAre("<comment>"));
  EXPECT_THAT(offer("rollback ", "0").help, HasSubstr("by root via boot"));
  EXPECT_THAT(words("load "), Contains("override"));
  EXPECT_THAT(words("load merge "), ElementsAre("<file>", "<url>", "terminal"));
  EXPECT_THAT(words("exit "), Contains("configuration-mode"));
}

// What a person types must get through at each blank and at the end: with completion on space, a
// word that is wrongly refused cannot be typed at all.
TEST_F(CompletionTest, No_valid_line_is_stopped_while_it_is_typed) {
  constexpr std::array kOperational = {
      "show interfaces terse",
      "show interfaces eth0",
      "show route 10.0.0.0/8 exact",
      "show route table inet.0 protocol static",
      "show configuration interfaces eth0 | display set",
      "show system rollback 0 compare 0",
      "show configuration | compare rollback 0",
      "configure private",
      "request system logout user bob",
      "request message all message \"hi\"",
      "request system configuration rescue save",
      "ping 192.0.2.1 count 3 rapid",
      "set cli screen-length 0",
      "set cli idle-timeout 60",
      "set cli timestamp format \"%T\"",
      "set cli alias live \"show version\"",
      "set cli directory /tmp",
      "set cli prompt \"x> \"",
      "file list detail /tmp",
      "file copy /tmp/a /tmp/b",
      "monitor interface traffic",
      "monitor traffic interface eth0 count 5 matching \"port 179\"",
      "start shell",
      "help topic interfaces eth0 unit 0",
      "help apropos mtu",
      "help reference show route",
      "show version | match x | except y | last 5",
      "show version | refresh 5",
      "show version | request message all",
      "show version | save /tmp/x",
      "show version | display table",
      "show cli history 5",
      "ssh 192.0.2.1 user bob port 22",
  };
  constexpr std::array kConfiguration = {
      "up 2",
      "up 2 show",
      "up",
      "top edit interfaces eth0",
      "exit configuration-mode",
      "commit confirmed 5",
      "commit confirmed 5 comment \"x\" and-quit",
      "commit check",
      "commit at \"23:59\"",
      "commit comment \"x\"",
      "commit label monday",
      "commit confirmed cancel",
      "commit confirmed 5 verify \"ping 192.0.2.1\"",
      "rollback 0",
      "rollback rescue",
      "load merge terminal relative",
      "load override /tmp/x",
      "load set terminal",
      "save terminal",
      "set interfaces eth0 unit 0 family inet address 192.0.2.1/24",
      "set interfaces eth0 mtu 1500 description x",
      "delete interfaces eth0 description",
      "rename interfaces eth0 to eth1",
      "copy interfaces eth0 to eth1",
      "deactivate interfaces eth0",
      "annotate interfaces \"ticket 42\"",
      "protect interfaces eth0",
      "replace pattern eth with wan upto 3",
      "wildcard delete interfaces \"eth[0-3]\"",
      "wildcard range set interfaces eth[0-3] mtu 1500",
      "run show interfaces terse",
      "show | compare rollback 0",
      "show interfaces eth0 | display inheritance no-comments",
      "show | display set relative",
      "status",
      "help apropos mtu",
      "edit interfaces eth0 unit 0",
  };
  const auto check = [this](std::string_view line) {
    for (std::size_t at = 1; at <= line.size(); ++at) {
      const bool in_quotes = std::ranges::count(line.substr(0, at), '"') % 2 == 1;
      if ((at == line.size() || line[at] == ' ') && !in_quotes) {
        const auto before = line.substr(0, at);
        EXPECT_EQ(problem(before), "none") << before;
      }
    }
  };
  std::ranges::for_each(kOperational, check);
  setup({"configure", "set interfaces eth0 unit 0", "set interfaces eth0 description x"});
  std::ranges::for_each(kConfiguration, check);
}

TEST_F(CompletionTest, Rename_and_copy_offer_the_word_between_and_the_list_again) {
  setup({"configure", "set interfaces eth0 unit 0"});
  EXPECT_THAT(words("rename interfaces eth0 "), Contains("to"));
  EXPECT_EQ(problem("rename interfaces eth0 t"), "none");
  EXPECT_THAT(words("rename interfaces eth0 unit 0 to "), Contains("unit"));
}

TEST_F(CompletionTest, Settings_of_the_session_are_offered_and_reported) {
  EXPECT_THAT(words("set "), ElementsAre("cli"));
  EXPECT_THAT(words("set cli "), Contains("screen-length"));
  EXPECT_THAT(words("set cli complete-on-space "), ElementsAre("off", "on"));
  EXPECT_EQ(run("set cli complete-on-space off").settings["complete-on-space"], false);
  EXPECT_EQ(run("set cli screen-length 0").settings["screen-length"], 0);
  EXPECT_TRUE(run("set cli screen-length many").refused);
}

class NamesTest : public CompletionTest {
 protected:
  // `count` entries below one list, as a script of set lines would make them.
  void fill(std::size_t count) {
    setup({"configure"});
    std::string text;
    for (std::size_t at = 0; at < count; ++at) {
      text += "set routing-options static route 10." + std::to_string(at / 65536) + "." +
              std::to_string(at / 256 % 256) + "." + std::to_string(at % 256) + "/32 discard\n";
    }
    const auto outcome = services.candidate.edit([&](tree::Editor& editor) -> base::Result<void> {
      const auto report = tree::load(editor, {}, std::move(text), tree::LoadAction::Set);
      EXPECT_TRUE(report.errors.empty()) << report.to_string("test");
      return {};
    });
    ASSERT_TRUE(outcome);
  }
};

TEST_F(NamesTest, A_long_list_is_cut_and_says_so) {
  fill(2000);
  const auto all = at("set routing-options static route ");
  EXPECT_TRUE(all.more);
  EXPECT_EQ(std::ranges::count(all.offers, OfferKind::Name, &Offer::kind),
            static_cast<std::ptrdiff_t>(kMostNames));
}

// Against the plain answer: every name, filtered.
TEST_F(NamesTest, Every_name_with_the_prefix_is_found_in_natural_order) {
  fill(700);
  const auto tree = services.candidate.snapshot();
  const tree::Node* list = tree.root().child("routing-options")->child("static")->child("route");
  ASSERT_NE(list, nullptr);
  for (const std::string_view prefix :
       {"1", "10", "10.", "10.0", "10.0.1", "10.0.0.2", "10.0.2.", "10.0.2.18", "10.0.0.25/",
        "10.0.0.0", "11", "9", "x", "10.0.0.200/32"}) {
    std::vector<std::string> want;
    list->children().for_each([&](const tree::NodePtr& node) {
      if (node->name().starts_with(prefix)) {
        want.emplace_back(node->name());
      }
      return true;
    });
    std::vector<std::string> found;
    for (auto& offer : names_of(*list, prefix, '>', 10'000)) {
      found.push_back(offer.text);
    }
    std::ranges::sort(want);
    std::ranges::sort(found);
    EXPECT_EQ(found, want) << prefix;
  }
}

}  // namespace
}  // namespace millrace::server
