// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/type.h"

#include <algorithm>
#include <charconv>
#include <format>

#include "base/address.h"
#include "schema/values.h"

namespace millrace::schema {

namespace {

using Canonical = base::Result<std::string>;

constexpr std::int64_t kMaxAsNumber = 4294967295;
constexpr std::int64_t kMaxHalfAsNumber = 65535;

std::unexpected<base::Error> out_of_range(std::string_view text, std::string_view ranges) {
  return base::fail(base::Code::BadValue,
                    std::format("Value {} is not within range ({})", shown(text), ranges));
}

enum class Number : std::uint8_t { Good, TooLarge, None };

Number parse_number(std::string_view text, std::int64_t& number) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (end != last || error == std::errc::invalid_argument) {
    return Number::None;
  }
  return error == std::errc() ? Number::Good : Number::TooLarge;
}

Canonical canonical_integer(const Type& type, std::string_view text) {
  std::int64_t number = 0;
  switch (parse_number(text, number)) {
    case Number::None:
      return invalid(text, "a number");
    case Number::TooLarge:
      return type.ranges.empty() ? invalid(text, "a number of at most 63 bits")
                                 : out_of_range(text, ranges_text(type.ranges));
    case Number::Good:
      break;
  }
  const auto holds = [&](const Range& r) { return number >= r.low && number <= r.high; };
  if (!type.ranges.empty() && std::ranges::none_of(type.ranges, holds)) {
    return out_of_range(text, ranges_text(type.ranges));
  }
  return std::to_string(number);
}

// One half of asdot (RFC 5396 §2).
bool parse_half(std::string_view text, std::int64_t& number) {
  return parse_number(text, number) == Number::Good && number >= 0 && number <= kMaxHalfAsNumber;
}

Canonical canonical_as_number(std::string_view text) {
  const std::size_t dot = text.find('.');
  std::int64_t number = 0;
  Number kind = Number::Good;
  if (dot == std::string_view::npos) {
    kind = parse_number(text, number);
  } else {
    std::int64_t high = 0;
    std::int64_t low = 0;
    if (parse_half(text.substr(0, dot), high) && parse_half(text.substr(dot + 1), low)) {
      number = high * (kMaxHalfAsNumber + 1) + low;
    } else {
      kind = Number::None;
    }
  }
  if (kind == Number::None) {
    return invalid(text, "an AS number, plain or as HIGH.LOW");
  }
  if (kind == Number::TooLarge || number < 1 || number > kMaxAsNumber) {
    return out_of_range(text, std::format("1..{}", kMaxAsNumber));
  }
  return std::to_string(number);
}

enum class Families : std::uint8_t { Any, Inet, Inet6 };

std::string_view family_words(Families families) {
  switch (families) {
    case Families::Any:
      return "an IPv4 or IPv6";
    case Families::Inet:
      return "an IPv4";
    case Families::Inet6:
      break;
  }
  return "an IPv6";
}

bool is_of(Families families, base::Family family) {
  return families == Families::Any ||
         (families == Families::Inet) == (family == base::Family::Inet);
}

Canonical canonical_address(Families families, std::string_view text) {
  const auto address = base::IpAddress::parse(text);
  if (!address || !is_of(families, address->family())) {
    return base::fail(base::Code::BadValue,
                      std::format("invalid ip address '{}': expected {} address", shown(text),
                                  family_words(families)));
  }
  return address->to_string();
}

// A prefix or an interface address: what base refuses keeps base's hint ("10.0.0.0/8"?).
template <class Network>
Canonical canonical_network(Families families, std::string_view text, std::string_view what,
                            base::Family (*family_of)(const Network&)) {
  const auto network = Network::parse(text);
  if (network && is_of(families, family_of(*network))) {
    return network->to_string();
  }
  const std::string expected = std::format("{} {}", family_words(families), what);
  if (!network && !network.error().hint.empty()) {
    return base::fail(base::Code::BadValue,
                      std::format("invalid value '{}': {}", shown(text), network.error().message),
                      {}, network.error().hint);
  }
  return invalid(text, expected);
}

Canonical canonical_prefix(Families families, std::string_view text) {
  return canonical_network<base::Prefix>(families, text, "prefix, ADDRESS/LENGTH",
                                         [](const base::Prefix& p) { return p.family(); });
}

Canonical canonical_interface_address(Families families, std::string_view text) {
  return canonical_network<base::InterfaceAddress>(
      families, text, "address with its prefix length, ADDRESS/LENGTH",
      [](const base::InterfaceAddress& a) { return a.address.family(); });
}

Canonical canonical_enumeration(const Type& type, std::string_view text) {
  std::string names;
  for (const EnumValue& value : type.values) {
    if (value.name == text) {
      return value.name;
    }
    names += (names.empty() ? "" : ", ") + value.name;
  }
  return invalid(text, type.values.size() == 1 ? names : "one of " + names);
}

Canonical first_member(const Type& type, std::string_view text) {
  std::string expected;
  std::string hint;
  for (const Type& member : type.members) {
    auto canonical = member.canonical(text);
    if (canonical) {
      return canonical;
    }
    expected += (expected.empty() ? "" : " or ") + member.placeholder();
    if (hint.empty()) {
      hint = canonical.error().hint;
    }
  }
  return invalid(text, expected, hint);
}

// One member's canonical form may be another's input: "wg0." is the domain name "wg0", which is the
// interface wg0.0. A form is canonical only when the union keeps it.
Canonical canonical_union(const Type& type, std::string_view text) {
  auto canonical = first_member(type, text);
  for (std::size_t i = 0; canonical && i < type.members.size(); ++i) {
    auto again = first_member(type, *canonical);
    if (again && *again == *canonical) {
      break;
    }
    canonical = std::move(again);
  }
  return canonical;
}

}  // namespace

