// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "server/shell.h"

namespace millrace::server {

// `show cli authorization`: what the user may do, for everybody about themselves.
Outcome show_authorization(Call& call);

}  // namespace millrace::server
