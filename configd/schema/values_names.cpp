// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names of interfaces and hosts.
//
// An interface is written ethN, aeN, wgN, ge-/xe-/et-F/P/N, or is one of lo0, irb, st0, gr0, ip0.
// Numbers have no leading zero, so that one interface has one name, and at most three digits, so
// that `ethN.U` fits the 15 characters of a kernel name (net/core/dev.c: dev_valid_name).
#include <algorithm>
#include <array>
#include <charconv>
#include <format>

#include "base/address.h"
#include "schema/values.h"

namespace millrace::schema {

namespace {

constexpr std::size_t kNumberDigits = 3;
constexpr unsigned kMaxUnit = 16385;
constexpr std::size_t kMaxLabel = 63;    // RFC 1035 §2.3.4
constexpr std::size_t kMaxDomain = 253;  // 255 octets on the wire, less the length and root octets

bool is_digit(char byte) {
  return byte >= '0' && byte <= '9';
}
bool is_alphanumeric(char byte) {
  return is_digit(byte) || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

bool is_number(std::string_view text, std::size_t digits) {
  return !text.empty() && text.size() <= digits && std::ranges::all_of(text, is_digit) &&
         (text.size() == 1 || text[0] != '0');
}

bool is_slot(std::string_view text) {
  for (int part = 0; part < 2; ++part) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos || !is_number(text.substr(0, slash), kNumberDigits)) {
      return false;
    }
    text.remove_prefix(slash + 1);
  }
  return is_number(text, kNumberDigits);
}

bool is_interface(std::string_view text) {
  constexpr std::array<std::string_view, 5> fixed = {"lo0", "irb", "st0", "gr0", "ip0"};
  constexpr std::array<std::string_view, 3> numbered = {"eth", "ae", "wg"};
  constexpr std::array<std::string_view, 3> slotted = {"ge-", "xe-", "et-"};
  if (std::ranges::find(fixed, text) != fixed.end()) {
    return true;
  }
  for (const std::string_view start : numbered) {
    if (text.starts_with(start) && is_number(text.substr(start.size()), kNumberDigits)) {
      return true;
    }
  }
  for (const std::string_view start : slotted) {
    if (text.starts_with(start) && is_slot(text.substr(start.size()))) {
      return true;
    }
  }
  return false;
}

bool is_label(std::string_view text) {
  return !text.empty() && text.size() <= kMaxLabel && text.front() != '-' && text.back() != '-' &&
         std::ranges::all_of(text, [](char byte) { return is_alphanumeric(byte) || byte == '-'; });
}

}  // namespace

base::Result<std::string> canonical_interface(const Type& type, std::string_view text) {
  if (!is_interface(text)) {
    return invalid(text, "the name of an interface, such as eth0 or lo0");
  }
  if (!type.pattern.empty() && !matches(type.pattern, text)) {
    return invalid(text, std::format("an interface that matches {}", type.pattern));
  }
  return std::string(text);
}

base::Result<std::string> canonical_logical_interface(const Type& type, std::string_view text) {
  const std::size_t dot = text.find('.');
  const std::string_view interface = text.substr(0, dot);
  const std::string_view unit = dot == std::string_view::npos ? "0" : text.substr(dot + 1);
  unsigned number = kMaxUnit + 1;
  if (is_number(unit, 5)) {
    std::from_chars(unit.data(), unit.data() + unit.size(), number);
  }
  if (!is_interface(interface) || number > kMaxUnit) {
    return invalid(text, std::format("an interface and a unit (0..{}), such as eth0.0", kMaxUnit));
  }
  if (!type.pattern.empty() && !matches(type.pattern, interface)) {
    return invalid(text, std::format("an interface that matches {}", type.pattern));
  }
  return std::format("{}.{}", interface, unit);
}

base::Result<std::string> canonical_host_name(std::string_view text) {
  if (!is_label(text)) {
    return invalid(text, "1..63 letters, digits and inner hyphens");
  }
  return std::string(text);
}

// The last label holds a letter (RFC 1123 §2.1), so that 10.0.0.300 is a wrong address, not a name.
base::Result<std::string> canonical_domain_name(std::string_view text) {
  std::string_view rest = text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
  const std::string canonical(rest);
  bool good = canonical.size() <= kMaxDomain;
  while (good) {
    const std::size_t dot = rest.find('.');
    const std::string_view label = rest.substr(0, dot);
    good = is_label(label);
    if (dot == std::string_view::npos) {
      good = good && !std::ranges::all_of(label, is_digit);
      break;
    }
    rest.remove_prefix(dot + 1);
  }
  if (!good) {
    return invalid(text, "a domain name: labels of letters, digits and inner hyphens");
  }
  return canonical;
}

base::Result<std::string> canonical_host(std::string_view text) {
  if (const auto address = base::IpAddress::parse(text)) {
    return address->to_string();
  }
  if (auto name = canonical_domain_name(text)) {
    return name;
  }
  return invalid(text, "an address or a domain name");
}

}  // namespace millrace::schema
