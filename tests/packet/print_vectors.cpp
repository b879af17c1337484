// SPDX-License-Identifier: GPL-2.0-or-later
//
// Prints the vectors for router_test.py, one a line: plain|other, REASON, IN, OUT or -, NAME.
#include <cstdio>

#include "packet/vectors.h"

int main() {
  const auto hex = [](const millrace::packet::Frame& frame) {
    std::string text;
    char digits[3];
    for (const unsigned byte : frame) {
      std::snprintf(digits, sizeof digits, "%02x", byte);
      text += digits;
    }
    return text.empty() ? "-" : text;
  };
  for (const auto& vector : millrace::packet::vectors()) {
    std::printf("%s %d %s %s %s\n", vector.plain ? "plain" : "other", vector.reason,
                hex(vector.in).c_str(), hex(vector.out).c_str(), vector.name.c_str());
  }
}
