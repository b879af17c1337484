// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/as_path.h"

#include <charconv>
#include <format>
#include <vector>

namespace millrace::appliers::policy {
namespace {

using base::Code;
using base::Result;

// What a command of FRR may hold beside the expression is far below this rest of its buffer.
constexpr std::size_t kLongest = 3000;
constexpr int kDeepest = 20;
// Never "| ": FRR would take the rest of the line for a pipe.
constexpr std::string_view kEnd = "( |$)";

std::string digits(std::size_t count) {
  return count == 0 ? "" : count == 1 ? "[0-9]" : std::format("[0-9]{{{}}}", count);
}

std::string one_digit(char low, char high) {
  return low == high ? std::string(1, low) : std::format("[{}-{}]", low, high);
}

// Numbers of equally many digits.
void same_length(const std::string& low, const std::string& high, std::vector<std::string>& out) {
  std::size_t common = 0;
  while (common < low.size() && low[common] == high[common]) {
    ++common;
  }
  const std::string head = low.substr(0, common);
  if (common == low.size()) {
    out.push_back(head);
    return;
  }
  const std::size_t rest = low.size() - common - 1;
  char first = low[common];
  char last = high[common];
  const bool low_is_round = low.find_first_not_of('0', common + 1) == std::string::npos;
  const bool high_is_round = high.find_first_not_of('9', common + 1) == std::string::npos;
  if (!low_is_round) {
    same_length(low, head + first + std::string(rest, '9'), out);
    ++first;
  }
  if (!high_is_round) {
    --last;
  }
  if (first <= last) {
    out.push_back(head + one_digit(first, last) + digits(rest));
  }
  if (!high_is_round) {
    same_length(head + static_cast<char>(last + 1) + std::string(rest, '0'), high, out);
  }
}

// Recursive descent over the text; a failure stays in `error_` and everything after it is nothing.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<std::string> read() {
    take('^');
    std::string result = alternatives(0);
    take('$');
    blanks();
    if (error_.empty() && at_ < text_.size()) {
      fail(std::format("unexpected '{}'", text_[at_]));
    }
    if (!error_.empty()) {
      return base::fail(
          Code::BadValue,
          std::format("'{}' is no regular expression over AS paths: {}", text_, error_));
    }
    return result;
  }

 private:
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }
  char peek() {
    blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char letter) {
    if (peek() != letter) {
      return false;
    }
    ++at_;
    return true;
  }
  void fail(std::string message) {
    if (error_.empty()) {
      error_ = std::move(message);
    }
    at_ = text_.size();
  }

  std::uint32_t number() {
    blanks();
    std::uint32_t value = 0;
    const auto [end, code] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (code != std::errc()) {
      fail("expected an AS number up to 4294967295");
      return 0;
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  std::string systems() {
    const std::uint32_t low = number();
    if (!take('-')) {
      return std::to_string(low);
    }
    const std::uint32_t high = number();
    if (high < low) {
      fail(std::format("range {}-{} goes backwards", low, high));
    }
    return error_.empty() ? number_range(low, high) : "";
  }

  std::string alternatives(int depth) {
    if (depth > kDeepest) {
      fail("parentheses are nested too deep");
      return "";
    }
    std::string result = sequence(depth);
    while (take('|')) {
      result += '|' + sequence(depth);
    }
    return result;
  }

  std::string sequence(int depth) {
    std::string result;
    for (char next = peek(); next != '\0' && next != '|' && next != ')' && next != '$';
         next = peek()) {
      result += repeated(atom(depth));
    }
    return result;
  }

  // Complete with the end of the number, so that a repetition may stand behind it.
  std::string atom(int depth) {
    if (take('.')) {
      return std::format("([^ ]+{})", kEnd);
    }
    if (take('(')) {
      const std::string inner = alternatives(depth + 1);
      if (!take(')')) {
        fail("expected ')'");
      }
      return inner.empty() ? "" : std::format("({})", inner);
    }
    if (take('[')) {
      std::string inner;
      while (error_.empty() && !take(']')) {
        if (peek() == '^') {
          fail("[^ … ] cannot be expressed in FRR");
          break;
        }
        inner += (inner.empty() ? "" : "|") + systems();
      }
      if (inner.empty()) {
        fail("[ ] holds nothing");
      }
      return std::format("(({}){})", inner, kEnd);
    }
    const char next = peek();
    if (next < '0' || next > '9') {
      fail(next == '!' ? "! cannot be expressed in FRR" : std::format("unexpected '{}'", next));
      return "";
    }
    return std::format("({}{})", systems(), kEnd);
  }

  // Counts are written out: the C library counts wrongly around an anchor ("(a( |$)){2}" matches
  // one "a").
  std::string repeated(const std::string& atom) {
    std::string result = atom;
    const bool counted = peek() == '{';
    if (peek() == '*' || peek() == '+' || peek() == '?') {
      result += peek();
      ++at_;
    } else if (take('{')) {
      result = counts(atom);
    } else {
      return atom;
    }
    if (atom.empty()) {
      fail("nothing stands before a repetition");
    }
    const char next = peek();
    if (next == '*' || next == '+' || next == '?' || (next == '{' && counted)) {
      fail("a repetition of a repetition needs parentheses");
    }
    return result;
  }

  std::string counts(const std::string& atom) {
    const std::uint32_t least = number();
    std::uint32_t most = least;
    bool open = false;
    if (take(',')) {
      open = peek() == '}';
      most = open ? least : number();
    }
    if (!take('}') || most > 255 || least > most) {
      fail("expected {m}, {m,} or {m,n} up to 255");
      return "";
    }
    std::string result;
    for (std::uint32_t i = 0; i < most && result.size() <= kLongest; ++i) {
      result += atom + (i < least ? "" : "?");
    }
    return open ? result + atom + '*' : result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace

std::string number_range(std::uint32_t low, std::uint32_t high) {
  std::vector<std::string> parts;
  std::string first = std::to_string(low);
  const std::string last = std::to_string(high);
  while (first.size() < last.size()) {
    same_length(first, std::string(first.size(), '9'), parts);
    first = '1' + std::string(first.size(), '0');
  }
  same_length(first, last, parts);
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() ? "" : "|") + part;
  }
  return parts.size() > 1 ? std::format("({})", text) : text;
}

Result<std::string> as_path_expression(std::string_view text) {
  auto inner = Reader(text).read();
  if (!inner) {
    return inner;
  }
  std::string whole = inner->empty() ? "^$" : std::format("^({})$", *inner);
  if (whole.size() > kLongest) {
    return base::fail(Code::BadValue,
                      std::format("'{}' becomes {} letters long in FRR, expected at most {}", text,
                                  whole.size(), kLongest),
                      {}, "use an as-path-group of shorter ones");
  }
  return whole;
}

}  // namespace millrace::appliers::policy
