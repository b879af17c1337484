// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

#include "schema/schema.h"

namespace millrace::server {

// Every statement and what it does, as a Markdown table: works, warns or refused, with the reason.
std::string support_report(const schema::Schema& schema);

}  // namespace millrace::server
