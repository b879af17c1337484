// SPDX-License-Identifier: GPL-2.0-or-later
//
// The line editor without a terminal: keys go in, an Action says what the caller has to do, and
// picture() is what stands on the screen. It neither reads nor writes nor asks anybody; completion
// is the caller's, who knows the daemon (line_reader.h), and comes back through complete().
//
// Pasted text never completes and never asks for help: its blanks, tabs and question marks are
// text, and each newline submits a line. What follows the first newline waits in the editor until
// the caller has dealt with the line and asks for the next one by begin().
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/history.h"
#include "cli/key.h"
#include "cli/line_buffer.h"

namespace millrace::cli {

enum class Action : std::uint8_t {
  None,    // nothing to do
  Redraw,  // the picture changed
  Refuse,  // the key does nothing here
  CompleteSpace,
  CompleteTab,
  Enter,  // complete, then submit()
  Help,
  Submit,      // submit() as it is: a pasted line
  Interrupt,   // ^C: the line is gone
  EndOfInput,  // ^D on an empty line
  ClearScreen,
};

struct Picture {
  std::string prompt;
  std::string text;
  std::size_t cursor = 0;  // byte of text
  std::string ghost;       // suggested continuation, not part of the line
};

class Editor {
 public:
  // Starts a line. Submit when a pasted line is already there, else Redraw. `history` may be null;
  // it and the keys' meaning of completion are off for input that is no command.
  Action begin(std::string prompt, History* history, bool completes = true);
  Action handle(const Key& key);

  // The line, which also goes to the history; the editor is empty afterwards.
  std::string submit(std::int64_t now);
  // The end of completion: `word` in the place of the bytes from `start` to the cursor.
  void complete(std::size_t start, std::string_view word);
  // The line comes back for correction; not while pasted lines wait.
  void restore(std::string text) { line_.set(std::move(text)); }
  void set_complete_on_space(bool on) { complete_on_space_ = on; }
  void set_ghost(bool on) { ghost_ = on; }

  const LineBuffer& line() const { return line_; }
  Picture picture() const;
  // Lines of a paste wait for begin().
  bool has_pasted() const { return pasted_.find('\n', pasted_at_) != std::string::npos; }
  void drop_pasted();
  // The next pasted lines that are whole, at most `most`, for a caller that runs many at once;
  // those it could not run go back to the front.
  std::vector<std::string> take_pasted(std::size_t most);
  void put_back_pasted(std::span<const std::string> lines);

 private:
  Action character(char32_t point);
  Action control(char32_t letter);
  Action meta(char32_t point);
  Action search_key(const Key& key);
  Action motion(KeyCode code);
  Action move_right(bool whole);
  Action recall(bool older);
  Action cycle_word();
  Action paste(std::string_view text);
  Action take_pasted();
  void search_again(std::size_t before);
  std::string_view suggestion() const;
  bool in_text() const;

  std::string prompt_;
  LineBuffer line_;
  History* history_ = nullptr;
  bool completes_ = true;
  bool complete_on_space_ = true;
  bool ghost_ = false;
  bool literal_ = false;  // after ^V

  std::size_t recalled_ = 0;  // index into the history; its size is the line being written
  std::string written_;       // that line, while another one is shown

  bool searching_ = false;
  std::string searched_;
  std::optional<std::size_t> hit_;
  std::string before_search_;

  std::size_t cycle_ = 0;  // of M-/
  std::size_t cycle_start_ = 0;
  std::string cycle_prefix_;
  bool cycling_ = false;

  std::string pasted_;
  std::size_t pasted_at_ = 0;
};

}  // namespace millrace::cli
