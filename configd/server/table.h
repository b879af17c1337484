// SPDX-License-Identifier: GPL-2.0-or-later
//
// `| display table`: structured output as tables. Every list of objects is one table, objects in an
// object are columns named "outer.inner", lists of plain values are one cell. A list inside of the
// rows of another is a table of its own, whose first columns name the rows that it belongs to.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace millrace::server {

std::string to_table(const nlohmann::ordered_json& data);

}  // namespace millrace::server
