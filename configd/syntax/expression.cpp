// SPDX-License-Identifier: GPL-2.0-or-later
//
// X3 rules call themselves, so the nesting and the length of a text are limited before they see it.
// Where only one reading is left the rules say `need`: its failure ends the parse with the place
// and the name of what was expected. (X3's own `>` can name bare rules only, not rules with
// actions.)
#include "syntax/expression.h"

#include <boost/spirit/home/x3.hpp>
#include <charconv>
#include <format>

#include "syntax/lexeme.h"

namespace millrace::syntax {
namespace {

namespace x3 = boost::spirit::x3;

constexpr std::size_t kMaxLength = 4096;
constexpr unsigned kMaxNesting = 32;

namespace grammar {

using List = std::vector<Expression>;

const x3::rule<struct OrListTag, List> or_list;
const x3::rule<struct OrTag, Expression> or_rule;
const x3::rule<struct AndListTag, List> and_list;
const x3::rule<struct AndTag, Expression> and_rule;
const x3::rule<struct NotTag, Expression> not_rule;
const x3::rule<struct CompareTag, Expression> compare;
const x3::rule<struct OperandTag, Expression> operand;
const x3::rule<struct PathTag, ExpressionPath> path;
const x3::rule<struct StepTag, ExpressionStep> step;

// Thrown and caught in this file only.
struct Unmet {
  const char* place;
  const char* expected;
};

const auto need = [](const auto& parser, const char* expected) {
  return parser | x3::eps[([expected](auto& context) {
           throw Unmet{x3::_where(context).begin(), expected};
         })];
};

const auto assign = [](auto& context) { x3::_val(context) = std::move(x3::_attr(context)); };
const auto append = [](auto& context) {
  x3::_val(context).push_back(std::move(x3::_attr(context)));
};
// A list of one is its element.
constexpr auto join = [](Operator op) {
  return [op](auto& context) {
    List& operands = x3::_attr(context);
    x3::_val(context) = operands.size() == 1
                            ? std::move(operands.front())
                            : Expression{Expression::Call{op, std::move(operands)}};
  };
};
const auto start_comparison = [](auto& context) {
  Expression left = std::move(x3::_val(context));
  Expression::Call call{x3::_attr(context), {}};
  call.operands.push_back(std::move(left));
  x3::_val(context).value = std::move(call);
};
const auto end_comparison = [](auto& context) {
  std::get<Expression::Call>(x3::_val(context).value)
      .operands.push_back(std::move(x3::_attr(context)));
};
// `not not a`: the words were counted in the vector.
const auto negate = [](auto& context) {
  using boost::fusion::at_c;
  Expression inner = std::move(at_c<1>(x3::_attr(context)));
  for (std::size_t n = at_c<0>(x3::_attr(context)).size(); n > 0; --n) {
    Expression::Call call{Operator::Not, {}};
    call.operands.push_back(std::move(inner));
    inner = Expression{std::move(call)};
  }
  x3::_val(context) = std::move(inner);
};
constexpr auto call_on_path = [](Operator op) {
  return [op](auto& context) {
    Expression::Call call{op, {}};
    call.operands.push_back(Expression{std::move(x3::_attr(context))});
    x3::_val(context).value = std::move(call);
  };
};
const auto to_path = [](auto& context) { x3::_val(context).value = std::move(x3::_attr(context)); };
const auto to_text = [](auto& context) {
  const auto& range = x3::_attr(context);
  x3::_val(context).value = std::string(range.begin(), range.end());
};
const auto to_number = [](auto& context) {
  const auto& range = x3::_attr(context);
  double number = 0;
  if (std::from_chars(range.begin(), range.end(), number).ec != std::errc{}) {
    throw Unmet{range.begin(), "a number within the range of a double"};
  }
  x3::_val(context).value = number;
};
const auto make_absolute = [](auto& context) { x3::_val(context).absolute = true; };
const auto add_step = [](auto& context) {
  x3::_val(context).steps.push_back(std::move(x3::_attr(context)));
};
const auto add_parent = [](auto& context) { x3::_val(context).steps.push_back({"..", nullptr}); };
const auto set_name = [](auto& context) {
  const auto& range = x3::_attr(context);
  x3::_val(context).name = std::string(range.begin(), range.end());
};
const auto set_key = [](auto& context) {
  x3::_val(context).key = std::make_shared<const Expression>(std::move(x3::_attr(context)));
};

struct Comparisons : x3::symbols<Operator> {
  Comparisons() {
    add("=", Operator::Equal)("!=", Operator::NotEqual)("<", Operator::Less)(
        ">", Operator::Greater)("<=", Operator::LessEqual)(">=", Operator::GreaterEqual);
  }
} const comparison;

const auto blanks = x3::omit[*x3::char_(" \t\n")];
const auto name_byte = x3::char_("A-Za-z0-9_.-");
const auto keyword = [](const char* text) { return x3::lit(text) >> !name_byte >> blanks; };
const auto name = x3::raw[x3::char_("A-Za-z0-9_") >> *name_byte];
const auto number = x3::raw[-x3::lit('-') >> +x3::digit >> -('.' >> +x3::digit)];

constexpr const char* kExpression = "an expression";

const auto or_list_def = and_rule[append] >>
                         *(keyword("or") >> need(and_rule[append], kExpression));
const auto or_rule_def = or_list[join(Operator::Or)];
const auto and_list_def = not_rule[append] >>
                          *(keyword("and") >> need(not_rule[append], kExpression));
const auto and_rule_def = and_list[join(Operator::And)];
const auto not_rule_def = (*(keyword("not") >> x3::attr('!')) >> compare)[negate];
const auto compare_def = operand[assign] >> blanks >>
                         -(comparison[start_comparison] >> blanks >>
                           need(operand[end_comparison], "an operand") >> blanks);

const auto on_path = [](const char* function, Operator op) {
  return keyword(function) >> need(x3::lit('('), "'('") >> blanks >>
         need(path[call_on_path(op)], "a path") >> blanks >> need(x3::lit(')'), "')'");
};
const auto group = '(' >> blanks >> need(or_rule[assign], kExpression) >> need(x3::lit(')'), "')'");
const auto text = '\'' >> x3::raw[*~x3::char_('\'')][to_text] >> need(x3::lit('\''), "\"'\"");
const auto operand_def = group | on_path("exists", Operator::Exists) |
                         on_path("count", Operator::Count) | path[to_path] | text |
                         number[to_number];

const auto next_step = need(step[add_step], "a name or '..'");
const auto more_steps = *('/' >> next_step);
const auto path_def = (x3::lit('/')[make_absolute] >> next_step >> more_steps) |
                      (x3::lit("..")[add_parent] >> more_steps) | ('.' >> more_steps);
const auto key = '[' >> blanks >> need(operand[set_key], "an operand") >> blanks >>
                 need(x3::lit(']'), "']'");
const auto step_def = x3::raw[x3::lit("..")][set_name] | (name[set_name] >> -key);

BOOST_SPIRIT_DEFINE(or_list, or_rule, and_list, and_rule, not_rule, compare, operand, path, step)

}  // namespace grammar

std::unexpected<base::Error> syntax_error(std::string_view text, std::size_t place,
                                          std::string_view expected) {
  const std::string found = place < text.size()
                                ? std::format("'{}'", printable(text.substr(place), 20))
                                : std::string("end of expression");
  return base::fail(base::Code::Syntax,
                    std::format("column {}: found {}, expected {}", place + 1, found, expected));
}

// The first bracket beyond the limit, or npos. Brackets within quotes are text.
std::size_t find_too_deep(std::string_view text) {
  unsigned depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\'') {
      quoted = !quoted;
    } else if (quoted) {
      continue;
    } else if (c == '(' || c == '[') {
      if (++depth > kMaxNesting) {
        return i;
      }
    } else if ((c == ')' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return std::string_view::npos;
}

}  // namespace

base::Result<Expression> parse_expression(std::string_view text) {
  if (text.size() > kMaxLength) {
    return syntax_error(text, kMaxLength, std::format("at most {} characters", kMaxLength));
  }
  if (const std::size_t bad = find_bad_byte(text); bad != std::string_view::npos) {
    return base::fail(base::Code::Syntax, std::format("column {}: found {}, expected UTF-8 text",
                                                      bad + 1, describe_bad_byte(text, bad)));
  }
  if (const std::size_t deep = find_too_deep(text); deep != std::string_view::npos) {
    return syntax_error(text, deep, std::format("at most {} levels of brackets", kMaxNesting));
  }
  const char* at = text.data();
  const char* const end = at + text.size();
  Expression expression;
  try {
    x3::parse(at, end, grammar::blanks >> grammar::need(grammar::or_rule, grammar::kExpression),
              expression);
  } catch (const grammar::Unmet& unmet) {
    return syntax_error(text, static_cast<std::size_t>(unmet.place - text.data()), unmet.expected);
  }
  if (at != end) {
    return syntax_error(text, static_cast<std::size_t>(at - text.data()),
                        "an operator or end of expression");
  }
  return expression;
}

}  // namespace millrace::syntax
