// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/expression.h"

#include <gtest/gtest.h>

#include <array>
#include <format>

namespace millrace::syntax {
namespace {

std::string show(const Expression& expression);

std::string show(const ExpressionPath& path) {
  std::string text = path.absolute ? "/" : ".";
  for (const ExpressionStep& step : path.steps) {
    text += ":" + step.name + (step.key ? "[" + show(*step.key) + "]" : "");
  }
  return text;
}

// Prefix form: (and a b), paths as .:step:step, texts in quotes.
std::string show(const Expression& expression) {
  static constexpr std::array kNames{"or", "and", "not", "=",      "!=",   "<",
                                     ">",  "<=",  ">=",  "exists", "count"};
  if (const auto* text = std::get_if<std::string>(&expression.value)) {
    return "'" + *text + "'";
  }
  if (const auto* number = std::get_if<double>(&expression.value)) {
    return std::format("{}", *number);
  }
  if (const auto* path = std::get_if<ExpressionPath>(&expression.value)) {
    return show(*path);
  }
  const auto& call = std::get<Expression::Call>(expression.value);
  std::string text = std::format("({}", kNames.at(static_cast<std::size_t>(call.op)));
  for (const Expression& operand : call.operands) {
    text += " " + show(operand);
  }
  return text + ")";
}

std::string read(std::string_view text) {
  const auto expression = parse_expression(text);
  if (!expression) {
    EXPECT_EQ(expression.error().code, base::Code::Syntax);
    return expression.error().message;
  }
  return show(*expression);
}

TEST(Expression, Literals_are_text_and_numbers) {
  EXPECT_EQ(read("'a (b] or \"c\"'"), "'a (b] or \"c\"'");
  EXPECT_EQ(read("''"), "''");
  EXPECT_EQ(read("42"), "42");
  EXPECT_EQ(read(" -1.5 "), "-1.5");
}

TEST(Expression, Paths_are_relative_or_absolute) {
  EXPECT_EQ(read("."), ".");
  EXPECT_EQ(read(".."), ".:..");
  EXPECT_EQ(read("./a"), ".:a");
  EXPECT_EQ(read("../../802.3ad"), ".:..:..:802.3ad");
  EXPECT_EQ(read("/a/b-c/d_e"), "/:a:b-c:d_e");
  EXPECT_EQ(read("../b/../c"), ".:..:b:..:c");
}

TEST(Expression, Steps_may_have_a_key) {
  EXPECT_EQ(read("/a/group[ 'x y' ]/b"), "/:a:group['x y']:b");
  EXPECT_EQ(read("/interfaces[../name]/unit[0]"), "/:interfaces[.:..:name]:unit[0]");
}

TEST(Expression, Not_binds_before_and_before_or) {
  EXPECT_EQ(read("./a or not ./b and ./c"), "(or .:a (and (not .:b) .:c))");
  EXPECT_EQ(read("(./a or ./b) and ./c"), "(and (or .:a .:b) .:c)");
  EXPECT_EQ(read("./a or ./b or ./c"), "(or .:a .:b .:c)");
  EXPECT_EQ(read("not not ./a"), "(not (not .:a))");
  EXPECT_EQ(read("not(./a)"), "(not .:a)");
}

TEST(Expression, Comparisons_bind_tightest) {
  EXPECT_EQ(read("./a=1 and ./b != 'x'"), "(and (= .:a 1) (!= .:b 'x'))");
  EXPECT_EQ(read("not ./a < ./b"), "(not (< .:a .:b))");
  EXPECT_EQ(read("./a<=1 or ./a>=2 or ./a>3"), "(or (<= .:a 1) (>= .:a 2) (> .:a 3))");
  EXPECT_EQ(read("(./a = 1)"), "(= .:a 1)");
}

TEST(Expression, Functions_take_a_path) {
  EXPECT_EQ(read("exists(./a) and count( /b/c ) <= 3"), "(and (exists .:a) (<= (count /:b:c) 3))");
}

TEST(ExpressionError, Place_and_expectation_are_named) {
  EXPECT_EQ(read(""), "column 1: found end of expression, expected an expression");
  EXPECT_EQ(read("./a and"), "column 8: found end of expression, expected an expression");
  EXPECT_EQ(read("./a = )"), "column 7: found ')', expected an operand");
  EXPECT_EQ(read("(./a"), "column 5: found end of expression, expected ')'");
  EXPECT_EQ(read("exists ./a"), "column 8: found './a', expected '('");
  EXPECT_EQ(read("exists('a')"), "column 8: found ''a')', expected a path");
  EXPECT_EQ(read("/a/"), "column 4: found end of expression, expected a name or '..'");
  EXPECT_EQ(read("/"), "column 2: found end of expression, expected a name or '..'");
  EXPECT_EQ(read("/a[1"), "column 5: found end of expression, expected ']'");
  EXPECT_EQ(read("'a"), "column 3: found end of expression, expected \"'\"");
  EXPECT_EQ(read("./a ./b"), "column 5: found './b', expected an operator or end of expression");
  EXPECT_EQ(read("./a = 1 = 2"),
            "column 9: found '= 2', expected an operator or end of expression");
  EXPECT_EQ(read("name = 1"), "column 1: found 'name = 1', expected an expression");
}

TEST(ExpressionError, Nesting_and_length_are_limited) {
  EXPECT_EQ(read(std::string(32, '(') + "1" + std::string(32, ')')), "1");
  EXPECT_EQ(read(std::string(4000, '(')),
            "column 33: found '((((((((((((((((((((...', expected at most 32 levels of brackets");
  EXPECT_EQ(read("'" + std::string(5000, 'a') + "'").substr(0, 12), "column 4097:");
  std::string nots;
  for (int i = 0; i < 1000; ++i) {
    nots += "not ";
  }
  EXPECT_TRUE(parse_expression(nots + "./a"));
}

TEST(ExpressionError, Number_out_of_range_is_refused) {
  EXPECT_NE(read(std::string(400, '9')).find("expected a number within the range"),
            std::string::npos);
}

TEST(ExpressionError, Bad_bytes_are_refused) {
  EXPECT_EQ(read("'\x1b'"), "column 2: found control character 0x1b, expected UTF-8 text");
}

}  // namespace
}  // namespace millrace::syntax
