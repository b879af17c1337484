// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/policy/expression.h"

#include <algorithm>
#include <format>

namespace millrace::appliers::policy {
namespace {

using base::Code;
using base::Result;

constexpr int kDeepest = 32;

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<Expression> read() {
    Expression whole = alternatives(0);
    blanks();
    if (!failed_ && at_ == text_.size()) {
      return whole;
    }
    return base::fail(Code::BadValue,
                      std::format("'{}' is no policy expression; expected names with &&, || and ! "
                                  "in parentheses",
                                  text_));
  }

 private:
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') {
      ++at_;
    }
  }
  bool take(std::string_view word) {
    blanks();
    if (!text_.substr(at_).starts_with(word)) {
      return false;
    }
    at_ += word.size();
    return true;
  }
  Expression alternatives(int depth) {
    Expression left = conjunction(depth);
    while (take("||")) {
      left = {Expression::Kind::Or, {}, {std::move(left), conjunction(depth)}};
    }
    return left;
  }
  Expression conjunction(int depth) {
    Expression left = factor(depth);
    while (take("&&")) {
      left = {Expression::Kind::And, {}, {std::move(left), factor(depth)}};
    }
    return left;
  }
  Expression factor(int depth) {
    if (depth > kDeepest) {
      failed_ = true;
      return {};
    }
    if (take("!")) {
      return {Expression::Kind::Not, {}, {factor(depth + 1)}};
    }
    if (take("(")) {
      Expression inner = alternatives(depth + 1);
      failed_ = failed_ || !take(")");
      return inner;
    }
    blanks();
    const std::size_t end = std::min(text_.find_first_of(" ()!&|", at_), text_.size());
    Expression name{Expression::Kind::Name, std::string(text_.substr(at_, end - at_)), {}};
    failed_ = failed_ || name.name.empty();
    at_ = end;
    return name;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

}  // namespace

Result<Expression> read_expression(std::string_view element) {
  if (element.starts_with('(') || element.starts_with('!')) {
    return Reader(element).read();
  }
  return Expression{Expression::Kind::Name, std::string(element), {}};
}

void collect_names(const Expression& expression, std::vector<std::string>& names) {
  if (expression.kind == Expression::Kind::Name) {
    names.push_back(expression.name);
  }
  for (const Expression& part : expression.parts) {
    collect_names(part, names);
  }
}

bool negates(const Expression& expression) {
  return expression.kind == Expression::Kind::Not || std::ranges::any_of(expression.parts, negates);
}

}  // namespace millrace::appliers::policy
