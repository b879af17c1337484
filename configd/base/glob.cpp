// SPDX-License-Identifier: GPL-2.0-or-later
//
// Without recursion: a mismatch goes back to the last `*` only, which is enough, since a later star
// can take over whatever an earlier one could.
#include "base/glob.h"

#include <cstddef>

namespace millrace::base {
namespace {

// The length of the bracket at the start of `pattern`, 0 when it has no end.
std::size_t bracket_length(std::string_view pattern) {
  const std::size_t first = pattern.substr(1).starts_with('!') ? 2 : 1;
  // A `]` right after the opening is one of the characters.
  const std::size_t end = pattern.find(']', first + 1);
  return end == std::string_view::npos ? 0 : end + 1;
}

bool bracket_holds(std::string_view bracket, char c) {
  std::string_view set = bracket.substr(1, bracket.size() - 2);
  const bool wanted = !set.starts_with('!');
  set.remove_prefix(wanted ? 0 : 1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      found = found || (set[i] <= c && c <= set[i + 2]);
      i += 2;
    } else {
      found = found || set[i] == c;
    }
  }
  return found == wanted;
}

}  // namespace

bool is_glob(std::string_view pattern) {
  const bool is_empty = pattern.empty();
  while (!pattern.empty()) {
    std::size_t length = 1;
    if (pattern.front() == '[') {
      length = bracket_length(pattern);
      if (length == 0) {
        return false;
      }
    }
    pattern.remove_prefix(length);
  }
  return !is_empty;
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
      continue;
    }
    std::size_t length = 0;
    if (p < pattern.size()) {
      if (pattern[p] == '[') {
        const std::size_t whole = bracket_length(pattern.substr(p));
        length = bracket_holds(pattern.substr(p, whole), text[t]) ? whole : 0;
      } else {
        length = pattern[p] == '?' || pattern[p] == text[t] ? 1 : 0;
      }
    }
    if (length > 0) {
      p += length;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace millrace::base
