// SPDX-License-Identifier: GPL-2.0-or-later
//
// Types of the field. A type turns the text that a person wrote into the canonical text that is
// stored, compared and rendered ("0010" → "10", "2001:DB8::0/32" → "2001:db8::/32"), or says why it
// cannot. Values stay text in the tree: typed access parses the canonical form again, which is
// cheap and cannot fail.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace millrace::schema {

struct Node;

enum class BaseType : std::uint8_t {
  Empty,        // presence: no value (`disable;`)
  String,       // pattern, length; never a control character
  Integer,      // range, signed 64 bit
  Boolean,      // "true" | "false"
  Enumeration,  // one of `values`
  IpAddress,    // either family
  Ipv4Address,
  Ipv6Address,
  IpPrefix,  // host bits zero
  Ipv4Prefix,
  Ipv6Prefix,
  InterfaceAddress,  // ADDR/LEN with host bits
  Ipv4InterfaceAddress,
  Ipv6InterfaceAddress,
  InterfaceName,     // a physical interface: eth0, lo0, ae0, …
  LogicalInterface,  // IF.UNIT; a bare IF is stored as IF.0
  MacAddress,
  HostName,    // one label, RFC 1123 §2.1
  DomainName,  // labels with dots
  Host,        // address or domain name
  AsNumber,    // 1..4294967295; asdot (RFC 5396) accepted, stored as asplain
  Union,       // the first of `members` that accepts
};

struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

struct EnumValue {
  std::string name;
  std::string help;
};

struct Type {
  BaseType base = BaseType::Empty;
  std::vector<Range> ranges;          // Integer: value; String: length in characters
  std::string pattern;                // String: POSIX extended, whole value
  std::vector<std::string> reserved;  // String: names that stand for something already
  std::vector<EnumValue> values;      // Enumeration
  std::vector<Type> members;          // Union
  std::string units;                  // "seconds", for help
  // Of a member of a union: what it accepts must be defined there, as with Reference, unless
  // another member accepts it too. For a name that stands beside addresses.
  std::string reference;
  const Node* target = nullptr;

  // Errors: BadValue; the message says what was found and what is expected.
  base::Result<std::string> canonical(std::string_view text) const;

  // "<address>", "<1..65535>" …: what `?` prints at the value.
  std::string placeholder() const;
};

// Strict weak order of canonical values as people expect it: digit runs by value (eth2 < eth10,
// 10.0.0.9 < 10.0.0.10), everything else by byte. Total: equal only when the texts are equal.
bool natural_less(std::string_view left, std::string_view right);

}  // namespace millrace::schema
