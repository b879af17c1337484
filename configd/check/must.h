// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "check/index.h"
#include "check/place.h"
#include "check/rulebook.h"
#include "syntax/expression.h"

namespace millrace::check {

// Whether the constraint holds at the place. A leaf that is absent compares as its default;
// `exists` and `count` see only what is written. Numbers compare as numbers when both sides are
// some. With the index of the place's tree (null: none is at hand) a look at all entries of a list
// costs no walk through them, save a comparison by order, which looks at every value there is once.
bool holds(const syntax::Expression& expression, const Place& place, const Rulebook& book,
           const Index* index);

}  // namespace millrace::check
