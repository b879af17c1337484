// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/connected.h"

#include <charconv>

#include "base/interface_name.h"
#include "tree/view.h"

namespace millrace::appliers {

using tree::View;

std::string device_of(const tree::ConfigTree& tree, std::string_view logical) {
  const std::size_t dot = logical.find('.');
  const std::string_view interface = logical.substr(0, dot);
  unsigned unit = 0;
  const std::string_view number = logical.substr(dot + 1);
  std::from_chars(number.data(), number.data() + number.size(), unit);
  const bool tagged = View(tree)["interfaces"].entry(interface)["vlan-tagging"].exists();
  return base::kernel_name(interface, unit, tagged).value_or(std::string(logical));
}

Connected::Connected(const tree::ConfigTree& tree) {
  for (const auto& [name, interface] : View(tree)["interfaces"]["interface"].entries()) {
    const bool tagged = interface["vlan-tagging"].exists();
    for (const auto& [number, unit] : interface["unit"].entries()) {
      unsigned unit_number = 0;
      std::from_chars(number.data(), number.data() + number.size(), unit_number);
      const auto device = base::kernel_name(name, unit_number, tagged);
      for (const char* const family : {"inet", "inet6"}) {
        for (const auto& [text, entry] : unit["family"][family]["address"].entries()) {
          if (const auto own = base::InterfaceAddress::parse(text); own && device) {
            networks_.emplace(base::Prefix(own->address, own->length), *device);
          }
        }
      }
    }
  }
}

const std::string* Connected::device_to(const base::IpAddress& address) const {
  const std::uint8_t longest = address.family() == base::Family::Inet ? 32 : 128;
  for (std::uint8_t length = longest; length > 0; --length) {
    const auto found = networks_.find(base::Prefix(address, length));
    if (found != networks_.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

}  // namespace millrace::appliers
