// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/element.h"

#include <algorithm>

#include "syntax/lexeme.h"

namespace millrace::syntax {
namespace {

constexpr std::size_t kMaxContext = 200;

}  // namespace

Position position_at(std::string_view source, std::size_t offset) {
  const std::string_view before = source.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;
  return {static_cast<std::uint32_t>(std::ranges::count(before, '\n') + 1),
          static_cast<std::uint32_t>(before.size() - line_start + 1)};
}

SyntaxError error_at(std::string_view source, std::size_t offset, std::string found,
                     std::string expected) {
  const std::size_t start = source.substr(0, offset).rfind('\n') + 1;
  const std::string_view line = source.substr(start, source.find('\n', start) - start);
  return {position_at(source, offset), std::move(found), std::move(expected),
          printable(line, kMaxContext)};
}

}  // namespace millrace::syntax
