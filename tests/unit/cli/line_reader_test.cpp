// SPDX-License-Identifier: GPL-2.0-or-later
//
// The line reader on a real terminal: a child reads lines on the slave of a pseudo-terminal, with a
// grammar of a few words in the place of configd; the test is the person in front of the master.
#include "cli/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/pseudo_terminal.h"

namespace millrace::cli {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

// What the terminal is told when keys are read one by one.
constexpr std::string_view kPasteOn = "\x1b[?2004h";

std::optional<Answer> few_words(const std::string& before) {
  Answer answer;
  answer.start = before.rfind(' ') + 1;
  const std::string word = before.substr(answer.start);
  const bool first = answer.start == 0;
  for (const char* name : {"show", "shell", "quit"}) {
    if (first && std::string_view(name).starts_with(word)) {
      answer.choices.push_back({ChoiceKind::Keyword, name, "Help"});
    }
  }
  if (!first && std::string_view("to-core").starts_with(word)) {
    answer.choices.push_back({ChoiceKind::Name, "to-core", "To the core"});
  }
  if (answer.choices.empty() && first) {
    answer.problem = Problem{0, "unknown command."};
  }
  return answer;
}

[[noreturn]] void read_lines() {
  {
    Terminal terminal;
    LineReader reader(terminal, {few_words, [] { return true; }, -1});
    History history;
    std::string line;
    for (;;) {
      switch (reader.read("[edit]", "r1# ", history, line)) {
        case LineReader::Result::Line:
          reader.show("<" + line + ">\n");
          if (line == "ask") {
            reader.show("answer " + reader.read_answer("Sure? ").value_or("none") + "\n");
          } else if (line == "read") {
            reader.show("block {" + reader.read_block().value_or("none") + "}\n");
          } else if (line == "long") {
            std::string text;
            for (int at = 1; at <= 100; ++at) {
              text += "row " + std::to_string(at) + ".\n";
            }
            reader.show(text);
          } else if (line == "refuse") {
            reader.restore(line);
          } else if (line == "crash") {
            abort();
          }
          break;
        case LineReader::Result::Interrupted:
          terminal.write("interrupted\n");
          break;
        default:
          terminal.set(Terminal::Mode::Found);
          _exit(0);
      }
    }
  }
}

class LineReaderTest : public testing::Test {
 protected:
  explicit LineReaderTest(const char* term = "xterm-256color", unsigned short columns = 80) {
    screen_.start(term, {24, columns, 0, 0}, read_lines);
    see("r1# ");
  }

  void type(std::string_view bytes) { screen_.type(bytes); }
  std::string see(std::string_view text) { return screen_.see(text); }
  tcflag_t modes() const { return screen_.modes().c_lflag & (ICANON | ECHO | ISIG); }

