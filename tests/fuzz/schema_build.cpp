// SPDX-License-Identifier: GPL-2.0-or-later
//
// No template crashes the build; it makes a schema or says what is wrong, with a place.
#include <cstdint>
#include <string>

#include "base/check.h"
#include "schema/schema.h"

using namespace millrace;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(bytes), size);
  const auto schema = schema::build(
      {{"a.tmpl", "feature a { help \"A\"; " + text + "}"}, {"b.tmpl", std::move(text)}});
  if (!schema) {
    base::check(schema.error().message.find(".tmpl:") != std::string::npos,
                "a problem has a place");
  }
  return 0;
}
