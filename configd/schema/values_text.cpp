// SPDX-License-Identifier: GPL-2.0-or-later
//
// Strings: UTF-8, length in characters, patterns. A value can never hold a control character, so no
// value can add a line to anything rendered from it; the terminal is safe for the same reason.
//
// Patterns go through regcomp(3), not std::regex, whose matcher recurses once a character in
// libstdc++ (bits/regex_executor.tcc) and overflows the stack on long values. Compiled patterns are
// remembered a thread; the patterns come from templates only, so the memory is bounded.
#include <regex.h>

#include <algorithm>
#include <cstddef>
#include <format>
#include <map>
#include <memory>

#include "schema/values.h"

namespace millrace::schema {

namespace {

constexpr std::size_t kShownBytes = 64;

struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // 0: not valid UTF-8
};

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

Character next_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) {
    return {lead, 1};
  }
  const std::size_t bytes = lead >= 0xF0 && lead <= 0xF4   ? 4
                            : lead >= 0xE0 && lead <= 0xEF ? 3
                            : lead >= 0xC2 && lead <= 0xDF ? 2
                                                           : 0;
  if (bytes == 0 || text.size() < bytes) {
    return {};
  }
  char32_t code = lead & (0xFFU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[i])) {
      return {};
    }
    code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  const bool overlong = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (overlong || surrogate || code > 0x10FFFF) {
    return {};
  }
  return {code, bytes};
}

bool is_control(char32_t code) {
  return code < 0x20 || (code >= 0x7F && code <= 0x9F);
}

std::size_t length_in_characters(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) {
    count += is_continuation(byte) ? 0 : 1;
  }
  return count;
}

struct FreeRegex {
  void operator()(regex_t* regex) const {
    ::regfree(regex);
    delete regex;
  }
};
using Regex = std::unique_ptr<regex_t, FreeRegex>;

// Null when the pattern is no extended regular expression.
Regex compile(const std::string& pattern) {
  auto memory = std::make_unique<regex_t>();
  const std::string whole = "^(" + pattern + ")$";
  if (::regcomp(memory.get(), whole.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
    return nullptr;
  }
  return Regex(memory.release());
}

}  // namespace

std::string shown(std::string_view text) {
  std::string out;
  for (std::string_view rest = text; !rest.empty();) {
    const Character next = next_character(rest);
    if (out.size() + next.bytes > kShownBytes) {
      return out + "…";
    }
    if (next.bytes == 0 || is_control(next.code)) {
      out += '?';
      rest.remove_prefix(next.bytes == 0 ? 1 : next.bytes);
    } else {
      out += rest.substr(0, next.bytes);
      rest.remove_prefix(next.bytes);
    }
  }
  return out;
}

std::unexpected<base::Error> invalid(std::string_view text, std::string_view expected,
                                     std::string hint) {
  return base::fail(base::Code::BadValue,
                    std::format("invalid value '{}': expected {}", shown(text), expected), {},
                    std::move(hint));
}

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const Character next = next_character(text);
    if (next.bytes == 0 || is_control(next.code)) {
      return false;
    }
    text.remove_prefix(next.bytes);
  }
  return true;
}

bool matches(const std::string& pattern, std::string_view text) {
  thread_local std::map<std::string, Regex> compiled;
  auto [found, added] = compiled.try_emplace(pattern);
  if (added) {
    found->second = compile(pattern);
  }
  return found->second != nullptr &&
         ::regexec(found->second.get(), std::string(text).c_str(), 0, nullptr, 0) == 0;
}

base::Result<void> check_pattern(const std::string& pattern) {
  if (compile(pattern) == nullptr) {
    return invalid(pattern, "a POSIX extended regular expression");
  }
  return {};
}

base::Result<std::string> canonical_string(const Type& type, std::string_view text) {
  if (!is_printable(text)) {
    return invalid(text, "printable UTF-8 text without control characters");
  }
  if (!type.ranges.empty()) {
    const auto length = static_cast<std::int64_t>(length_in_characters(text));
    bool fits = false;
    for (const Range& range : type.ranges) {
      fits = fits || (length >= range.low && length <= range.high);
    }
    if (!fits) {
      return invalid(text,
                     std::format("{} characters, found {}", ranges_text(type.ranges), length));
    }
  }
  if (!type.pattern.empty() && !matches(type.pattern, text)) {
    return invalid(text, std::format("text that matches {}", type.pattern));
  }
  if (std::ranges::contains(type.reserved, text)) {
    return invalid(text, "another name", "this one is built in and cannot be changed");
  }
  return std::string(text);
}

}  // namespace millrace::schema
