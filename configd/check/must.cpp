// SPDX-License-Identifier: GPL-2.0-or-later
#include "check/must.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>
#include <string>
#include <variant>

#include "check/lines.h"

namespace millrace::check {
namespace {

using schema::Kind;
using syntax::Expression;
using syntax::ExpressionPath;
using syntax::Operator;

std::optional<double> number(const std::string& normal) {
  double value = 0;
  const char* const last = normal.data() + normal.size();
  const auto [end, error] = std::from_chars(normal.data(), last, value);
  const bool is_one = error == std::errc() && end == last &&
                      normal[normal.front() == '-' ? 1 : 0] >= '0' &&
                      normal[normal.front() == '-' ? 1 : 0] <= '9';
  return is_one ? std::optional(value) : std::nullopt;
}

// Of two whole numbers, exactly: a double cannot tell those beyond 2^53 apart.
std::optional<bool> whole_less(const std::string& left, const std::string& right) {
  const auto digits = [](const std::string& text) -> std::optional<std::string_view> {
    const std::string_view found = std::string_view(text).substr(text.starts_with('-') ? 1 : 0);
    const bool all =
        !found.empty() && std::ranges::all_of(found, [](char c) { return c >= '0' && c <= '9'; });
    return all ? std::optional(found) : std::nullopt;
  };
  const auto a = digits(left);
  const auto b = digits(right);
  if (!a || !b) {
    return std::nullopt;
  }
  if (left.starts_with('-') != right.starts_with('-')) {
    return left.starts_with('-');
  }
  const bool less = a->size() != b->size() ? a->size() < b->size() : *a < *b;
  return left.starts_with('-') ? !less && left != right : less;
}

// Requires: both are in normal form.
bool compare(Operator op, const std::string& left, const std::string& right) {
  if (op == Operator::Equal || op == Operator::NotEqual) {
    return (left == right) == (op == Operator::Equal);
  }
  const auto a = number(left);
  const auto b = number(right);
  const auto whole = whole_less(left, right);
  const bool less = whole ? *whole : a && b ? *a < *b : schema::natural_less(left, right);
  switch (op) {
    case Operator::Less:
      return less;
    case Operator::LessEqual:
      return less || left == right;
    case Operator::Greater:
      return !less && left != right;
    default:
      return !less;
  }
}

class Evaluation {
 public:
  Evaluation(const Place& carrier, const Rulebook& book, const Index* index)
      : carrier_(carrier), book_(book), index_(index) {}

  bool truth(const Expression& expression) const {
    if (std::holds_alternative<ExpressionPath>(expression.value)) {
      return exists(expression);
    }
    const auto* call = std::get_if<Expression::Call>(&expression.value);
    if (!call) {
      bool is_true = false;
      each_text(expression, [&](const std::string& text) {
        is_true = !text.empty() && text != "0";
        return false;
      });
      return is_true;
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
        return exists(operands.front());
      default:
        return any_compares(call->op, operands.front(), operands.back());
    }
  }

 private:
  // Both return false to stop.
  using VisitText = std::function<bool(const std::string& normal)>;
  using VisitFound = std::function<bool(std::string_view text, std::size_t instances)>;

  // Whether a value of the left and a value of the right side compare so.
  bool any_compares(Operator op, const Expression& left, const Expression& right) const {
    const bool equal = op == Operator::Equal;
    if (equal && counted(left)) {
      return any_equal(*counted(left), right);
    }
    if (equal && counted(right)) {
      return any_equal(*counted(right), left);
    }
    std::vector<std::string> others;
    each_text(right, [&](const std::string& text) {
      others.push_back(text);
      return true;
    });
    bool found = false;
    each_text(left, [&](const std::string& text) {
      found = std::ranges::any_of(
          others, [&](const std::string& other) { return compare(op, text, other); });
      return !found;
    });
    return found;
  }

  bool any_equal(const Read& read, const Expression& other) const {
    bool found = false;
    each_text(other, [&](const std::string& text) {
      found = index_->holds((line(Line::Kind::Value, read) << text).text());
      return !found;
    });
    return found;
  }

  // What the index knows of an operand; null when it has to be looked for in the tree.
  const Read* counted(const Expression& expression) const {
    const auto* path = std::get_if<ExpressionPath>(&expression.value);
    const Read* read = path && index_ ? book_.read(*path) : nullptr;
    return read && read->counted ? read : nullptr;
  }

  Line line(Line::Kind kind, const Read& read) const {
    Line line(kind, read.id);
    line.fields(keys_of(carrier_.path), 0, keys_to(*read.top));
    return line;
  }

  bool exists(const Expression& expression) const { return count(expression, 1) > 0; }

  // The number of instances; not more than `enough` need to be told apart.
  std::size_t count(const Expression& expression, std::size_t enough) const {
    if (const Read* read = counted(expression)) {
      return index_->count(line(Line::Kind::Count, *read).text());
    }
    const auto* path = std::get_if<ExpressionPath>(&expression.value);
    if (!path) {
      return truth(expression) ? 1 : 0;
    }
    std::size_t total = 0;
    each_found(*path, [&](std::string_view, std::size_t instances) {
      total += instances;
      return total < enough;
    });
    return total;
  }

