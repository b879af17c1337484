// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rules that people see, on terminals of several sizes: prompts and banners, completion and
// carets, questions, paging, pastes, live screens. The real cli, the real configd.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <fstream>

#include "support/pseudo_terminal.h"
#include "unit/server/end_to_end.h"

namespace millrace {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

class TerminalRules : public EndToEnd {
 protected:
  void open(test::PseudoTerminal& terminal, unsigned short rows, unsigned short columns,
            const char* kind = "vt100") {
    const std::string program = kBuild / "cli/cli";
    const std::string path = socket();
    terminal.start(kind, {.ws_row = rows, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0}, [&] {
      execl(program.c_str(), program.c_str(), "--socket", path.c_str(), nullptr);
    });
    terminal.see("> ");
  }

  // The columns before the caret under what was typed last.
  static std::size_t caret(const std::string& said) {
    const auto at = said.find("^\r\n");
    EXPECT_NE(at, std::string::npos) << said;
    return at - (said.rfind('\n', at) + 1);
  }

  static constexpr std::array<std::pair<unsigned short, unsigned short>, 3> kSizes = {
      {{24, 80}, {43, 132}, {10, 40}}};
};

TEST_F(TerminalRules, Words_complete_and_errors_stand_under_their_place_in_every_size) {
  for (const auto& [rows, columns] : kSizes) {
    SCOPED_TRACE(columns);
    test::PseudoTerminal terminal;
    open(terminal, rows, columns);
    terminal.type("sh int te\n");
    EXPECT_THAT(terminal.see("Proto"), HasSubstr("show interfaces terse"));
    terminal.see("> ");
    terminal.type("frob\n");
    const std::string unknown = terminal.see("unknown command.");
    const std::size_t prompt = caret(unknown);
    EXPECT_GT(prompt, 2U) << "below the first character of the word, right of the prompt";
    terminal.see("> frob");
    terminal.type("\x15sh ver x ");
    EXPECT_EQ(caret(terminal.see("syntax error")), prompt + 13) << "show version x";
    terminal.see("> ");
    terminal.type("\x15start ");
    terminal.type("?");
    EXPECT_THAT(terminal.see("> start "), HasSubstr("Possible completions:\r\n  shell"));
    terminal.type("\x15s ");
    const std::string ambiguous = terminal.see("'s' is ambiguous.");
    EXPECT_EQ(caret(ambiguous), prompt + 1) << "one column past the word";
    EXPECT_THAT(terminal.see("> s"), HasSubstr("Possible completions:\r\n  set  "));
    terminal.type(
        "\x15"
        "exit\n");
    terminal.end();
  }
}

TEST_F(TerminalRules, The_banner_stands_above_every_prompt_and_a_list_is_followed_by_it_at_once) {
  test::PseudoTerminal terminal;
  open(terminal, 24, 80);
  terminal.type("configure\n");
  EXPECT_THAT(terminal.see("# "), HasSubstr("Entering configuration mode\r\n\r\n[edit]\r\n"));
  terminal.type("edit system\n");
  EXPECT_THAT(terminal.see("# "), HasSubstr("edit system\r\n\r\n[edit system]\r\n"));
  terminal.type("set ?");
  EXPECT_THAT(terminal.see("# set "),
              ContainsRegex("host-name [^\n]*\r\n(.*\r\n)?\\[edit system\\]"));
  terminal.type("host-name rules\n");
  terminal.see("# ");
  terminal.type("exit configuration-mode\n");
  EXPECT_THAT(terminal.see("[yes,no] (yes) "),
              HasSubstr("The configuration has been changed but not committed\r\n"
                        "Exit with uncommitted changes? "));
  terminal.type("no\n");
  terminal.see("[edit system]");
  terminal.see("# ");
  terminal.type("rollback\n");
  EXPECT_THAT(terminal.see("# "), HasSubstr("load complete\r\n"));
  terminal.type("exit configuration-mode\n");
  EXPECT_THAT(terminal.see("> "), HasSubstr("Exiting configuration mode\r\n\r\n"));
}

TEST_F(TerminalRules, Long_output_stops_at_the_last_row_of_every_size) {
  for (const auto& [rows, columns] : kSizes) {
    SCOPED_TRACE(columns);
    test::PseudoTerminal terminal;
    open(terminal, rows, columns);
    terminal.type("help\n");
    terminal.see("\r\n");
    const std::string page = terminal.see("---(more ");
    EXPECT_EQ(std::ranges::count(page, '\n'), rows - 1);
    terminal.see("%)---");
    terminal.type("m^  show\n");  // live match, then everything again, then out
    EXPECT_THAT(terminal.see("---("), Not(HasSubstr("  clear")));
    terminal.type("c");
    terminal.see("---(");
    terminal.type("q");
    terminal.see("> ");
    terminal.type("help | no-more\n");
    EXPECT_THAT(terminal.see("traceroute"), Not(HasSubstr("---(more")));
    terminal.type("exit\n");
    terminal.end();
  }
}

TEST_F(TerminalRules, Two_thousand_pasted_lines_run_without_side_effects) {
  std::string paste = "\x1b[200~";
  for (int at = 0; at < 2000; ++at) {
    paste += "set routing-options static route 10." + std::to_string(at / 250) + "." +
             std::to_string(at % 250) + ".0/24 discard\n";
  }
  test::PseudoTerminal terminal;
  open(terminal, 24, 80, "xterm");
  terminal.type("configure\n");
  terminal.see("# ");
  const auto began = std::chrono::steady_clock::now();
  terminal.type(paste + "\x1b[201~");
  terminal.type("show routing-options | display set | count\n");
  const std::string said = terminal.see("Count: 2000 lines");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  EXPECT_THAT(said, Not(HasSubstr("error")));
  // The promise is for a quiet machine and an optimised build; this is to catch what is ten times
  // slower.
  EXPECT_LT(took.count(), 20.0);
  RecordProperty("seconds", std::to_string(took.count()));
}

TEST_F(TerminalRules, A_live_screen_leaves_the_terminal_as_it_was) {
  test::PseudoTerminal terminal;
  open(terminal, 24, 80, "xterm");
  terminal.type("monitor interface traffic\n");
  terminal.see("Interface");
  terminal.see("Quit=q or ESC");
  terminal.type("b");
  terminal.see("Input byte");  // curses writes what differs, and the last letter does not
  terminal.type("q");
  terminal.see("> ");
  terminal.type("monitor interface eth0\n");
  terminal.see("Traffic statistics:");
  terminal.type("\x03");
  terminal.see("> ");
  terminal.type("show version | refresh 60\n");
  terminal.see("---(refreshed at ");
  terminal.see("Hostname: ");
  terminal.type("x");
  terminal.see("> ");
  terminal.type("show cli\n");
  EXPECT_THAT(terminal.see("CLI working directory"), HasSubstr("CLI terminal is 'xterm'"));
}

TEST_F(TerminalRules, Files_of_the_user_complete_by_tab) {
  std::filesystem::create_directories(folder_ / "files/deep");
  std::ofstream(folder_ / "files/deep/only.conf") << "system { host-name from-file; }\n";
  test::PseudoTerminal terminal;
  open(terminal, 24, 200);
  terminal.type("configure\n");
  terminal.see("# ");
  terminal.type("load merge " + (folder_ / "files").string() + "/d\t");
  terminal.see("/files/deep/");
  terminal.type("o\t\n");
  EXPECT_THAT(terminal.see("load complete"), HasSubstr("only.conf"));
  terminal.see("# ");
  terminal.type("show | compare\n");
  terminal.see("host-name from-file;");
}

TEST_F(TerminalRules, Colours_are_for_terminals_that_have_them_and_can_be_turned_off) {
  test::PseudoTerminal terminal;
  open(terminal, 24, 80, "xterm");
  terminal.type("configure\n");
  terminal.see("# ");
  terminal.type("set system host-name painted\n");
  terminal.see("# ");
  terminal.type("show | compare\n");
  terminal.see("\x1b[32m+      host-name painted;\x1b[0m");
  terminal.type("run set cli color off\n");
  terminal.see("Disabling color");
  terminal.see("# ");
  terminal.type("show | compare\n");
  terminal.see("\r\n+      host-name painted;\r\n");
}

}  // namespace
}  // namespace millrace
