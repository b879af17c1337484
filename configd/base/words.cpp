// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/words.h"

#include <algorithm>

namespace millrace::base {
namespace {

constexpr std::string_view kSpace = " \t\n\v\f\r";

}  // namespace

std::vector<std::string> split_words(std::string_view line) {
  std::vector<std::string> words;
  for (std::size_t at = line.find_first_not_of(kSpace); at != std::string_view::npos;) {
    const std::size_t end = line.find_first_of(kSpace, at);
    words.emplace_back(line.substr(at, end - at));
    at = line.find_first_not_of(kSpace, end);
  }
  return words;
}

std::string joined(std::span<const std::string> words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (&word != words.data()) {
      text += between;
    }
    text += word;
  }
  return text;
}

std::size_t characters(std::string_view text) {
  // All bytes but those that continue a character.
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }));
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char byte : text) {
    if (byte == '"' || byte == '\\') {
      out += '\\';
    }
    out += byte;
  }
  return out + '"';
}

std::string one_line(std::string text) {
  for (char& byte : text) {
    byte = static_cast<unsigned char>(byte) < ' ' || byte == 0x7f ? ' ' : byte;
  }
  text.resize(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace millrace::base
