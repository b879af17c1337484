// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace millrace::base {

void check_failed(std::string_view what, const std::source_location& where) {
  std::fprintf(stderr, "<2>check failed: %.*s (%s:%u, %s)\n", static_cast<int>(what.size()),
               what.data(), where.file_name(), static_cast<unsigned>(where.line()),
               where.function_name());
  std::abort();
}

}  // namespace millrace::base
