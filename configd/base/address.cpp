// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <format>
#include <optional>

#include "base/check.h"

namespace millrace::base {
namespace {

struct Slashed {
  IpAddress address;
  std::uint8_t length;
};

// One to three digits without sign, blank or leading zero, at most `limit`.
std::optional<std::uint8_t> parse_length(std::string_view text, unsigned limit) {
  unsigned value = 0;
  const char* end = text.data() + text.size();
  const auto [next, status] = std::from_chars(text.data(), end, value);
  if (text.empty() || status != std::errc{} || next != end || value > limit ||
      (text.size() > 1 && text.front() == '0')) {
    return std::nullopt;
  }
  return static_cast<std::uint8_t>(value);
}

Result<Slashed> parse_slashed(std::string_view text, std::string_view kind) {
  const std::size_t slash = text.find('/');
  const auto address = IpAddress::parse(text.substr(0, slash));
  if (!address) {
    return fail(Code::BadValue, std::format("'{}' is not {}: expected address/length", text, kind));
  }
  const unsigned limit = bits(address->family());
  if (slash == std::string_view::npos) {
    return Slashed{*address, static_cast<std::uint8_t>(limit)};
  }
  const auto length = parse_length(text.substr(slash + 1), limit);
  if (!length) {
    return fail(Code::BadValue,
                std::format("'{}' is not {}: expected a length of 0..{} after the slash", text,
                            kind, limit));
  }
  return Slashed{*address, *length};
}

std::uint8_t mask_of_byte(std::size_t index, unsigned length) {
  const std::size_t start = index * 8;
  if (start >= length) {
    return 0;
  }
  const std::size_t kept = std::min<std::size_t>(8, length - start);
  return static_cast<std::uint8_t>(0xff00U >> kept);
}

}  // namespace

IpAddress::IpAddress(Family family, std::span<const std::uint8_t> bytes) : family_(family) {
  check(bytes.size() == bits(family) / 8, "an address has the bytes of its family");
  std::ranges::copy(bytes, bytes_.begin());
}

Result<IpAddress> IpAddress::parse(std::string_view text) {
  // inet_pton stops at a NUL; such a text is not an address.
  if (text.size() < INET6_ADDRSTRLEN && text.find('\0') == std::string_view::npos) {
    const std::string terminated(text);
    std::array<std::uint8_t, 16> bytes{};
    if (inet_pton(AF_INET, terminated.c_str(), bytes.data()) == 1) {
      return IpAddress(Family::Inet, std::span(bytes).first<4>());
    }
    if (inet_pton(AF_INET6, terminated.c_str(), bytes.data()) == 1) {
      return IpAddress(Family::Inet6, bytes);
    }
  }
  return fail(Code::BadValue, std::format("'{}' is not an IP address", text));
}

std::string IpAddress::to_string() const {
  if (family_ == Family::Inet) {
    return std::format("{}.{}.{}.{}", bytes_[0], bytes_[1], bytes_[2], bytes_[3]);
  }
  std::array<unsigned, 8> groups{};
  for (std::size_t i = 0; i < groups.size(); ++i) {
    groups[i] = static_cast<unsigned>(bytes_[2 * i] << 8 | bytes_[2 * i + 1]);
  }
  // RFC 5952 §5: the well-known IPv4-mapped prefix keeps the dotted quad.
  const bool mapped =
      std::ranges::all_of(groups.begin(), groups.begin() + 5, [](unsigned g) { return g == 0; }) &&
      groups[5] == 0xffff;
  if (mapped) {
    return std::format("::ffff:{}.{}.{}.{}", bytes_[12], bytes_[13], bytes_[14], bytes_[15]);
  }
  // RFC 5952 §4.2: `::` stands for the longest run of at least two zero groups, the first of
  // equals.
  std::size_t run_start = 0;
  std::size_t run_length = 0;
  for (std::size_t i = 0; i < groups.size();) {
    std::size_t j = i;
    while (j < groups.size() && groups[j] == 0) {
      ++j;
    }
    if (j - i > std::max<std::size_t>(run_length, 1)) {
      run_start = i;
      run_length = j - i;
    }
    i = j + 1;
  }
  std::string text;
  for (std::size_t i = 0; i < groups.size();) {
    if (run_length > 0 && i == run_start) {
      text += "::";
      i += run_length;
      continue;
    }
    if (!text.empty() && text.back() != ':') {
      text += ':';
    }
    std::format_to(std::back_inserter(text), "{:x}", groups[i]);
    ++i;
  }
  return text;
}

bool IpAddress::is_multicast() const {
  return family_ == Family::Inet ? (bytes_[0] & 0xf0) == 0xe0 : bytes_[0] == 0xff;
}

bool IpAddress::is_unspecified() const {
  return std::ranges::all_of(bytes(), [](std::uint8_t byte) { return byte == 0; });
}

bool IpAddress::is_v4_mapped() const {
  return family_ == Family::Inet6 && bytes_[10] == 0xff && bytes_[11] == 0xff &&
         std::all_of(bytes_.begin(), bytes_.begin() + 10, [](auto byte) { return byte == 0; });
}

bool IpAddress::is_link_local() const {
  return family_ == Family::Inet ? bytes_[0] == 169 && bytes_[1] == 254
                                 : bytes_[0] == 0xfe && (bytes_[1] & 0xc0) == 0x80;
}

Result<InterfaceAddress> InterfaceAddress::parse(std::string_view text) {
  const auto slashed = parse_slashed(text, "an interface address");
  if (!slashed) {
    return std::unexpected(slashed.error());
  }
  return InterfaceAddress{slashed->address, slashed->length};
}

std::string InterfaceAddress::to_string() const {
  return std::format("{}/{}", address.to_string(), length);
}

Prefix::Prefix(const IpAddress& address, std::uint8_t length) : length_(length) {
  check(length <= bits(address.family()), "a prefix is no longer than its address");
  std::array<std::uint8_t, 16> masked{};
  const auto bytes = address.bytes();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    masked[i] = bytes[i] & mask_of_byte(i, length);
  }
  address_ = IpAddress(address.family(), std::span(masked).first(bytes.size()));
}

