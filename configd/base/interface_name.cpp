// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/interface_name.h"

#include <format>

namespace millrace::base {
namespace {

constexpr std::size_t kMaxKernelName = 15;  // IFNAMSIZ - 1

}  // namespace

std::string kernel_parent(std::string_view interface) {
  return interface == "lo0" ? "lo" : std::string(interface);
}

Result<std::string> kernel_name(std::string_view interface, unsigned unit, bool vlan_tagging) {
  std::string name = kernel_parent(interface);
  if (vlan_tagging) {
    if (interface == "lo0") {
      return fail(Code::BadValue, "the loopback interface lo0 cannot carry vlans");
    }
    name = std::format("{}.{}", name, unit);
  } else if (unit != 0) {
    if (interface == "lo0") {
      return fail(Code::BadValue,
                  std::format("unit {} of lo0 has no device: only unit 0 has", unit));
    }
    return fail(Code::BadValue,
                std::format("unit {} of {} has no device: only unit 0 has without vlan-tagging",
                            unit, interface),
                {}, std::format("set vlan-tagging on {}", interface));
  }
  if (name.size() > kMaxKernelName) {
    return fail(Code::BadValue,
                std::format("the device name '{}' has {} characters: the kernel allows {}", name,
                            name.size(), kMaxKernelName));
  }
  return name;
}

}  // namespace millrace::base
