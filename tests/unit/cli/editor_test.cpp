// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/editor.h"

#include <gtest/gtest.h>

#include <span>

namespace millrace::cli {
namespace {

class EditorTest : public testing::Test {
 protected:
  EditorTest() { editor_.begin("r1> ", &history_); }

  // The last action of these bytes.
  Action type(std::string_view bytes) {
    decoder_.feed(bytes);
    Action last = Action::None;
    while (const auto key = decoder_.next()) {
      last = editor_.handle(*key);
    }
    return last;
  }
  std::string text() const { return editor_.line().text(); }

  void next_line() { editor_.begin("r1> ", &history_); }
  void remember(std::initializer_list<std::string_view> lines) {
    for (const auto line : lines) {
      history_.add(line, 0);
    }
    next_line();
  }

  History history_;
  Editor editor_;
  KeyDecoder decoder_;
};

TEST_F(EditorTest, types_and_submits_a_line) {
  EXPECT_EQ(type("quit"), Action::Redraw);
  EXPECT_EQ(type("\r"), Action::Enter);
  EXPECT_EQ(editor_.submit(7), "quit");
  EXPECT_EQ(text(), "");
  EXPECT_EQ(history_.at(0).text, "quit");
  EXPECT_EQ(history_.at(0).time, 7);
}

TEST_F(EditorTest, asks_for_completion_after_a_word_only) {
  EXPECT_EQ(type("sh"), Action::Redraw);
  EXPECT_EQ(type(" "), Action::CompleteSpace);
  editor_.complete(0, "show ");
  EXPECT_EQ(text(), "show ");
  EXPECT_EQ(type(" "), Action::Redraw);
  EXPECT_EQ(type("\t"), Action::CompleteTab);
  EXPECT_EQ(type("?"), Action::Help);
}

TEST_F(EditorTest, does_not_complete_on_space_when_that_is_off) {
  editor_.set_complete_on_space(false);
  type("sh");
  EXPECT_EQ(type(" "), Action::Redraw);
  EXPECT_EQ(text(), "sh ");
  EXPECT_EQ(type("in\t"), Action::CompleteTab);
}

TEST_F(EditorTest, takes_blanks_and_question_marks_in_quotes_as_text) {
  type("annotate\x16 system\x16 \x16?\"who? \\\" me?");
  EXPECT_EQ(type(" "), Action::Redraw);
  EXPECT_EQ(type("\""), Action::Redraw);
  EXPECT_EQ(text(), "annotate system ?\"who? \\\" me? \"");
  EXPECT_EQ(type("?"), Action::Help);
}

TEST_F(EditorTest, inserts_the_next_key_after_control_v) {
  type("\x16\x01\x16?");
  EXPECT_EQ(text(), "\x01?");
}

TEST_F(EditorTest, has_the_keys_of_emacs) {
  type("abc\x16 def");
  type("\x01x\x05y\x02\x02z");
  EXPECT_EQ(text(), "xabc dezfy");
  type(
      "\x1b"
      "b\x0b");
  EXPECT_EQ(text(), "xabc ");
  type("\x19\x15");
  EXPECT_EQ(text(), "");
  type("\x19");
  EXPECT_EQ(text(), "xabc dezfy");
  type("\x14\x7f\x01\x04");
  EXPECT_EQ(text(), "abc dezy");
}

TEST_F(EditorTest, walks_the_history_and_comes_back_to_the_written_line) {
  remember({"one", "two"});
  type("new");
  type("\x10");
  EXPECT_EQ(text(), "two");
  type("\x1b[A");
  EXPECT_EQ(text(), "one");
  EXPECT_EQ(type("\x10"), Action::Refuse);
  type("\x0e\x0e");
  EXPECT_EQ(text(), "new");
  EXPECT_EQ(type("\x0e"), Action::Refuse);
}

TEST_F(EditorTest, searches_the_history_backwards) {
  remember({"show route table inet.0", "ping 192.0.2.1", "show route"});
  type("\x12ro");
  EXPECT_EQ(editor_.picture().prompt, "(history search) 'ro': ");
  EXPECT_EQ(text(), "show route");
  type("\x12");
  EXPECT_EQ(text(), "show route table inet.0");
  EXPECT_EQ(type("\x12"), Action::Refuse);
  EXPECT_EQ(type("\r"), Action::Enter);
  EXPECT_EQ(editor_.submit(0), "show route table inet.0");
}

TEST_F(EditorTest, says_when_a_search_finds_nothing_and_goes_back_on_control_g) {
  remember({"show route"});
  type("abc\x12");
  EXPECT_EQ(type("xyz"), Action::Refuse);
  EXPECT_EQ(editor_.picture().prompt, "(no such line) 'xyz': ");
  type("\x07");
  EXPECT_EQ(text(), "abc");
  EXPECT_EQ(editor_.picture().prompt, "r1> ");
}

TEST_F(EditorTest, another_key_ends_the_search_and_edits_the_line_found) {
  remember({"show route", "exit"});
  type(
      "\x12ro\x05"
      "x");
  EXPECT_EQ(text(), "show routex");
  type("\x0e");
  EXPECT_EQ(text(), "exit");
}

TEST_F(EditorTest, suggests_from_history_without_putting_it_into_the_line) {
  editor_.set_ghost(true);
  remember({"show route table inet.0"});
  type("show");
  EXPECT_EQ(editor_.picture().ghost, " route table inet.0");
  EXPECT_EQ(text(), "show");
  type(
      "\x1b"
      "f");
  EXPECT_EQ(text(), "show route");
  type("\x06");
  EXPECT_EQ(text(), "show route table inet.0");
  type("\x02");
  EXPECT_EQ(editor_.picture().ghost, "");
}

TEST_F(EditorTest, cycles_through_words_of_the_history) {
  remember({"ping router1", "ping router2"});
  type("ssh\x16 ro\x1b/");
  EXPECT_EQ(text(), "ssh router2");
  type("\x1b/");
  EXPECT_EQ(text(), "ssh router1");
  type("\x1b/");
  EXPECT_EQ(text(), "ssh router2");
  EXPECT_EQ(type("x\x1b/"), Action::Refuse);
}

TEST_F(EditorTest, a_paste_neither_completes_nor_asks_nor_runs_the_keys_in_it) {
  EXPECT_EQ(type("\x1b[200~sh in ?\tx\x03\x01y\x1b[201~"), Action::Redraw);
  EXPECT_EQ(text(), "sh in ? xy");
}

TEST_F(EditorTest, a_paste_of_several_lines_submits_one_after_the_other) {
  type("set\x16 ");
  EXPECT_EQ(type("\x1b[200~a 1\rset b 2\r\n\nset c\x1b[201~"), Action::Submit);
  EXPECT_EQ(editor_.submit(0), "set a 1");
  EXPECT_TRUE(editor_.has_pasted());
  EXPECT_EQ(editor_.begin("r1# ", &history_), Action::Submit);
  EXPECT_EQ(editor_.submit(0), "set b 2");
  EXPECT_EQ(editor_.begin("r1# ", &history_), Action::Submit);
  EXPECT_EQ(editor_.submit(0), "");
  EXPECT_EQ(editor_.begin("r1# ", &history_), Action::Redraw);
  EXPECT_EQ(text(), "set c");
  EXPECT_FALSE(editor_.has_pasted());
}

TEST_F(EditorTest, pasted_lines_may_be_taken_together_and_come_back_in_order) {
  EXPECT_EQ(type("\x1b[200~one\rtwo\rthree\rfour\rrest\x1b[201~"), Action::Submit);
  EXPECT_EQ(editor_.submit(0), "one");
  const auto taken = editor_.take_pasted(2);
  EXPECT_EQ(taken, (std::vector<std::string>{"two", "three"}));
  editor_.put_back_pasted(std::span(taken).subspan(1));
  EXPECT_EQ(editor_.take_pasted(9), (std::vector<std::string>{"three", "four"}));
  EXPECT_FALSE(editor_.has_pasted());
  EXPECT_EQ(editor_.begin("> ", &history_), Action::Redraw);
  EXPECT_EQ(editor_.line().text(), "rest") << "what has no newline is still being typed";
}

TEST_F(EditorTest, control_c_drops_the_line_and_the_rest_of_a_paste) {
  type("\x1b[200~a\nb\nc\x1b[201~");
  editor_.submit(0);
  next_line();
  EXPECT_EQ(type("\x03"), Action::Interrupt);
  EXPECT_EQ(text(), "");
  EXPECT_FALSE(editor_.has_pasted());
}

TEST_F(EditorTest, control_d_ends_the_input_on_an_empty_line_only) {
  type("a\x01");
  EXPECT_EQ(type("\x04"), Action::Redraw);
  EXPECT_EQ(type("\x04"), Action::EndOfInput);
}

TEST_F(EditorTest, input_that_is_no_command_has_no_completion_and_no_history) {
  remember({"secret"});
  editor_.begin("", nullptr, false);
  type("no? really\t");
  EXPECT_EQ(type("\x10"), Action::Refuse);
  EXPECT_EQ(type("\r"), Action::Submit);
  EXPECT_EQ(editor_.submit(0), "no? really ");
  EXPECT_EQ(history_.size(), 1U);
}

}  // namespace
}  // namespace millrace::cli
