// SPDX-License-Identifier: GPL-2.0-or-later
//
// No text crashes the parser or exhausts the stack, and every message is printable.
#include <cstdint>

#include "base/check.h"
#include "syntax/expression.h"
#include "syntax/lexeme.h"

using namespace millrace;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const auto expression = syntax::parse_expression({reinterpret_cast<const char*>(bytes), size});
  if (!expression) {
    base::check(syntax::find_bad_byte(expression.error().message) == std::string::npos,
                "a message is printable");
  }
  return 0;
}
