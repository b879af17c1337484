// SPDX-License-Identifier: GPL-2.0-or-later
//
// Invariants stay on in release: a router that knows its state is wrong must stop, be restarted and
// recover from its log rather than go on. The message names the place through the default argument.
#pragma once

#include <source_location>
#include <string_view>

namespace millrace::base {

[[noreturn]] void check_failed(std::string_view what, const std::source_location& where);

// Aborts with `what` and the place on standard error unless `holds`.
inline void check(bool holds, std::string_view what,
                  const std::source_location& where = std::source_location::current()) {
  if (!holds) [[unlikely]] {
    check_failed(what, where);
  }
}

}  // namespace millrace::base