  // Values in normal form; those of one index line once.
  void each_text(const Expression& expression, const VisitText& visit) const {
    if (const auto* text = std::get_if<std::string>(&expression.value)) {
      visit(normal(*text));
    } else if (const auto* value = std::get_if<double>(&expression.value)) {
      visit(normal(number_text(*value)));
    } else if (const Read* read = counted(expression)) {
      const std::string prefix = line(Line::Kind::Value, *read).text();
      index_->each(prefix, [&](std::string_view found, std::uint32_t) {
        return visit(std::string(found.substr(prefix.size(), found.size() - prefix.size() - 1)));
      });
    } else if (const auto* path = std::get_if<ExpressionPath>(&expression.value)) {
      each_found(*path, [&](std::string_view text, std::size_t) { return visit(normal(text)); });
    } else if (const auto& call = std::get<Expression::Call>(expression.value);
               call.op == Operator::Count) {
      visit(std::to_string(count(call.operands.front(), std::string::npos)));
    } else {
      visit(truth(expression) ? "1" : "0");
    }
  }

  static std::string number_text(double value) {
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
  }

  void each_found(const ExpressionPath& path, const VisitFound& visit) const {
    Place start = carrier_;
    if (path.absolute) {
      start.path.steps.clear();
      start.nodes.resize(1);
    }
    follow(start, path.steps, visit);
  }

  // Returns false when `visit` stopped.
  bool follow(Place& place, std::span<const syntax::ExpressionStep> steps,
              const VisitFound& visit) const {
    if (steps.empty()) {
      return arrive(place.node(), visit);
    }
    const syntax::ExpressionStep& step = steps.front();
    if (step.name == ".") {
      return follow(place, steps.subspan(1), visit);
    }
    if (step.name == "..") {
      if (place.path.empty()) {
        return true;
      }
      const schema::PathStep left = place.path.steps.back();
      const tree::Node* node = place.nodes.back();
      place.path.steps.pop_back();
      place.nodes.pop_back();
      const bool go_on = follow(place, steps.subspan(1), visit);
      place.path.steps.push_back(left);
      place.nodes.push_back(node);
      return go_on;
    }
    const schema::Node* child = child_named(*place.node().schema(), step.name);
    if (!child) {
      return true;
    }
    const tree::Node* statement = place.node().child(child->name);
    if (!statement) {
      return !child->default_value || steps.size() > 1 || visit(*child->default_value, 0);
    }
    place.path.steps.push_back({child, {}, false});
    place.nodes.push_back(statement);
    const bool go_on = child->kind == Kind::List
                           ? enter(place, *statement, step, steps.subspan(1), visit)
                           : follow(place, steps.subspan(1), visit);
    place.path.steps.pop_back();
    place.nodes.pop_back();
    return go_on;
  }

  // The entries of the list that `place` ends with: those of the step's keys, or all.
  bool enter(Place& place, const tree::Node& list, const syntax::ExpressionStep& step,
             std::span<const syntax::ExpressionStep> rest, const VisitFound& visit) const {
    bool go_on = true;
    const auto each = [&](const tree::Node& entry) {
      place.path.steps.back() = {list.schema(), std::string(entry.name()), true};
      place.nodes.back() = &entry;
      go_on = follow(place, rest, visit);
      return go_on;
    };
    if (!step.key) {
      list.children().for_each([&](const tree::NodePtr& entry) { return each(*entry); });
      return go_on;
    }
    for (const std::string& key : keys(*step.key)) {
      const tree::Node* entry = list.child(key);
      if (entry && !each(*entry)) {
        break;
      }
    }
    return go_on;
  }

  // Keys are compared as they are written, unlike values.
  std::set<std::string> keys(const Expression& expression) const {
    std::set<std::string> keys;
    if (const auto* text = std::get_if<std::string>(&expression.value)) {
      keys.insert(*text);
    } else if (const auto* path = std::get_if<ExpressionPath>(&expression.value)) {
      each_found(*path, [&](std::string_view found, std::size_t) {
        keys.emplace(found);
        return true;
      });
    } else {
      each_text(expression, [&](const std::string& text) {
        keys.insert(text);
        return true;
      });
    }
    return keys;
  }

  static bool arrive(const tree::Node& node, const VisitFound& visit) {
    if (node.is_entry() || node.schema()->kind != Kind::LeafList) {
      return visit(node.is_entry() ? node.name() : node.value(), 1);
    }
    bool go_on = true;
    node.children().for_each([&](const tree::NodePtr& value) {
      go_on = visit(value->name(), 1);
      return go_on;
    });
    return go_on;
  }

  const Place& carrier_;
  const Rulebook& book_;
  const Index* index_;
};

}  // namespace

bool holds(const syntax::Expression& expression, const Place& place, const Rulebook& book,
           const Index* index) {
  return Evaluation(place, book, index).truth(expression);
}

}  // namespace millrace::check