std::string ranges_text(const std::vector<Range>& ranges) {
  std::string out;
  for (const Range& range : ranges) {
    out += out.empty() ? "" : ", ";
    out += range.low == range.high ? std::to_string(range.low)
                                   : std::format("{}..{}", range.low, range.high);
  }
  return out;
}

Canonical Type::canonical(std::string_view text) const {
  switch (base) {
    case BaseType::Empty:
      return invalid(text, "no value");
    case BaseType::String:
      return canonical_string(*this, text);
    case BaseType::Integer:
      return canonical_integer(*this, text);
    case BaseType::Boolean:
      if (text == "true" || text == "false") {
        return std::string(text);
      }
      return invalid(text, "true or false");
    case BaseType::Enumeration:
      return canonical_enumeration(*this, text);
    case BaseType::IpAddress:
      return canonical_address(Families::Any, text);
    case BaseType::Ipv4Address:
      return canonical_address(Families::Inet, text);
    case BaseType::Ipv6Address:
      return canonical_address(Families::Inet6, text);
    case BaseType::IpPrefix:
      return canonical_prefix(Families::Any, text);
    case BaseType::Ipv4Prefix:
      return canonical_prefix(Families::Inet, text);
    case BaseType::Ipv6Prefix:
      return canonical_prefix(Families::Inet6, text);
    case BaseType::InterfaceAddress:
      return canonical_interface_address(Families::Any, text);
    case BaseType::Ipv4InterfaceAddress:
      return canonical_interface_address(Families::Inet, text);
    case BaseType::Ipv6InterfaceAddress:
      return canonical_interface_address(Families::Inet6, text);
    case BaseType::InterfaceName:
      return canonical_interface(*this, text);
    case BaseType::LogicalInterface:
      return canonical_logical_interface(*this, text);
    case BaseType::MacAddress:
      if (const auto mac = base::MacAddress::parse(text)) {
        return mac->to_string();
      }
      return invalid(text, "a MAC address, such as 02:00:00:00:00:01");
    case BaseType::HostName:
      return canonical_host_name(text);
    case BaseType::DomainName:
      return canonical_domain_name(text);
    case BaseType::Host:
      return canonical_host(text);
    case BaseType::AsNumber:
      return canonical_as_number(text);
    case BaseType::Union:
      return canonical_union(*this, text);
  }
  return base::fail(base::Code::Internal, "a type without a canonical form");
}

std::string Type::placeholder() const {
  switch (base) {
    case BaseType::Empty:
      return {};
    case BaseType::String:
      return "<string>";
    case BaseType::Integer:
      return ranges.empty() ? "<number>" : "<" + ranges_text(ranges) + ">";
    case BaseType::Boolean:
      return "<true|false>";
    case BaseType::Enumeration: {
      std::string names;
      for (const EnumValue& value : values) {
        names += (names.empty() ? "" : "|") + value.name;
      }
      return "<" + names + ">";
    }
    case BaseType::IpAddress:
      return "<address>";
    case BaseType::Ipv4Address:
      return "<ipv4-address>";
    case BaseType::Ipv6Address:
      return "<ipv6-address>";
    case BaseType::IpPrefix:
      return "<prefix>";
    case BaseType::Ipv4Prefix:
      return "<ipv4-prefix>";
    case BaseType::Ipv6Prefix:
      return "<ipv6-prefix>";
    case BaseType::InterfaceAddress:
      return "<address/length>";
    case BaseType::Ipv4InterfaceAddress:
      return "<ipv4-address/length>";
    case BaseType::Ipv6InterfaceAddress:
      return "<ipv6-address/length>";
    case BaseType::InterfaceName:
      return "<interface>";
    case BaseType::LogicalInterface:
      return "<interface.unit>";
    case BaseType::MacAddress:
      return "<mac-address>";
    case BaseType::HostName:
      return "<host-name>";
    case BaseType::DomainName:
      return "<domain-name>";
    case BaseType::Host:
      return "<host>";
    case BaseType::AsNumber:
      return "<as-number>";
    case BaseType::Union: {
      std::string out;
      for (const Type& member : members) {
        const std::string inner = member.placeholder();
        out += (out.empty() ? "" : "|") + inner.substr(1, inner.size() - 2);
      }
      return "<" + out + ">";
    }
  }
  return {};
}

}  // namespace millrace::schema
