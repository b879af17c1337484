// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <vector>

#include "schema/schema.h"

namespace millrace::tree {

// What the schema says of a statement, as lines for a reader: what it is for, what it takes, what
// holds without it. The first and the last are empty.
std::vector<std::string> details_of(const schema::Node& schema);

}  // namespace millrace::tree
