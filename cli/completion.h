// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a space, Tab, Enter or `?` does, given what configd says may stand at the cursor. Pure: the
// question to configd and the answer on the terminal are line_reader.h's.
//
//   space  completes a keyword; a user-defined name must be typed, or completed by
//   Tab    which completes both
//   Enter  completes like space, and the line runs
//   ?      lists
//
// What is ambiguous or wrong is said under the line with a caret, and the line comes back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace millrace::cli {

enum class ChoiceKind : std::uint8_t {
  Keyword,
  Name,         // made by the user: an interface, a policy, a file
  Placeholder,  // "<name>": anything of its type
  File,         // the same, a file of this host
  Enter,        // the line is complete
  Pipe,         // the line is complete and may go on with `|`
};

struct Choice {
  ChoiceKind kind = ChoiceKind::Keyword;
  std::string text;
  std::string help = {};
  char marker = ' ';
};

// Where a line is wrong, and why.
struct Problem {
  std::size_t byte = 0;
  std::string message;
};

// What configd says about the line up to the cursor.
struct Answer {
  std::size_t start = 0;        // where the word before the cursor begins; the cursor after a blank
  std::vector<Choice> choices;  // in the order of listing; those the word is a prefix of
  std::optional<Problem> problem = {};
  bool more = false;  // there are more names than are listed
};

enum class Trigger : std::uint8_t { Space, Tab, Enter, Help };

struct Verdict {
  enum class Act : std::uint8_t {
    Put,   // `word` in the place of the word before the cursor
    Show,  // `said` below the line (under a caret when there is one), which stays as it is
    Run,   // `word` as for Put, and then the line runs
    Refuse
  };
  Act act = Act::Refuse;
  std::optional<std::string> word = {};   // nothing: the word stays as it is
  std::optional<std::size_t> caret = {};  // byte of the line
  std::string said = {};
};

// `line` is the text up to the cursor; `width` that of the screen, for listings.
Verdict decide(Trigger trigger, const Answer& answer, std::string_view line,
               std::size_t width = 80);

// "Possible completions:" and one line for each choice, whose help is folded between words at
// `width`. `more`: a last line says that some are missing.
std::string listing(const std::vector<Choice>& choices, bool more = false, std::size_t width = 80);

}  // namespace millrace::cli
