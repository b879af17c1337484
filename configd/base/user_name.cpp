// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/user_name.h"

#include <pwd.h>

#include <array>

namespace millrace::base {

std::optional<std::string> user_name(uid_t uid) {
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 16384> buffer{};
  if (getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &found) != 0 || !found) {
    return std::nullopt;
  }
  return entry.pw_name;
}

}  // namespace millrace::base
