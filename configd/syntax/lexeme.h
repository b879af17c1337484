// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the statement grammar, the command line and the writer must agree on: which bytes make a
// bare word, what the escapes of a quoted word mean, and which bytes no text may hold.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace millrace::syntax {

namespace detail {

constexpr std::array<bool, 256> word_bytes() {
  std::array<bool, 256> table{};
  for (unsigned byte = 0x21; byte < 256; ++byte) {
    table[byte] = byte != 0x7f && std::string_view(";{}[]\"").find(static_cast<char>(byte)) ==
                                      std::string_view::npos;
  }
  return table;
}

inline constexpr std::array<bool, 256> kWordBytes = word_bytes();

}  // namespace detail

// True for the bytes of a bare word: everything but blanks, control characters and ; { } [ ] ". A
// comment starts only where a word could, so `#` and `/*` may stand inside one: `<ge-0/0/*>`.
constexpr bool is_word_byte(char c) {
  return detail::kWordBytes[static_cast<unsigned char>(c)];
}

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// The text between the quotes with `\"`, `\\` and `\n` replaced; a backslash before anything else
// stands for itself, so that a regular expression may be written plainly.
std::string unescape(std::string_view quoted);

// The offset of the first byte at or after `from` that no text may hold, or npos: a control
// character other than tab and newline (C1 included, since terminals act on them), or what is not
// UTF-8.
std::size_t find_bad_byte(std::string_view text, std::size_t from = 0);

// The first offset after the run of bad bytes that starts at `bad`.
std::size_t skip_bad_bytes(std::string_view text, std::size_t bad);

// "control character 0x1b", "byte 0xff that is not UTF-8".
std::string describe_bad_byte(std::string_view text, std::size_t bad);

// `text` on one line, cut to about `limit` bytes, with what no terminal or JSON text may hold
// replaced: fit to be quoted in a message.
std::string printable(std::string_view text, std::size_t limit);

// Turns CR LF into newlines and drops a byte order mark: what editors of other systems leave.
void normalize_line_ends(std::string& source);

}  // namespace millrace::syntax
