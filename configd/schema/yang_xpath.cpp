// SPDX-License-Identifier: GPL-2.0-or-later
//
// A must as XPath. The two languages agree on most: paths go the same steps (an entry stands in
// what its list stands in), and a comparison of many values holds when any of them does. What
// differs: the value of an entry is its key; a key in `[…]` is read from the carrier; a lone path
// asks whether it exists.
#include <algorithm>
#include <format>
#include <ranges>
#include <variant>

#include "schema/parts.h"
#include "schema/yang_parts.h"

namespace millrace::schema {

namespace {

using syntax::Expression;
using syntax::ExpressionPath;
using syntax::ExpressionStep;
using syntax::Operator;

const Node& root_of(const Node& node) {
  const Node* at = &node;
  while (at->parent != nullptr) {
    at = at->parent;
  }
  return *at;
}

const Node& target_of(const ExpressionPath& path, const Node& carrier) {
  const Node* node = path.absolute ? &root_of(carrier) : &carrier;
  for (const ExpressionStep& step : path.steps) {
    node = step.name == ".."  ? node->parent
           : step.name == "." ? node
                              : declared_child(*node, step.name);
  }
  return *node;
}

// Leaves with a default that an expression asks the existence of.
void asked(const Expression& expression, bool exists, const Node& carrier, Undefaulted& leaves) {
  if (const auto* path = std::get_if<ExpressionPath>(&expression.value)) {
    const Node& target = target_of(*path, carrier);
    if (exists && target.default_value) {
      leaves.insert(&target);
    }
    for (const ExpressionStep& step : path->steps) {
      if (step.key != nullptr) {
        asked(*step.key, false, carrier, leaves);
      }
    }
    return;
  }
  const auto* call = std::get_if<Expression::Call>(&expression.value);
  for (const Expression& operand : call != nullptr ? call->operands : std::vector<Expression>()) {
    const bool compares = call->op != Operator::Or && call->op != Operator::And &&
                          call->op != Operator::Not && call->op != Operator::Exists &&
                          call->op != Operator::Count;
    asked(operand, !compares, carrier, leaves);
  }
}

std::string_view sign(Operator op) {
  switch (op) {
    case Operator::Equal:
      return "=";
    case Operator::NotEqual:
      return "!=";
    case Operator::Less:
      return "<";
    case Operator::Greater:
      return ">";
    case Operator::LessEqual:
      return "<=";
    default:
      return ">=";
  }
}

class Writer {
 public:
  Writer(const Node& carrier, const Undefaulted& undefaulted)
      : carrier_(carrier), undefaulted_(undefaulted) {}

  std::string truth(const Expression& expression) const {
    if (const auto* path = std::get_if<ExpressionPath>(&expression.value)) {
      return nodes(*path, ".");
    }
    const auto* call = std::get_if<Expression::Call>(&expression.value);
    if (call == nullptr) {
      return "boolean(" + value(expression, ".") + ")";
    }
    const std::vector<Expression>& operands = call->operands;
    switch (call->op) {
      case Operator::Or:
      case Operator::And: {
        std::string out;
        for (const Expression& operand : operands) {
          out += out.empty() ? "(" : call->op == Operator::Or ? " or " : " and ";
          out += truth(operand);
        }
        return out + ")";
      }
      case Operator::Not:
        return "not(" + truth(operands.front()) + ")";
      case Operator::Exists:
      case Operator::Count:
        return truth(operands.front());
      default:
        return compare(call->op, operands.front(), operands.back());
    }
  }

 private:
  // One way for a value to come about: under a condition, unless that is empty.
  struct Alternative {
    std::string condition;
    std::string value;
  };

  std::vector<Alternative> alternatives(const Expression& expression) const {
    std::vector<Alternative> out = {{"", value(expression, ".")}};
    const auto* path = std::get_if<ExpressionPath>(&expression.value);
    const Node* target = path != nullptr ? &target_of(*path, carrier_) : nullptr;
    if (target != nullptr && undefaulted_.contains(target)) {
      const bool is_number = target->type.base == BaseType::Integer;
      const std::string value =
          is_number ? *target->default_value : "'" + *target->default_value + "'";
      out.push_back({std::format("not({})", out[0].value), value});
    }
    return out;
  }

