// SPDX-License-Identifier: GPL-2.0-or-later
//
// A text is read as a sequence of tokens, each a run of digits or one other byte. Runs compare by
// value and against other bytes by their first digit; since the digits are neighbours in ASCII,
// that is one order over all tokens, and texts compare as sequences do. Only leading zeros can make
// different texts equal so far; then the bytes decide, which makes the order total.
#include <algorithm>

#include "schema/type.h"

namespace millrace::schema {

namespace {

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}

// Takes the run of digits at the front, without its leading zeros.
std::string_view take_number(std::string_view& text) {
  const auto end = std::ranges::find_if_not(text, is_digit);
  std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(number.size());
  number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
  return number;
}

}  // namespace

bool natural_less(std::string_view left, std::string_view right) {
  // Names that are compared begin alike as a rule. Where they part, the digits before belong to it.
  const auto parted = std::ranges::mismatch(left, right);
  auto from = static_cast<std::size_t>(parted.in1 - left.begin());
  while (from > 0 && is_digit(left[from - 1])) {
    --from;
  }
  std::string_view l = left.substr(from);
  std::string_view r = right.substr(from);
  while (!l.empty() && !r.empty()) {
    if (is_digit(l.front()) && is_digit(r.front())) {
      const std::string_view l_number = take_number(l);
      const std::string_view r_number = take_number(r);
      if (l_number.size() != r_number.size()) {
        return l_number.size() < r_number.size();
      }
      if (l_number != r_number) {
        return l_number < r_number;
      }
      continue;
    }
    if (l.front() != r.front()) {
      return static_cast<unsigned char>(l.front()) < static_cast<unsigned char>(r.front());
    }
    l.remove_prefix(1);
    r.remove_prefix(1);
  }
  if (l.empty() != r.empty()) {
    return l.empty();
  }
  return left < right;
}

}  // namespace millrace::schema
