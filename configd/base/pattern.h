// SPDX-License-Identifier: GPL-2.0-or-later
//
// Extended regular expressions of POSIX that users write. The library behind them recurses and
// multiplies: nested repetitions such as ((a{9}){9}){9} take memory and time without bound, and an
// earlier group that is repeated (`\1`) makes matching exponential. Such patterns are refused, so
// that a daemon may run what a user typed.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <regex.h>

namespace millrace::base {

class Pattern {
 public:
  // Errors: what is wrong with the pattern, naming it.
  static std::expected<Pattern, std::string> compile(const std::string& text);

  // Whether it matches anywhere in `text`.
  bool matches(std::string_view text) const;
  // `text` with every match replaced; `\0` to `\9` in `replacement` stand for the match and its
  // groups, `\\` for a backslash. Nothing when there is no match.
  std::optional<std::string> replace(std::string_view text, std::string_view replacement) const;

 private:
  struct Free {
    void operator()(regex_t* expression) const {
      regfree(expression);
      delete expression;
    }
  };
  explicit Pattern(regex_t* compiled) : compiled_(compiled) {}
  std::unique_ptr<regex_t, Free> compiled_;
};

}  // namespace millrace::base
