// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace millrace::base {

// The password as crypt(3) keeps it, with yescrypt and a salt of its own: "$y$…". Takes tenths of a
// second, as it must. Errors: BadValue when it is shorter than six characters or no text.
Result<std::string> hash_password(std::string_view password);

}  // namespace millrace::base
