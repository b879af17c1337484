// SPDX-License-Identifier: GPL-2.0-or-later
//
// The editor on a terminal: keys to actions, pictures to the screen, and completion through whoever
// asks configd. Everything that can be decided without a terminal is decided in editor.h, view.h,
// completion.h and pager.h.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "cli/completion.h"
#include "cli/editor.h"
#include "cli/key.h"
#include "cli/terminal.h"
#include "cli/view.h"

namespace millrace::cli {

class LineReader {
 public:
  struct Host {
    // What may stand at the end of `before`; nothing when configd is gone.
    std::function<std::optional<Answer>(const std::string& before)> complete;
    // Something of `other` is readable; what it prints appears above the line. False: give up.
    std::function<bool()> other;
    int descriptor = -1;
    // Writes what the pager is to save; the error is for the user.
    std::function<std::expected<void, std::string>(const std::string& file, std::string_view text)>
        save = {};
  };
  using Painter = std::string (*)(std::string_view row);
  enum class Result : std::uint8_t { Line, Interrupted, End, Lost };

  LineReader(Terminal& terminal, Host host);

  // One command line under `banner` (may be empty).
  Result read(const std::string& banner, const std::string& prompt, History& history,
              std::string& line);
  // The line just read was refused: the next read() starts with it.
  void restore(std::string line);
  // Pasted lines that have not run yet never will.
  void drop_pasted() { editor_.drop_pasted(); }
  // Many pasted lines at once (editor.h), and what one of them looks like on the screen.
  bool has_pasted() const { return editor_.has_pasted(); }
  std::vector<std::string> take_pasted(std::size_t most) { return editor_.take_pasted(most); }
  void put_back_pasted(std::span<const std::string> lines) { editor_.put_back_pasted(lines); }
  void echo(const std::string& banner, const std::string& prompt, const std::string& line);
  // The reply to a question; nothing when it was interrupted.
  std::optional<std::string> read_answer(const std::string& question);
  // The same for a password: nothing is shown, and the text goes nowhere else.
  std::optional<std::string> read_secret(const std::string& question);
  // Lines up to ^D at the start of one; nothing when it was interrupted.
  std::optional<std::string> read_block();
  // Prints, by pages when it is longer than the screen.
  void show(std::string_view text, bool pages = true, bool hold = false, Painter painter = nullptr);
  // Clears the screen and shows what fits of the text; waits for a key, true when one came.
  bool show_for(std::string_view text, int milliseconds);

  void set_complete_on_space(bool on);
  bool completes_on_space() const { return complete_on_space_; }
  // `set cli screen-length 0`
  void set_paging(bool on) { paging_ = on; }
  // The terminal has other abilities now.
  void refresh_abilities() { editor_.set_ghost(terminal_.abilities().colours); }

 private:
  Result edit(std::string& line, Action action);
  std::optional<Key> next_key(Result& why);
  std::optional<Result> act(Action action, std::string& line);
  std::optional<Result> complete(Trigger trigger, std::string& line);
  std::optional<Result> finish(std::string& line);
  void say(const Verdict& verdict, Trigger trigger);
  void paint();
  void leave_row(std::string_view more = {});
  void start_row();
  void run_pager(std::string_view text, bool hold, Painter painter);
  void put_page(const Page& page, const Pager& pager, Painter painter);

  Terminal& terminal_;
  Host host_;
  KeyDecoder keys_;
  Editor editor_;
  Row shown_;
  std::string banner_;
  bool complete_on_space_ = true;
  bool paging_ = true;
};

}  // namespace millrace::cli
