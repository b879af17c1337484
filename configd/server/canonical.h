// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

#include "ops/commands.h"
#include "server/shell.h"

namespace millrace::server {

// A command as rules and records have it: its words, the values of arguments without a name, then
// the named ones in the order of the template.
std::string canonical(const ops::Match& match);

// A command of configuration mode for the record: paths from the top in whole words, values of
// secrets masked. Words that are no path and might hold anything are left out.
std::string canonical(const Call& call, const NamedHandler& row);

// "interfaces eth0 unit 0 description x": the statements that `walks` name below `level`.
std::string canonical(const tree::Path& level, std::span<const schema::Walk> walks);

}  // namespace millrace::server
