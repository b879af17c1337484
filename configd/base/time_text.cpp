// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/time_text.h"

#include <array>
#include <ctime>

namespace millrace::base {

std::string local_time(std::int64_t seconds, const char* format) {
  const std::time_t time = seconds;
  std::tm parts{};
  localtime_r(&time, &parts);
  std::array<char, 256> text{};
  return {text.data(), std::strftime(text.data(), text.size(), format, &parts)};
}

}  // namespace millrace::base
