// SPDX-License-Identifier: GPL-2.0-or-later
//
// Aliases of a session: `set cli alias live "show interfaces $1 terse | match up"`. An alias is
// text that takes the place of its name before the line is understood, so it can do nothing that
// its user could not have typed. `$1` to `$9` stand for the words behind the name, `$*` for all of
// them; an alias without any has them added at its end, before its pipes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace millrace::server {

class Aliases {
 public:
  // Errors: BadValue, when the name is no word or the text is no line.
  base::Result<void> set(std::string_view name, std::string_view text);
  bool remove(std::string_view name);
  const std::map<std::string, std::string, std::less<>>& all() const { return texts_; }

  // The line with its alias replaced; nothing when it does not begin with one. Errors: BadValue,
  // when words that the alias wants are missing.
  std::optional<base::Result<std::string>> expand(std::string_view line) const;

 private:
  std::map<std::string, std::string, std::less<>> texts_;
};

}  // namespace millrace::server
