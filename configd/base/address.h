// SPDX-License-Identifier: GPL-2.0-or-later
//
// IP addresses and prefixes as values. Bytes are in network byte order; the text forms are those of
// RFC 5952 (IPv6) and dotted quad, which is also the canonical form of configuration values.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace millrace::base {

enum class Family : std::uint8_t { Inet, Inet6 };

constexpr unsigned bits(Family family) {
  return family == Family::Inet ? 32 : 128;
}

class IpAddress {
 public:
  IpAddress() = default;  // 0.0.0.0
  // Requires: 4 bytes (Inet) or 16 bytes (Inet6), network byte order.
  IpAddress(Family family, std::span<const std::uint8_t> bytes);

  // Accepts what inet_pton accepts and nothing else. Errors: BadValue.
  static Result<IpAddress> parse(std::string_view text);

  Family family() const { return family_; }
  std::span<const std::uint8_t> bytes() const { return {bytes_.data(), bits(family_) / 8}; }
  std::string to_string() const;
  bool is_multicast() const;
  bool is_unspecified() const;
  bool is_v4_mapped() const;   // ::ffff:0:0/96 (RFC 4291 §2.5.5.2)
  bool is_link_local() const;  // 169.254/16 (RFC 3927), fe80::/10 (RFC 4291 §2.5.6)

  auto operator<=>(const IpAddress&) const = default;

 private:
  Family family_ = Family::Inet;
  std::array<std::uint8_t, 16> bytes_{};
};

// An address with the length of its network: host bits are kept, as on an interface.
struct InterfaceAddress {
  IpAddress address;
  std::uint8_t length = 0;

  // "ADDR/LEN"; a missing length means a host address. Errors: BadValue.
  static Result<InterfaceAddress> parse(std::string_view text);
  std::string to_string() const;
  auto operator<=>(const InterfaceAddress&) const = default;
};

// A network: host bits are zero.
class Prefix {
 public:
  Prefix() = default;
  // Clears the host bits of `address`. Requires: length <= bits(address.family()).
  Prefix(const IpAddress& address, std::uint8_t length);

  // "ADDR/LEN"; a missing length means a host. Set host bits are refused, since Junos and FRR
  // disagree about what they would mean. Errors: BadValue, with the corrected prefix as hint.
  static Result<Prefix> parse(std::string_view text);

  const IpAddress& address() const { return address_; }
  std::uint8_t length() const { return length_; }
  Family family() const { return address_.family(); }
  bool contains(const IpAddress& address) const;
  std::string to_string() const;
  auto operator<=>(const Prefix&) const = default;

 private:
  IpAddress address_;
  std::uint8_t length_ = 0;
};

struct MacAddress {
  std::array<std::uint8_t, 6> bytes{};

  static Result<MacAddress> parse(std::string_view text);  // "02:00:00:00:00:01"
  std::string to_string() const;                           // lower-case, colons
  auto operator<=>(const MacAddress&) const = default;
};

}  // namespace millrace::base
