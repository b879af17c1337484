// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is accepted as an address has one canonical text, which is accepted as the same address.
#include <cstdint>

#include "base/address.h"
#include "base/check.h"

namespace {

template <class T>
void check_canonical(std::string_view text) {
  if (const auto value = T::parse(text)) {
    const std::string canonical = value->to_string();
    const auto again = T::parse(canonical);
    millrace::base::check(again && *again == *value, "canonical text is the same value");
    millrace::base::check(again->to_string() == canonical, "canonical text is its own");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  check_canonical<millrace::base::IpAddress>(text);
  check_canonical<millrace::base::InterfaceAddress>(text);
  check_canonical<millrace::base::Prefix>(text);
  check_canonical<millrace::base::MacAddress>(text);
  return 0;
}
