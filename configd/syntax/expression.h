// SPDX-License-Identifier: GPL-2.0-or-later
//
// The `must` language: no XPath, so that every constraint has a known set of nodes it reads.
//
//   expr    := and ("or" and)*;  and := not ("and" not)*;  not := "not" not | compare
//   compare := operand (("=" | "!=" | "<" | ">" | "<=" | ">=") operand)?
//   operand := "(" expr ")" | "exists(" path ")" | "count(" path ")" | path | literal
//   path    := ("/" | "./" | "../") step ("/" step)* | "." | "..";
//   step    := ".." | name | name "[" operand "]"
//   literal := "'" text "'" | number
//
// A path is relative to the node that carries the `must` (`.`) unless it starts with `/`. A step
// with a key selects one list entry; a list without a key means all its entries (for count, exists
// and the comparisons, which hold when any value does).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"

namespace millrace::syntax {

struct Expression;

struct ExpressionStep {
  std::string name;                       // ".." or a statement name
  std::shared_ptr<const Expression> key;  // of a list entry; null: all entries
};

struct ExpressionPath {
  bool absolute = false;
  std::vector<ExpressionStep> steps;  // empty: the node itself
};

enum class Operator : std::uint8_t {
  Or,
  And,
  Not,
  Equal,
  NotEqual,
  Less,
  Greater,
  LessEqual,
  GreaterEqual,
  Exists,
  Count,
};

struct Expression {
  struct Call {
    Operator op;
    std::vector<Expression> operands;
  };
  std::variant<std::string, double, ExpressionPath, Call> value;
};

// Errors: Syntax, with the column in the message.
base::Result<Expression> parse_expression(std::string_view text);

}  // namespace millrace::syntax
