// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <array>
#include <format>
#include <limits>
#include <map>

#include "base/words.h"
#include "schema/yang_parts.h"

namespace millrace::schema {

namespace {

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::string bounds(const std::vector<Range>& ranges) {
  std::string out;
  for (const Range& range : ranges) {
    const std::string low = range.low == kMin ? "min" : std::to_string(range.low);
    const std::string high = range.high == kMax ? "max" : std::to_string(range.high);
    out += out.empty() ? "" : " | ";
    out += low == high ? low : low + ".." + high;
  }
  return out;
}

// The narrowest type that holds the ranges: 64 bits are quoted in JSON (RFC 7951 §6.1).
std::string_view integer(const std::vector<Range>& ranges) {
  if (ranges.empty()) {
    return "int64";
  }
  const auto within = [&](std::int64_t low, std::int64_t high) {
    return ranges.front().low >= low && ranges.back().high <= high;
  };
  return within(0, std::numeric_limits<std::uint32_t>::max()) ? "uint32"
         : within(std::numeric_limits<std::int32_t>::min(),
                  std::numeric_limits<std::int32_t>::max())
             ? "int32"
             : "int64";
}

std::string_view plain_name(BaseType base) {
  switch (base) {
    case BaseType::Empty:
      return "empty";
    case BaseType::Boolean:
      return "boolean";
    case BaseType::IpAddress:
      return "inet:ip-address-no-zone";
    case BaseType::Ipv4Address:
      return "inet:ipv4-address-no-zone";
    case BaseType::Ipv6Address:
      return "inet:ipv6-address-no-zone";
    case BaseType::IpPrefix:
      return "inet:ip-prefix";
    case BaseType::Ipv4Prefix:
      return "inet:ipv4-prefix";
    case BaseType::Ipv6Prefix:
      return "inet:ipv6-prefix";
    case BaseType::InterfaceAddress:
      return "interface-address";
    case BaseType::Ipv4InterfaceAddress:
      return "ipv4-interface-address";
    case BaseType::Ipv6InterfaceAddress:
      return "ipv6-interface-address";
    case BaseType::InterfaceName:
      return "interface-name";
    case BaseType::LogicalInterface:
      return "logical-interface";
    case BaseType::MacAddress:
      return "yang:mac-address";
    case BaseType::HostName:
      return "host-name";
    case BaseType::DomainName:
      return "inet:domain-name";
    case BaseType::Host:
      return "host";
    case BaseType::AsNumber:
      return "as-number";
    default:
      return "text";
  }
}

std::string restricted(std::string_view name, const std::string& inside,
                       const std::string& indent) {
  return inside.empty() ? std::format("{}type {};\n", indent, name)
                        : std::format("{}type {} {{\n{}{}}}\n", indent, name, inside, indent);
}

constexpr std::string_view kSpecial = "\\|.?*+(){}-[]^";  // what XSD lets one escape

// A pattern of exactly these texts.
std::string any_of(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) {
    out += out.empty() ? "" : "|";
    for (const char byte : text) {
      out += kSpecial.contains(byte) ? std::string{'\\', byte} : std::string{byte};
    }
  }
  return out;
}

std::string leafref(const Node& target, const std::string& indent) {
  return restricted("leafref",
                    std::format("{}  path {};\n", indent, base::quoted(yang_path(target))), indent);
}

std::string written(const Type& type, const std::string& indent) {
  if (type.target != nullptr) {
    return leafref(*type.target, indent);
  }
  std::string inside;
  const auto add = [&](std::string_view word, const std::string& value) {
    inside += std::format("{}  {} {};\n", indent, word, base::quoted(value));
  };
  switch (type.base) {
    case BaseType::Integer:
      if (!type.ranges.empty()) {
        add("range", bounds(type.ranges));
      }
      return restricted(integer(type.ranges), inside, indent);
    case BaseType::Enumeration:
      for (const EnumValue& value : type.values) {
        inside += std::format("{}  enum {} {{\n{}    description {};\n{}  }}\n", indent,
                              base::quoted(value.name), indent, base::quoted(value.help), indent);
      }
      return restricted("enumeration", inside, indent);
    case BaseType::Union:
      for (const Type& member : type.members) {
        inside += written(member, indent + "  ");
      }
      return restricted("union", inside, indent);
    case BaseType::LogicalInterface:
      if (!type.pattern.empty()) {
        add("pattern", std::format("({})\\.[0-9]+", xsd_pattern(type.pattern)));
      }
      return restricted(plain_name(type.base), inside, indent);
    default:
      if (!type.ranges.empty()) {
        add("length", bounds(type.ranges));
      }
      if (!type.pattern.empty()) {
        add("pattern", xsd_pattern(type.pattern));
      }
      if (!type.reserved.empty()) {
        inside += std::format("{}  pattern {} {{\n{}    modifier invert-match;\n{}  }}\n", indent,
                              base::quoted(any_of(type.reserved)), indent, indent);
      }
      return restricted(plain_name(type.base), inside, indent);
  }
}

// [:alpha:] and its like, in ASCII, which is what patterns are matched in.
std::string_view class_members(std::string_view name) {
  static const std::map<std::string_view, std::string_view> members = {
      {"alpha", "a-zA-Z"},
      {"digit", "0-9"},
      {"alnum", "a-zA-Z0-9"},
      {"upper", "A-Z"},
      {"lower", "a-z"},
      {"xdigit", "0-9a-fA-F"},
      {"blank", " \\t"},
      {"space", " \\t\\n\\r"},
      {"print", " -~"},
      {"graph", "!-~"},
      {"punct", "!-/:-@\\[-`{-~"},
      {"cntrl", "\\t\\n\\r"},
  };
  const auto found = members.find(name);
  return found == members.end() ? std::string_view() : found->second;
}

// The expression between `[` and `]`; `at` is past the `[` and then past the `]`. Backslashes mean
// themselves there in POSIX and not in XSD.
std::string bracket(std::string_view posix, std::size_t& at) {
  std::string out = "[";
  if (at < posix.size() && posix[at] == '^') {
    out += '^';
    ++at;
  }
  for (bool first = true; at < posix.size() && (first || posix[at] != ']'); first = false) {
    const char byte = posix[at];
    if (posix.substr(at).starts_with("[:")) {
      const std::size_t end = posix.find(":]", at);
      out += class_members(posix.substr(at + 2, end - at - 2));
      at = std::min(end, posix.size() - 2) + 2;
      continue;
    }
    const bool last = at + 1 < posix.size() && posix[at + 1] == ']';
    if (byte == '\\' || byte == '[' || byte == ']' || byte == '^' ||
        (byte == '-' && (first || last))) {
      out += '\\';
    }
    out += byte;
    ++at;
  }
  ++at;
  return out + ']';
}

}  // namespace

