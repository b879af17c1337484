// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rules of login classes: POSIX extended regular expressions over whole words, "interfaces eth0
// unit 0" or "show route". They are matched for every command and statement, so their time is
// linear in the text and their memory bounded (RE2); a pattern that needs too much does not
// compile.
#pragma once

#include <memory>
#include <string_view>

#include "base/error.h"

namespace re2 {
class RE2;
}

namespace millrace::tree {

class WordPattern {
 public:
  // Errors: BadValue, "invalid pattern 'x': missing closing )".
  static base::Result<WordPattern> compile(std::string_view text);

  // Whether it matches from the first word on up to the end of a word: `show` and `show
  // (route|log)` match "show route", `sho` and `route` do not. Safe from any thread.
  bool matches(std::string_view words) const;

 private:
  explicit WordPattern(std::shared_ptr<const re2::RE2> compiled) : compiled_(std::move(compiled)) {}

  std::shared_ptr<const re2::RE2> compiled_;
};

}  // namespace millrace::tree
