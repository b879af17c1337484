// SPDX-License-Identifier: GPL-2.0-or-later
//
// What may stand at the cursor of an unfinished line, for every front end: words of the language,
// names that users have made (with the users' own descriptions), placeholders, pipes, and whether
// the line could run as it is. When something before the cursor is wrong, that is said instead.
//
// Cost: what is offered, and logarithmic in everything that is configured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tree/config_tree.h"

namespace millrace::server {

class Shell;

enum class OfferKind : std::uint8_t {
  Keyword,
  Name,         // exists because a user made it, or the system has it
  Placeholder,  // "<name>"
  File,         // "<file>": the client adds the names of files that there are
  Enter,        // the line is complete
  Pipe,
};

struct Offer {
  OfferKind kind = OfferKind::Keyword;
  std::string text;
  std::string help = {};
  char marker = ' ';
};

struct Completion {
  struct Problem {
    std::size_t byte = 0;  // of the line
    std::string message;
  };
  std::size_t start = 0;      // byte where the word at the cursor begins; the end after a blank
  std::vector<Offer> offers;  // in the order of listing
  std::optional<Problem> problem = {};
  bool more = false;  // there are more names than are listed
};

// No more names than this are offered at once.
inline constexpr std::size_t kMostNames = 300;

// `line` is the text up to the cursor.
Completion complete(Shell& shell, std::string_view line);

// The children of `list` whose names start with `prefix`, at most `most` of them, each with the
// text of its `description`. Not in any order.
std::vector<Offer> names_of(const tree::Node& list, std::string_view prefix, char marker,
                            std::size_t most);

}  // namespace millrace::server
