// SPDX-License-Identifier: GPL-2.0-or-later
//
// Inside of schema/: `render` and `command` statements of a template.
#pragma once

#include "schema/reading.h"
#include "schema/schema.h"

namespace millrace::schema {

// Requires: the first word is `render` or `command`. Problems are noted; the result is whole either
// way. Whether a render's path exists is for the caller.
Render read_render(const Reading& reading, const syntax::Statement& statement);
Command read_command(const Reading& reading, const syntax::Statement& statement);

}  // namespace millrace::schema