std::string xsd_pattern(std::string_view posix) {
  std::string out;
  for (std::size_t at = 0; at < posix.size();) {
    const char byte = posix[at++];
    if (byte == '[') {
      out += bracket(posix, at);
    } else if (byte == '\\' && at < posix.size()) {
      const char escaped = posix[at++];
      out += kSpecial.contains(escaped) ? std::string{'\\', escaped} : std::string{escaped};
    } else if (byte != '^' && byte != '$') {  // XSD's patterns are of the whole value always
      out += byte;
    }
  }
  return out;
}

std::string yang_type(const Node& node, const std::string& indent) {
  return node.reference ? leafref(*node.reference->target, indent) : written(node.type, indent);
}

std::string_view yang_typedefs() {
  return R"yang(
  typedef text {
    type string {
      pattern "[^\\p{Cc}]*";
    }
    description "Text without control characters.";
  }
  typedef ipv4-interface-address {
    type string {
      pattern "(([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])\\.){3}"
            + "([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])/([0-9]|[12][0-9]|3[0-2])";
    }
    description "An IPv4 address of an interface and its prefix length.";
  }
  typedef ipv6-interface-address {
    type string {
      pattern "[0-9a-fA-F]*:[0-9a-fA-F:.]+/([0-9]|[1-9][0-9]|1[01][0-9]|12[0-8])";
    }
    description "An IPv6 address of an interface and its prefix length.";
  }
  typedef interface-address {
    type union {
      type ipv4-interface-address;
      type ipv6-interface-address;
    }
    description "An address of an interface and its prefix length.";
  }
  typedef interface-name {
    type string {
      pattern "[a-z]+-?[0-9]*(/[0-9]+)*";
    }
    description "A physical interface.";
  }
  typedef logical-interface {
    type string {
      pattern "[a-z]+-?[0-9]*(/[0-9]+)*\\.[0-9]{1,5}";
    }
    description "An interface and its unit.";
  }
  typedef host-name {
    type string {
      length "1..63";
      pattern "[a-zA-Z0-9]([a-zA-Z0-9\\-]*[a-zA-Z0-9])?";
    }
    description "One label of a domain name.";
  }
  typedef host {
    type union {
      type inet:ip-address-no-zone;
      type inet:domain-name;
    }
    description "An address or a domain name.";
  }
  typedef as-number {
    type inet:as-number {
      range "1..max";
    }
    description "The number of an autonomous system.";
  }
)yang";
}

}  // namespace millrace::schema
