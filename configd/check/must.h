// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <vector>

#include "check/place.h"
#include "syntax/expression.h"

namespace millrace::check {

// Whether the constraint holds at the place. A leaf that is absent compares as its default;
// `exists` and `count` see only what is written. Numbers compare as numbers when both sides are
// some.
bool holds(const syntax::Expression& expression, const Place& place);

// What `expression` at `carrier` looks at: `node`, reached from `top`, the highest schema node on
// the way. A change of an instance of `node` can matter only to carriers below the same `top`.
struct Read {
  const schema::Node* node;
  const schema::Node* top;
};
std::vector<Read> reads(const syntax::Expression& expression, const schema::Node& carrier);

}  // namespace millrace::check