  test::PseudoTerminal screen_;
};

struct PlainTerminal : LineReaderTest {
  PlainTerminal() : LineReaderTest("vt100") {}
};

struct NarrowTerminal : LineReaderTest {
  NarrowTerminal() : LineReaderTest("xterm", 30) {}
};

TEST_F(PlainTerminal, echoes_what_is_typed_and_nothing_else) {
  type("quit\r");
  EXPECT_EQ(see("r1# "), "quit\r\n<quit>\r\n[edit]\r\nr1# ");
}

TEST_F(PlainTerminal, completes_on_space_by_writing_the_rest_of_the_word) {
  type("q ");
  EXPECT_EQ(see("quit "), "quit ");
}

TEST_F(LineReaderTest, says_what_is_ambiguous_under_a_caret_and_brings_the_line_back) {
  type("sh ");
  see("sh\r\n");
  EXPECT_EQ(see("r1# sh"),
            "      ^\r\n"
            "'sh' is ambiguous.\r\n"
            "Possible completions:\r\n"
            "  show                 Help\r\n"
            "  shell                Help\r\n"
            "[edit]\r\nr1# sh");
  type("o\r");
  see("<show>");
}

TEST_F(LineReaderTest, lists_at_a_question_mark_without_inserting_it) {
  type("qu?");
  see("qu?\r\n");
  EXPECT_EQ(see("r1# qu"),
            "Possible completions:\r\n  quit                 Help\r\n[edit]\r\nr1# qu");
  type("\r");
  see("<quit>");
}

TEST_F(LineReaderTest, refuses_an_unknown_word_before_it_runs) {
  type("xyz\r");
  EXPECT_THAT(see("r1# xyz"), EndsWith("    ^\r\nunknown command.\r\n[edit]\r\nr1# xyz"));
}

TEST_F(LineReaderTest, completes_names_on_tab_and_not_on_space) {
  type("show to \r");
  see("<show to >");
  type("show to\t\r");
  see("<show to-core >");
}

TEST_F(LineReaderTest, control_c_gives_a_new_line_and_control_d_ends) {
  type("sho\x03");
  EXPECT_THAT(see("r1# "), AllOf(HasSubstr("^C\r\n"), HasSubstr("interrupted\r\n")));
  type("\x04");
  EXPECT_TRUE(WIFEXITED(screen_.end()));
}

TEST_F(LineReaderTest, a_refused_line_comes_back) {
  type("\x1b[200~refuse\n\x1b[201~");
  see("<refuse>");
  see("r1# refuse");
}

TEST_F(LineReaderTest, takes_two_thousand_pasted_lines_each_once_and_uncompleted) {
  std::string paste = "\x1b[200~";
  for (int at = 1; at <= 2000; ++at) {
    paste += "set  x sh ?\t" + std::to_string(at) + "\r";
  }
  type(paste + "\x1b[201~");
  for (int at = 1; at <= 2000; ++at) {
    const std::string before = see("<set  x sh ? " + std::to_string(at) + ">\r\n");
    ASSERT_THAT(before, Not(HasSubstr("completions")));
  }
}

TEST_F(LineReaderTest, asks_and_reads_blocks) {
  type("\x1b[200~ask\n\x1b[201~");
  see("Sure? ");
  type("yes\r");
  see("answer yes");
  type("\x1b[200~read\nsystem {\n\thost-name r1;\n}\n\x1b[201~");
  see("}");
  type("\x04");
  see("block {system {\r\n host-name r1;\r\n}\r\n}");
  see("r1# ");
  type("\x1b[200~read\nx\n\x1b[201~");
  see("x\r\n");
  see(kPasteOn);  // from here on ^C is a key
  type("\x03");
  see("block {none}");
}

TEST_F(LineReaderTest, pages_long_output) {
  type("\x1b[200~long\n\x1b[201~");
  EXPECT_THAT(see("---(more 23%)---"), HasSubstr("row 23.\r\n"));
  type("\r");
  EXPECT_THAT(see("---(more 24%)---"), HasSubstr("row 24."));
  type("q");
  see("r1# ");
}

TEST_F(NarrowTerminal, scrolls_sideways_and_draws_again_when_the_size_changes) {
  type("\x16 0123456789012345678901234567890123456789");
  see("...");
  screen_.resize({24, 80, 0, 0});
  see("r1#  0123456789012345678901234567890123456789");
}

TEST_F(LineReaderTest, leaves_the_terminal_as_found_however_it_ends) {
  type("x");
  see("x");
  EXPECT_EQ(modes(), 0U);
  screen_.send(SIGTERM);
  EXPECT_TRUE(WIFSIGNALED(screen_.end()));
  EXPECT_EQ(modes(), unsigned{ICANON | ECHO | ISIG});
}

TEST_F(LineReaderTest, leaves_the_terminal_as_found_after_a_crash) {
  type("\x1b[200~crash\n\x1b[201~");
  EXPECT_TRUE(WIFSIGNALED(screen_.end()));
  EXPECT_EQ(modes(), unsigned{ICANON | ECHO | ISIG});
}

}  // namespace
}  // namespace millrace::cli
