// SPDX-License-Identifier: GPL-2.0-or-later
//
// A parser into a tree, and a matcher that goes from a set of places in the path to a set of
// places: nothing is tried twice, so no expression of a user can take long.
#include "ops/as_path_filter.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <format>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace millrace::ops {

using base::Code;
using base::fail;
using base::Result;

struct AsPathFilter::Node {
  enum class Kind : std::uint8_t { As, Sequence, Choice, Repeat } kind = Kind::Sequence;
  std::vector<std::pair<std::int64_t, std::int64_t>> ranges = {};  // As; empty: any
  bool except = false;                                             // As: none of the ranges
  std::vector<std::shared_ptr<const Node>> parts = {};
  unsigned least = 0;
  unsigned most = 0;
};

namespace {

using Node = AsPathFilter::Node;
using NodePtr = std::shared_ptr<const Node>;
using Places = std::vector<bool>;

constexpr unsigned kEndless = std::numeric_limits<unsigned>::max();
constexpr unsigned kDeepest = 32;
constexpr unsigned kMostRepeats = 255;
constexpr std::int64_t kUnknown = -1;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<NodePtr> parse() {
    auto root = choice(0);
    if (root && at_ < text_.size()) {
      return wrong("an AS number, '.', '(' or '['");
    }
    return root;
  }

 private:
  std::unexpected<base::Error> wrong(std::string_view expected) const {
    return fail(Code::BadValue,
                std::format("invalid AS path expression '{}': found {} at {}, expected {}", text_,
                            at_ < text_.size() ? std::format("'{}'", text_[at_]) : "its end",
                            at_ + 1, expected));
  }
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }
  bool take(char c) {
    blanks();
    if (at_ < text_.size() && text_[at_] == c) {
      ++at_;
      return true;
    }
    return false;
  }
  std::optional<std::int64_t> number() {
    blanks();
    std::uint32_t value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) {
      return std::nullopt;
    }
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  Result<NodePtr> choice(unsigned depth) {
    Node node{Node::Kind::Choice};
    do {
      auto part = sequence(depth);
      if (!part) {
        return part;
      }
      node.parts.push_back(std::move(*part));
    } while (take('|'));
    return std::make_shared<const Node>(std::move(node));
  }

  Result<NodePtr> sequence(unsigned depth) {
    Node node{Node::Kind::Sequence};
    while (true) {
      blanks();
      if (at_ == text_.size() || text_[at_] == '|' || text_[at_] == ')') {
        return std::make_shared<const Node>(std::move(node));
      }
      if (text_[at_] == '^' || text_[at_] == '$') {
        ++at_;  // the whole path is matched anyway
        continue;
      }
      auto part = repeated(depth);
      if (!part) {
        return part;
      }
      node.parts.push_back(std::move(*part));
    }
  }

  Result<NodePtr> repeated(unsigned depth) {
    auto atom = this->atom(depth);
    if (!atom) {
      return atom;
    }
    while (true) {
      unsigned least = 0;
      unsigned most = kEndless;
      if (take('*')) {
      } else if (take('+')) {
        least = 1;
      } else if (take('?')) {
        most = 1;
      } else if (take('{')) {
        const auto first = number();
        auto last = first;
        bool endless = false;
        if (first && take(',')) {
          last = number();
          endless = !last;
        }
        if (!first || *first > kMostRepeats || (last && (*last < *first || *last > kMostRepeats)) ||
            !take('}')) {
          return wrong(std::format("numbers up to {} as in {{1,2}}", kMostRepeats));
        }
        least = static_cast<unsigned>(*first);
        most = endless ? kEndless : static_cast<unsigned>(*last);
      } else {
        return atom;
      }
      Node node{Node::Kind::Repeat};
      node.parts.push_back(std::move(*atom));
      node.least = least;
      node.most = most;
      atom = std::make_shared<const Node>(std::move(node));
    }
  }

  Result<NodePtr> atom(unsigned depth) {
    Node node{Node::Kind::As};
    if (take('(')) {
      if (depth == kDeepest) {
        return wrong("fewer brackets");
      }
      auto inner = choice(depth + 1);
      if (inner && !take(')')) {
        return wrong("')'");
      }
      return inner;
    }
    if (take('.')) {
      return std::make_shared<const Node>(std::move(node));
    }
    if (take('[')) {
      node.except = take('^');
      while (!take(']')) {
        const auto first = number();
        const auto last = first && take('-') ? number() : first;
        if (!first || !last || *last < *first) {
          return wrong("AS numbers or ranges of them, and ']'");
        }
        node.ranges.emplace_back(*first, *last);
      }
      if (node.ranges.empty()) {
        return wrong("AS numbers between '[' and ']'");
      }
      return std::make_shared<const Node>(std::move(node));
    }
    const auto first = number();
    const auto last = first && take('-') ? number() : first;
    if (!first || !last || *last < *first) {
      return wrong("an AS number, '.', '(' or '['");
    }
    node.ranges.emplace_back(*first, *last);
    return std::make_shared<const Node>(std::move(node));
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool takes(const Node& node, std::int64_t as) {
  if (node.ranges.empty()) {
    return true;
  }
  const bool within = std::ranges::any_of(
      node.ranges, [&](const auto& range) { return as >= range.first && as <= range.second; });
  return as != kUnknown && within != node.except;
}

// Where in `path` a match of `node` may end that begins at one of `from`.
Places after(const Node& node, const std::vector<std::int64_t>& path, const Places& from) {
  switch (node.kind) {
    case Node::Kind::As: {
      Places to(from.size(), false);
      for (std::size_t at = 0; at < path.size(); ++at) {
        to[at + 1] = from[at] && takes(node, path[at]);
      }
      return to;
    }
    case Node::Kind::Sequence: {
      Places to = from;
      for (const auto& part : node.parts) {
        to = after(*part, path, to);
      }
      return to;
    }
    case Node::Kind::Choice: {
      Places to(from.size(), false);
      for (const auto& part : node.parts) {
        const Places one = after(*part, path, from);
        for (std::size_t at = 0; at < to.size(); ++at) {
          to[at] = to[at] || one[at];
        }
      }
      return to;
    }
    case Node::Kind::Repeat: {
      Places all(from.size(), false);
      Places now = from;
      for (unsigned times = 0; times <= node.most; ++times) {
        bool news = times <= node.least;
        for (std::size_t at = 0; times >= node.least && at < all.size(); ++at) {
          news = news || (now[at] && !all[at]);
          all[at] = all[at] || now[at];
        }
        if (!news || std::ranges::find(now, true) == now.end()) {
          break;
        }
        now = after(*node.parts.front(), path, now);
      }
      return all;
    }
  }
  std::unreachable();
}

std::vector<std::int64_t> numbers(std::string_view path) {
  std::vector<std::int64_t> out;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(' '), path.size());
    const std::string_view word = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (word.empty()) {
      continue;
    }
    std::uint32_t as = 0;
    const auto [last, error] = std::from_chars(word.data(), word.data() + word.size(), as);
    const bool plain = error == std::errc() && last == word.data() + word.size();
    out.push_back(plain ? std::int64_t{as} : kUnknown);
  }
  return out;
}

}  // namespace

Result<AsPathFilter> AsPathFilter::parse(std::string_view text) {
  auto root = Parser(text).parse();
  if (!root) {
    return std::unexpected(std::move(root.error()));
  }
  return AsPathFilter(std::move(*root));
}

bool AsPathFilter::matches(std::string_view path) const {
  const auto letters = numbers(path);
  Places from(letters.size() + 1, false);
  from.front() = true;
  return after(*root_, letters, from).back();
}

}  // namespace millrace::ops
