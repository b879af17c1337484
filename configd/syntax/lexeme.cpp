// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/lexeme.h"

#include <algorithm>
#include <format>

namespace millrace::syntax {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

bool is_continuation(unsigned char byte) {
  return (byte & 0xc0) == 0x80;
}

// Length of the well-formed UTF-8 sequence at `at` (RFC 3629 §4), or 0. C1 controls count as ill.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const unsigned char first = byte_at(text, at);
  const unsigned char second = byte_at(text, at + 1);
  if (first >= 0xc2 && first <= 0xdf) {
    const bool c1 = first == 0xc2 && second < 0xa0;
    return is_continuation(second) && !c1 ? 2 : 0;
  }
  if (first >= 0xe0 && first <= 0xef) {
    const bool overlong = first == 0xe0 && second < 0xa0;
    const bool surrogate = first == 0xed && second > 0x9f;
    return is_continuation(second) && is_continuation(byte_at(text, at + 2)) && !overlong &&
                   !surrogate
               ? 3
               : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool overlong = first == 0xf0 && second < 0x90;
    const bool beyond = first == 0xf4 && second > 0x8f;
    return is_continuation(second) && is_continuation(byte_at(text, at + 2)) &&
                   is_continuation(byte_at(text, at + 3)) && !overlong && !beyond
               ? 4
               : 0;
  }
  return 0;
}

bool is_plain(unsigned char byte) {
  return (byte >= 0x20 && byte < 0x7f) || byte == '\n' || byte == '\t';
}

// 0 when the byte at `at` is bad.
std::size_t good_length(std::string_view text, std::size_t at) {
  const unsigned char byte = byte_at(text, at);
  return byte < 0x80 ? static_cast<std::size_t>(is_plain(byte)) : sequence_length(text, at);
}

}  // namespace

std::string unescape(std::string_view quoted) {
  std::string text;
  text.reserve(quoted.size());
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    const char next = i + 1 < quoted.size() ? quoted[i + 1] : '\0';
    if (quoted[i] == '\\' && (next == '"' || next == '\\' || next == 'n')) {
      text += next == 'n' ? '\n' : next;
      ++i;
    } else {
      text += quoted[i];
    }
  }
  return text;
}

std::size_t find_bad_byte(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size();) {
    const std::size_t length = good_length(text, at);
    if (length == 0) {
      return at;
    }
    at += length;
  }
  return std::string_view::npos;
}

std::size_t skip_bad_bytes(std::string_view text, std::size_t bad) {
  while (bad < text.size() && good_length(text, bad) == 0) {
    ++bad;
  }
  return bad;
}

std::string describe_bad_byte(std::string_view text, std::size_t bad) {
  const unsigned byte = byte_at(text, bad);
  if (byte < 0x80) {
    return std::format("control character 0x{:02x}", byte);
  }
  const unsigned second = byte_at(text, bad + 1);
  if (byte == 0xc2 && second >= 0x80 && second < 0xa0) {
    return std::format("control character U+{:04X}", second);
  }
  return std::format("byte 0x{:02x} that is not UTF-8", byte);
}

std::string printable(std::string_view text, std::size_t limit) {
  std::string result(text.substr(0, limit));
  if (limit < text.size()) {
    // A sequence that the cut has split is no longer UTF-8; the dots stand for it too.
    std::size_t end = result.size();
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
      --end;
    }
    result.resize(end);
    result += "...";
  }
  for (std::size_t bad = find_bad_byte(result); bad != std::string::npos;
       bad = find_bad_byte(result, bad)) {
    result[bad] = '?';
  }
  std::ranges::replace(result, '\n', ' ');
  return result;
}

void normalize_line_ends(std::string& source) {
  if (source.starts_with("\xef\xbb\xbf")) {
    source.erase(0, 3);
  }
  if (source.find("\r\n") == std::string::npos) {
    return;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r' || i + 1 == source.size() || source[i + 1] != '\n') {
      source[kept++] = source[i];
    }
  }
  source.resize(kept);
}

}  // namespace millrace::syntax
