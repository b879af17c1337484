// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of schema/: `type NAME { … }` of a template.
#pragma once

#include "schema/reading.h"
#include "schema/type.h"

namespace millrace::schema {

// Requires: the first word is `type`. Notes problems; the type is usable either way. A member of a
// union may have a `ref`.
Type read_type(const Reading& reading, const syntax::Statement& statement, bool in_union = false);

// Whether a canonical value of the type may begin with `-`, and so be taken for an option.
bool may_begin_with_dash(const Type& type);

}  // namespace millrace::schema
