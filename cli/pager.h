// SPDX-License-Identifier: GPL-2.0-or-later
//
// The pager without a terminal: text and keys go in, what to write next comes out. Going forward
// appends rows below what is there, as on paper, so that the output stays in the scroll-back of the
// terminal; going back clears the screen and shows a page again.
//
// `m` and `e` act on the whole text at once, and several of them together; while any is in force,
// and after `H`, the pager stays at the end instead of leaving by itself.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/key.h"

namespace millrace::cli {

struct ScreenSize {
  std::size_t rows = 24;
  std::size_t columns = 80;
};

struct Page {
  bool clear = false;             // start on an empty screen
  std::vector<std::string> rows;  // to append; no row is wider than the screen
  bool finished = false;
  bool refused = false;  // the key does nothing here
  // The file for all of the text; the caller writes it and calls note().
  std::optional<std::string> save;
};

class Pager {
 public:
  Pager(std::string_view text, ScreenSize size, bool hold = false);

  // More rows than the screen has; otherwise there is no need for a pager.
  static bool needed(std::string_view text, ScreenSize size);

  Page start();
  Page handle(const Key& key);
  Page resize(ScreenSize size);

  // What stands in the last row: "---(more 40%)---", "---(END)---", a pattern being typed.
  std::string prompt() const;
  void note(std::string text) { note_ = std::move(text); }  // in the prompt, until the next key
  std::size_t line_count() const { return lines_.size(); }

 private:
  struct Pattern;
  struct Filter {
    std::shared_ptr<const Pattern> pattern;
    bool keep = true;  // false: `e`
  };
  struct Row {
    std::size_t line = 0;
    std::string text;
  };

  std::size_t page() const { return size_.rows > 1 ? size_.rows - 1 : 1; }
  void lay_out();
  bool passes(const std::string& line) const;
  Page forward(std::size_t count);
  Page back(std::size_t count);
  Page at(std::size_t top);
  Page show_help();
  Page command(char32_t letter);
  Page entry(const Key& key);
  Page run_entry();
  Page search(bool backwards);
  Page refilter();
  bool may_leave() const { return !hold_ && filters_.empty(); }

  std::vector<std::string> lines_;
  ScreenSize size_;
  bool hold_ = false;
  std::vector<Row> rows_;  // of the lines that pass
  std::size_t top_ = 0;    // first row on the screen
  std::size_t next_ = 0;   // first row not shown yet
  std::vector<Filter> filters_;
  std::shared_ptr<const Pattern> searched_;
  bool search_backwards_ = false;
  char32_t entering_ = 0;  // '/', '?', 'm', 'e', 's': the text below is being typed for it
  std::string entry_;
  std::string note_;
  bool helping_ = false;
};

}  // namespace millrace::cli
