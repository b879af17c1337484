// SPDX-License-Identifier: GPL-2.0-or-later
//
// Elements of a chain: the name of a policy, or an expression over names in parentheses,
//
//   ( A && !B || ( C && D ) )
//
// where && binds stronger than ||. Accept and `next policy` (also: no term decided) are true,
// reject is false; what decided is the result: true is that accept or next policy, false is reject,
// and ! turns accept and next policy into reject, and reject into accept.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace millrace::appliers::policy {

struct Expression {
  enum class Kind : std::uint8_t { Name, Not, And, Or };
  Kind kind = Kind::Name;
  std::string name;
  std::vector<Expression> parts;  // one of Not, two of And and Or
};

// Errors: BadValue.
base::Result<Expression> read_expression(std::string_view element);
void collect_names(const Expression& expression, std::vector<std::string>& names);
bool negates(const Expression& expression);

}  // namespace millrace::appliers::policy