Result<Prefix> Prefix::parse(std::string_view text) {
  const auto slashed = parse_slashed(text, "a prefix");
  if (!slashed) {
    return std::unexpected(slashed.error());
  }
  Prefix prefix(slashed->address, slashed->length);
  if (prefix.address_ != slashed->address) {
    return fail(Code::BadValue, std::format("'{}' has bits set beyond the prefix length", text), {},
                std::format("use {}", prefix.to_string()));
  }
  return prefix;
}

bool Prefix::contains(const IpAddress& address) const {
  return address.family() == family() && Prefix(address, length_).address_ == address_;
}

std::string Prefix::to_string() const {
  return std::format("{}/{}", address_.to_string(), length_);
}

Result<MacAddress> MacAddress::parse(std::string_view text) {
  MacAddress mac;
  bool good = text.size() == 17;
  for (std::size_t i = 0; good && i < mac.bytes.size(); ++i) {
    const char* start = text.data() + 3 * i;
    const auto [next, status] = std::from_chars(start, start + 2, mac.bytes[i], 16);
    good = status == std::errc{} && next == start + 2 && (i == 5 || *next == ':');
  }
  if (!good) {
    return fail(Code::BadValue,
                std::format("'{}' is not a MAC address: expected six pairs of hexadecimal digits "
                            "separated by colons",
                            text));
  }
  return mac;
}

std::string MacAddress::to_string() const {
  return std::format("{:02x}:{:02x}:{:02x}:{:02x}:{:02x}:{:02x}", bytes[0], bytes[1], bytes[2],
                     bytes[3], bytes[4], bytes[5]);
}

}  // namespace millrace::base
