// SPDX-License-Identifier: GPL-2.0-or-later
//
// The terminal that is standard input and standard output. Three modes:
//
//   Found    as it was when we came: for programs that we run, and at the end
//   Keys     every key comes as it is typed, ^C included, and nothing is echoed
//   Working  between lines: keys wait unseen for the next line, ^C is a signal
//
// However the process ends, short of SIGKILL, the terminal is left as found: the destructor does
// it, and a handler for the signals that end a process. One object at a time; not thread-safe.
#pragma once

#include <termios.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "cli/pager.h"
#include "cli/view.h"

namespace millrace::cli {

class Terminal {
 public:
  enum class Mode : std::uint8_t { Found, Keys, Working };
  enum class Event : std::uint8_t { Bytes, End, Resized, Other, Timeout };

  // Whether standard input and output are both terminals.
  static bool present();

  Terminal();
  ~Terminal();
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  void set(Mode mode);
  Mode mode() const { return mode_; }
  ScreenSize size() const;
  // What `set cli screen-length` and `screen-width` say instead; 0 is what the terminal says.
  void override_rows(std::size_t rows) { override_.rows = rows; }
  void override_columns(std::size_t columns) { override_.columns = columns; }
  // From TERM: a terminal of an unknown kind gets no escape sequences.
  Abilities abilities() const { return abilities_; }
  // `set cli terminal` and `set cli color`.
  void set_kind(const std::string& kind);
  void set_colours(bool wanted);
  void write(std::string_view bytes);

  // Waits for keys, which go to the end of `bytes`, for a change of size, or for `other` (a
  // descriptor, or -1) to become readable; for so many milliseconds, or -1.
  Event wait(int other, std::string& bytes, int milliseconds = -1);

 private:
  termios found_{};
  Mode mode_ = Mode::Found;
  Abilities abilities_;
  std::string kind_;
  bool colours_ = true;
  bool bracketed_paste_ = false;
  ScreenSize override_{0, 0};
};

}  // namespace millrace::cli
