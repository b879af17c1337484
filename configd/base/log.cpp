// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/log.h"

#include <unistd.h>

#include <format>
#include <string>

namespace millrace::base {

void log(Level level, std::string_view message) {
  const std::string prefix = std::format("<{}>", static_cast<unsigned>(level));
  while (message.ends_with('\n')) {
    message.remove_suffix(1);
  }
  std::string text = prefix;
  for (const char c : message) {
    // The journal starts a record of default level at every newline.
    text += c;
    if (c == '\n') {
      text += prefix;
    }
  }
  text += '\n';
  // One write, so that lines of several threads do not mix; a lost log line is not worth more.
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace millrace::base
