// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/pattern.h"

#include <algorithm>
#include <array>
#include <vector>

namespace millrace::base {
namespace {

// regcomp(3) of glibc recurses once for every open parenthesis and overruns the stack.
constexpr std::size_t kLongest = 1000;
// How many copies of its parts a pattern may be expanded to.
constexpr std::size_t kMostCopies = 2000;
constexpr std::size_t kMostReplaced = 64 * 1024;

// The upper bound of `{m,n}` at `at`, or 1 when there is none there. `end` gets the place behind.
std::size_t repetitions(std::string_view text, std::size_t at, std::size_t& end) {
  end = at;
  if (at >= text.size() || text[at] != '{') {
    return 1;
  }
  const std::size_t close = text.find('}', at);
  if (close == std::string_view::npos) {
    return 1;
  }
  std::size_t most = 0;
  std::size_t number = 0;
  for (const char c : text.substr(at + 1, close - at - 1)) {
    number = c >= '0' && c <= '9'
                 ? std::min(number * 10 + static_cast<std::size_t>(c - '0'), kMostCopies + 1)
                 : 0;
    most = std::max(most, number);
  }
  end = close + 1;
  return std::max<std::size_t>(most, 1);
}

std::size_t skip_bracket(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  end += end < text.size() && text[end] == '^' ? 1 : 0;
  end += end < text.size() && text[end] == ']' ? 1 : 0;
  while (end < text.size() && text[end] != ']') {
    // [:alpha:] and its like.
    if (text[end] == '[' && end + 1 < text.size() &&
        std::string_view(":.=").find(text[end + 1]) != std::string_view::npos) {
      const std::size_t close = text.find(std::string{text[end + 1], ']'}, end + 2);
      end = close == std::string_view::npos ? text.size() : close + 2;
    } else {
      ++end;
    }
  }
  return std::min(end + 1, text.size());
}

// How many parts the expression has once its repetitions are written out; groups of it that are
// repeated without a bound within each other count as a repetition too.
std::size_t copies(std::string_view text) {
  struct Group {
    std::size_t parts = 0;
    bool repeats = false;  // something in it repeats
  };
  std::vector<Group> open(1);
  for (std::size_t at = 0; at < text.size();) {
    Group part{1, false};
    std::size_t next = at + 1;
    if (text[at] == '\\') {
      next = std::min(at + 2, text.size());
    } else if (text[at] == '[') {
      next = skip_bracket(text, at);
    } else if (text[at] == '(') {
      open.emplace_back();
      at = next;
      continue;
    } else if (text[at] == ')' && open.size() > 1) {
      part = open.back();
      open.pop_back();
    }
    // Its repetitions, one after the other.
    while (next < text.size()) {
      std::size_t end = next;
      if (std::string_view("*+?").find(text[next]) != std::string_view::npos) {
        part.parts *= part.repeats ? 8 : 1;
        part.repeats = true;
        end = next + 1;
      } else {
        const std::size_t times = repetitions(text, next, end);
        part.parts *= times > 1 && part.repeats ? times * 8 : times;
        part.repeats = part.repeats || times > 1;
      }
      if (end == next || part.parts > kMostCopies) {
        break;
      }
      next = end;
    }
    open.back().parts = std::min(open.back().parts + part.parts, kMostCopies + 1);
    open.back().repeats = open.back().repeats || part.repeats;
    at = next;
  }
  std::size_t total = 0;
  for (const Group& group : open) {
    total = std::min(total + group.parts, kMostCopies + 1);
  }
  return total;
}

bool has_back_reference(std::string_view text) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] == '\\') {
      if (text[at + 1] >= '1' && text[at + 1] <= '9') {
        return true;
      }
      ++at;
    }
  }
  return false;
}

}  // namespace

std::expected<Pattern, std::string> Pattern::compile(const std::string& text) {
  if (text.size() > kLongest) {
    return std::unexpected("the pattern is longer than " + std::to_string(kLongest) +
                           " characters");
  }
  if (has_back_reference(text)) {
    return std::unexpected("invalid pattern '" + text +
                           "': a group cannot be repeated by its number in a pattern");
  }
  if (copies(text) > kMostCopies) {
    return std::unexpected("invalid pattern '" + text + "': too many repetitions");
  }
  auto expression = std::make_unique<regex_t>();
  const int code = regcomp(expression.get(), text.c_str(), REG_EXTENDED);
  if (code != 0) {
    std::array<char, 128> reason{};
    regerror(code, expression.get(), reason.data(), reason.size());
    return std::unexpected("invalid pattern '" + text + "': " + reason.data());
  }
  return Pattern(expression.release());
}

bool Pattern::matches(std::string_view text) const {
  const std::string terminated(text);
  return regexec(compiled_.get(), terminated.c_str(), 0, nullptr, 0) == 0;
}

std::optional<std::string> Pattern::replace(std::string_view text,
                                            std::string_view replacement) const {
  const std::string terminated(text);
  std::array<regmatch_t, 10> groups{};
  std::string out;
  std::size_t at = 0;
  bool found = false;
  while (at <= terminated.size() && out.size() < kMostReplaced &&
         regexec(compiled_.get(), terminated.c_str() + at, groups.size(), groups.data(),
                 at == 0 ? 0 : REG_NOTBOL) == 0) {
    found = true;
    const auto start = at + static_cast<std::size_t>(groups[0].rm_so);
    const auto end = at + static_cast<std::size_t>(groups[0].rm_eo);
    out.append(terminated, at, start - at);
    for (std::size_t i = 0; i < replacement.size(); ++i) {
      const bool escaped = replacement[i] == '\\' && i + 1 < replacement.size();
      const char next = escaped ? replacement[i + 1] : '\0';
      if (escaped && next >= '0' && next <= '9') {
        const regmatch_t& group = groups[static_cast<std::size_t>(next - '0')];
        if (group.rm_so >= 0) {
          out.append(terminated, at + static_cast<std::size_t>(group.rm_so),
                     static_cast<std::size_t>(group.rm_eo - group.rm_so));
        }
        ++i;
      } else if (escaped && next == '\\') {
        out += '\\';
        ++i;
      } else {
        out += replacement[i];
      }
    }
    at = end;
    if (start == end) {
      // An empty match would stay where it is.
      out.append(terminated, at, 1);
      ++at;
    }
  }
  if (!found) {
    return std::nullopt;
  }
  out.append(terminated, std::min(at, terminated.size()), std::string::npos);
  return out;
}

}  // namespace millrace::base
