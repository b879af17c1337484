// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace millrace::cli {

struct Line {
  std::string text;
  std::size_t number = 0;  // from 1; 0 for commands of the command line
};

// Where lines come from: a descriptor, or the commands of `-c`. Reads as much as there is and hands
// it out by line, so that a script of thousands of lines becomes a few requests.
class Input {
 public:
  explicit Input(int descriptor) : descriptor_(descriptor) {}
  explicit Input(std::vector<std::string> commands);

  enum class Wait : unsigned char { Line, End, Interrupted, Other };
  // Waits until there is a line, the input ends, a signal arrives or `other` (a descriptor, or -1)
  // is readable.
  Wait wait(int other = -1);
  // The next line that is already here.
  std::optional<Line> take();
  // Everything up to the end, or to a ^D in a script; the rest of the script follows after that.
  // Nothing when a signal interrupted it.
  std::optional<std::string> take_all();
  void put_back(Line line) { ready_.push_front(std::move(line)); }
  bool has_line() const { return !ready_.empty(); }

 private:
  bool read_some();  // false at the end and on a signal (see interrupted_)
  void split();

  int descriptor_ = -1;
  std::string partial_;
  std::deque<Line> ready_;
  std::size_t count_ = 0;
  bool ended_ = false;
  bool interrupted_ = false;
};

}  // namespace millrace::cli
