// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/must.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <variant>

namespace millrace::check {
namespace {

using schema::Kind;
using syntax::Expression;
using syntax::ExpressionPath;
using syntax::Operator;

// Names reach nameless lists too: the schema reads a `must` so.
const schema::Node* child_named(const schema::Node& node, std::string_view name) {
  if (const schema::Node* child = node.child(name)) {
    return child;
  }
  const schema::Node* list = node.nameless_list();
  return list && list->name == name ? list : nullptr;
}

const schema::Node* root_of(const schema::Node& node) {
  const schema::Node* at = &node;
  while (at->parent) {
    at = at->parent;
  }
  return at;
}

// What an operand amounts to: texts to compare, and how many things are really there.
struct Value {
  std::vector<std::string> texts;
  std::size_t count = 0;
};

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

std::string text_of(double number) {
  std::array<char, 32> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
  return {buffer.data(), result.ptr};
}

bool compare(Operator op, const std::string& left, const std::string& right) {
  const auto a = number(left);
  const auto b = number(right);
  const bool numeric = a && b;
  const bool equal = numeric ? *a == *b : left == right;
  const bool less = numeric ? *a < *b : schema::natural_less(left, right);
  switch (op) {
    case Operator::Equal:
      return equal;
    case Operator::NotEqual:
      return !equal;
    case Operator::Less:
      return less;
    case Operator::LessEqual:
      return less || equal;
    case Operator::Greater:
      return !less && !equal;
    default:
      return !less;
  }
}

class Evaluation {
 public:
  explicit Evaluation(const Place& carrier) : carrier_(carrier) {}

  bool truth(const Expression& expression) const {
    const auto* call = std::get_if<Expression::Call>(&expression.value);
    if (!call) {
      const Value found = value(expression);
      return std::holds_alternative<ExpressionPath>(expression.value)
                 ? found.count > 0
                 : !found.texts.front().empty() && found.texts.front() != "0";
    }
    const std::vector<Expression>& operands = call->operands;
    const auto holds = [&](const Expression& operand) { return truth(operand); };
    switch (call->op) {
      case Operator::Or:
        return std::ranges::any_of(operands, holds);
      case Operator::And:
        return std::ranges::all_of(operands, holds);
      case Operator::Not:
        return !truth(operands.front());
      case Operator::Exists:
      case Operator::Count:
        return value(operands.front()).count > 0;
      default:
        break;
    }
    const Value left = value(operands.front());
    const Value right = value(operands.back());
    return std::ranges::any_of(left.texts, [&](const std::string& a) {
      return std::ranges::any_of(right.texts,
                                 [&](const std::string& b) { return compare(call->op, a, b); });
    });
  }

 private:
  Value value(const Expression& expression) const {
    if (const auto* text = std::get_if<std::string>(&expression.value)) {
      return {{*text}, 1};
    }
    if (const auto* number = std::get_if<double>(&expression.value)) {
      return {{text_of(*number)}, 1};
    }
    if (const auto* path = std::get_if<ExpressionPath>(&expression.value)) {
      Value result;
      Place start = carrier_;
      if (path->absolute) {
        start.path.steps.clear();
        start.nodes.resize(1);
      }
      follow(start, path->steps, result);
      return result;
    }
    const auto& call = std::get<Expression::Call>(expression.value);
    if (call.op == Operator::Count) {
      const std::size_t count = value(call.operands.front()).count;
      return {{std::to_string(count)}, 1};
    }
    return {{truth(expression) ? "1" : "0"}, 1};
  }

  void follow(Place& place, std::span<const syntax::ExpressionStep> steps, Value& result) const {
    if (steps.empty()) {
      arrive(place.node(), result);
      return;
    }
    const syntax::ExpressionStep& step = steps.front();
    if (step.name == ".") {
      follow(place, steps.subspan(1), result);
      return;
    }
    if (step.name == "..") {
      if (!place.path.empty()) {
        const schema::PathStep left = place.path.steps.back();
        const tree::Node* node = place.nodes.back();
        place.path.steps.pop_back();
        place.nodes.pop_back();
        follow(place, steps.subspan(1), result);
        place.path.steps.push_back(left);
        place.nodes.push_back(node);
      }
      return;
    }
    const schema::Node* child = child_named(*place.node().schema(), step.name);
    if (!child) {
      return;
    }
    if (child->kind == Kind::Leaf && child->default_value && steps.size() == 1 &&
        !place.node().child(child->name)) {
      result.texts.push_back(*child->default_value);
      return;
    }
    std::optional<Value> keys;
    if (step.key) {
      keys = value(*step.key);
    }
    each_child(place, *child, [&](const Place& found) {
      if (!keys || std::ranges::find(keys->texts, found.node().name()) != keys->texts.end()) {
        follow(place, steps.subspan(1), result);
      }
    });
  }

  static void arrive(const tree::Node& node, Value& result) {
    if (!node.is_entry() && node.schema()->kind == Kind::LeafList) {
      node.children().for_each([&](const tree::NodePtr& value) {
        result.texts.emplace_back(value->name());
        ++result.count;
        return true;
      });
      return;
    }
    result.texts.emplace_back(node.is_entry() ? node.name() : node.value());
    ++result.count;
  }

  const Place& carrier_;
};

void collect(const Expression& expression, const schema::Node& carrier, std::vector<Read>& reads) {
  if (const auto* call = std::get_if<Expression::Call>(&expression.value)) {
    for (const Expression& operand : call->operands) {
      collect(operand, carrier, reads);
    }
    return;
  }
  const auto* path = std::get_if<ExpressionPath>(&expression.value);
  if (!path) {
    return;
  }
  const schema::Node* node = path->absolute ? root_of(carrier) : &carrier;
  const schema::Node* top = node;
  for (const syntax::ExpressionStep& step : path->steps) {
    if (step.key) {
      collect(*step.key, carrier, reads);
    }
    const schema::Node* next = step.name == ".."  ? node->parent
                               : step.name == "." ? node
                                                  : child_named(*node, step.name);
    if (!next) {
      return;
    }
    node = next;
    if (is_at_or_below(*top, *node)) {
      top = node;
    }
  }
  reads.push_back({node, top});
}

}  // namespace

bool holds(const syntax::Expression& expression, const Place& place) {
  return Evaluation(place).truth(expression);
}

std::vector<Read> reads(const syntax::Expression& expression, const schema::Node& carrier) {
  std::vector<Read> found;
  collect(expression, carrier, found);
  return found;
}

}  // namespace millrace::check
