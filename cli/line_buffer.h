// SPDX-License-Identifier: GPL-2.0-or-later
//
// One line being edited: text, cursor and the kill buffer, with the motions and kills of Emacs. The
// cursor always stands between glyphs. All operations are O(length of the line).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::cli {

class LineBuffer {
 public:
  const std::string& text() const { return text_; }
  std::size_t cursor() const { return cursor_; }
  bool at_end() const { return cursor_ == text_.size(); }
  std::string_view before_cursor() const { return std::string_view(text_).substr(0, cursor_); }

  void set(std::string text);  // the cursor goes to the end
  void set(std::string text, std::size_t cursor);
  void insert(std::string_view text);
  // Puts `text` in the place of the bytes from `start` to the cursor.
  void replace_before_cursor(std::size_t start, std::string_view text);

  void left();
  void right();
  void word_left();
  void word_right();
  void home() { cursor_ = 0; }
  void end() { cursor_ = text_.size(); }

  void erase_left();
  void erase_right();
  void transpose();

  // Kills one after the other, without another key between them, collect in the kill buffer.
  void kill_to_end();
  void kill_all();
  void kill_word_left();  // up to a blank: ^W
  void kill_part_left();  // up to punctuation: M-Backspace
  void kill_word_right();
  void yank() { insert(killed_); }
  void end_kills() { collecting_ = false; }

 private:
  void kill(std::size_t start, std::size_t end, bool forward);
  std::size_t word_start() const;
  std::size_t word_end() const;

  std::string text_;
  std::size_t cursor_ = 0;
  std::string killed_;
  bool collecting_ = false;
};

}  // namespace millrace::cli
