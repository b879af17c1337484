// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace millrace::base {

// A time, in seconds since 1970, as a clock on the router's wall shows it. `format` is of
// strftime(3); what it makes beyond 255 bytes is left out as a whole: then the text is empty.
std::string local_time(std::int64_t seconds, const char* format);

}  // namespace millrace::base