  std::string compare(Operator op, const Expression& left, const Expression& right) const {
    std::string out;
    for (const Alternative& a : alternatives(left)) {
      for (const Alternative& b : alternatives(right)) {
        out += out.empty() ? "" : " or ";
        for (const std::string& condition : {a.condition, b.condition}) {
          out += condition.empty() ? "" : condition + " and ";
        }
        out += a.value + ' ' + std::string(sign(op)) + ' ' + b.value;
      }
    }
    return "(" + out + ")";
  }

  // `self` is the carrier: `.`, or `current()` inside of a predicate.
  std::string value(const Expression& expression, std::string_view self) const {
    if (const auto* text = std::get_if<std::string>(&expression.value)) {
      return "'" + *text + "'";
    }
    if (const auto* number = std::get_if<double>(&expression.value)) {
      return std::format("{}", *number);
    }
    if (const auto* path = std::get_if<ExpressionPath>(&expression.value)) {
      const Node& target = target_of(*path, carrier_);
      const std::string at = nodes(*path, self);
      return target.kind == Kind::List ? at + "/" + yang_key(target) : at;
    }
    const auto& call = std::get<Expression::Call>(expression.value);
    if (call.op == Operator::Count) {
      const auto* path = std::get_if<ExpressionPath>(&call.operands.front().value);
      return path != nullptr ? "count(" + nodes(*path, self) + ")"
                             : "number(" + truth(call.operands.front()) + ")";
    }
    return "number(" + truth(expression) + ")";
  }

  std::string nodes(const ExpressionPath& path, std::string_view self) const {
    std::string out(path.absolute ? "" : self);
    const Node* node = path.absolute ? &root_of(carrier_) : &carrier_;
    for (const ExpressionStep& step : path.steps) {
      if (step.name == ".") {
        continue;
      }
      if (step.name == "..") {
        node = node->parent;
        out = out == "." ? ".." : out + "/..";
        continue;
      }
      node = declared_child(*node, step.name);
      out += "/" + yang_name(*node);
      if (step.key != nullptr) {
        out += std::format("[{} = {}]", yang_key(*node), value(*step.key, "current()"));
      }
    }
    return out;
  }

  const Node& carrier_;
  const Undefaulted& undefaulted_;
};

}  // namespace

void add_undefaulted(const Node& node, Undefaulted& leaves) {
  for (const Must& must : node.musts) {
    asked(must.expression, true, node, leaves);
  }
  // A must of a leaf that is not written is not asked.
  if (node.default_value && (!node.musts.empty() || node.unique_in)) {
    leaves.insert(&node);
  }
  for (const auto& child : node.children) {
    add_undefaulted(*child, leaves);
  }
}

std::string yang_must(const Must& must, const Node& carrier, const Undefaulted& undefaulted) {
  return Writer(carrier, undefaulted).truth(must.expression);
}

std::string yang_unique_in(const Node& node) {
  const UniqueIn& unique = *node.unique_in;
  const bool is_list = node.kind == Kind::List;
  std::string up = ".";
  std::string down;
  for (const Node* at = &node; at != unique.scope; at = at->parent) {
    up += "/..";
    down = "/" + yang_name(*at) + down;
  }
  const std::string own = is_list ? yang_key(node) : ".";
  const std::string other = is_list ? "current()/" + yang_key(node) : "current()";
  if (!unique.by_address) {
    return std::format("count({}{}[{} = {}]) = 1", up, down, own, other);
  }
  std::string local;
  for (const std::string_view start : {"169.254.", "fe8", "fe9", "fea", "feb"}) {
    local += std::format("starts-with({}, '{}') or ", own, start);
  }
  return std::format("{}count({}{}[substring-before({}, '/') = substring-before({}, '/')]) = 1",
                     local, up, down, own, other);
}

}  // namespace millrace::schema
