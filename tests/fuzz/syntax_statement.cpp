// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whatever the text, the statements read from it print to a text without errors that reads back the
// same, and what a message quotes can go to a terminal.
#include <cstdint>

#include "base/check.h"
#include "support/statements.h"
#include "syntax/lexeme.h"

using namespace millrace;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const syntax::Document document =
      syntax::parse_statements(std::string(reinterpret_cast<const char*>(bytes), size));
  const std::string printed = support::print(document.statements);
  const syntax::Document again = syntax::parse_statements(printed);
  base::check(again.errors.empty(), "printed text has no errors");
  base::check(support::same(document.statements, again.statements), "printed text reads the same");
  base::check(support::print(again.statements) == printed, "printed text prints the same");
  for (const syntax::SyntaxError& error : document.errors) {
    const std::string message = error.to_string() + error.context;
    base::check(syntax::find_bad_byte(message) == std::string::npos, "a message is printable");
    base::check(message.find('\n') == std::string::npos, "a message is one line");
  }
  return 0;
}
