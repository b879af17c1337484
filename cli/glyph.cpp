// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/glyph.h"

#include <algorithm>
#include <utility>

namespace millrace::cli {
namespace {

constexpr char32_t kReplacement = 0xfffd;

bool is_control(char32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0);
}

std::string shown_control(char32_t point) {
  if (point >= 0x80) {
    return encode(kReplacement);
  }
  return {'^', static_cast<char>(point ^ 0x40)};
}

}  // namespace

CodePoint decode(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char head = byte(0);
  if (head < 0x80) {
    return {head, 1};
  }
  const std::size_t size = head >= 0xf0 ? 4 : head >= 0xe0 ? 3 : 2;
  if (head < 0xc2 || head > 0xf4) {
    return {kReplacement, 1, false};
  }
  char32_t value = head & (0x7fU >> size);
  for (std::size_t at = 1; at < size; ++at) {
    if (at >= text.size()) {
      return {kReplacement, 1, false, true};
    }
    if ((byte(at) & 0xc0) != 0x80) {
      return {kReplacement, 1, false};
    }
    value = (value << 6) | (byte(at) & 0x3fU);
  }
  const bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  if (overlong || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) {
    return {kReplacement, 1, false};
  }
  return {value, size};
}

std::size_t find_not_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    // Most text is ASCII.
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const CodePoint next = decode(text.substr(at));
    if (!next.valid) {
      return at;
    }
    at += next.size;
  }
  return std::string_view::npos;
}

std::string encode(char32_t point) {
  std::string out;
  const auto tail = [&](unsigned shift) {
    out += static_cast<char>(0x80U | ((point >> shift) & 0x3fU));
  };
  if (point < 0x80) {
    out += static_cast<char>(point);
  } else if (point < 0x800) {
    out += static_cast<char>(0xc0U | (point >> 6));
    tail(0);
  } else if (point < 0x10000) {
    out += static_cast<char>(0xe0U | (point >> 12));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0U | (point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
  return out;
}

Glyph glyph_at(std::string_view text, std::size_t at) {
  const CodePoint base = decode(text.substr(at));
  Glyph glyph{base.size, 1, {}};
  if (is_control(base.value)) {
    glyph.shown = shown_control(base.value);
    glyph.columns = static_cast<unsigned>(base.value < 0x80 ? 2 : 1);
    return glyph;
  }
  glyph.shown = encode(base.value);
  glyph.columns = base.valid ? code_point_width(base.value) : 1;
  while (at + glyph.size < text.size()) {
    const CodePoint mark = decode(text.substr(at + glyph.size));
    if (!mark.valid || is_control(mark.value) || code_point_width(mark.value) != 0) {
      break;
    }
    glyph.size += mark.size;
    glyph.shown += encode(mark.value);
  }
  return glyph;
}

std::size_t next_glyph(std::string_view text, std::size_t at) {
  return at >= text.size() ? text.size() : at + glyph_at(text, at).size;
}

// A glyph cannot be recognised from its end, so walk back over marks and continuation bytes to
// something that starts one, then forward.
std::size_t previous_glyph(std::string_view text, std::size_t at) {
  at = std::min(at, text.size());
  std::size_t start = at;
  while (start > 0) {
    --start;
    const CodePoint point = decode(text.substr(start));
    const bool inside = (static_cast<unsigned char>(text[start]) & 0xc0) == 0x80;
    if (!inside && (!point.valid || code_point_width(point.value) != 0)) {
      break;
    }
  }
  std::size_t last = start;
  while (start < at) {
    last = std::exchange(start, next_glyph(text, start));
  }
  return last;
}

std::size_t columns(std::string_view text) {
  std::size_t sum = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Glyph glyph = glyph_at(text, at);
    sum += glyph.columns;
    at += glyph.size;
  }
  return sum;
}

}  // namespace millrace::cli
