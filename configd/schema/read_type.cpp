// SPDX-License-Identifier: GPL-2.0-or-later
#include "schema/read_type.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>

#include "schema/values.h"

namespace millrace::schema {

namespace {

struct TypeWord {
  std::string_view name;
  BaseType base;
};

constexpr std::array<TypeWord, 22> kTypes = {{
    {"empty", BaseType::Empty},
    {"string", BaseType::String},
    {"integer", BaseType::Integer},
    {"boolean", BaseType::Boolean},
    {"enumeration", BaseType::Enumeration},
    {"ip-address", BaseType::IpAddress},
    {"ipv4-address", BaseType::Ipv4Address},
    {"ipv6-address", BaseType::Ipv6Address},
    {"ip-prefix", BaseType::IpPrefix},
    {"ipv4-prefix", BaseType::Ipv4Prefix},
    {"ipv6-prefix", BaseType::Ipv6Prefix},
    {"interface-address", BaseType::InterfaceAddress},
    {"ipv4-interface-address", BaseType::Ipv4InterfaceAddress},
    {"ipv6-interface-address", BaseType::Ipv6InterfaceAddress},
    {"interface-name", BaseType::InterfaceName},
    {"logical-interface", BaseType::LogicalInterface},
    {"mac-address", BaseType::MacAddress},
    {"host-name", BaseType::HostName},
    {"domain-name", BaseType::DomainName},
    {"host", BaseType::Host},
    {"as-number", BaseType::AsNumber},
    {"union", BaseType::Union},
}};

std::string type_names() {
  std::string out;
  for (const TypeWord& word : kTypes) {
    out += (out.empty() ? "" : ", ") + std::string(word.name);
  }
  return out;
}

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::optional<std::int64_t> read_bound(std::string_view text) {
  text = trimmed(text);
  if (text == "min" || text == "max") {
    return text == "min" ? kMin : kMax;
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

// "1..4", "1..4 | 8 | 16..max": ascending, as YANG wants (RFC 7950 §9.2.4).
std::optional<std::vector<Range>> read_ranges(std::string_view text) {
  std::vector<Range> ranges;
  while (true) {
    const std::size_t bar = text.find('|');
    const std::string_view part = text.substr(0, bar);
    const std::size_t dots = part.find("..");
    const auto low = read_bound(part.substr(0, dots));
    const auto high = dots == std::string_view::npos ? low : read_bound(part.substr(dots + 2));
    if (!low || !high || *low > *high || (!ranges.empty() && ranges.back().high >= *low)) {
      return std::nullopt;
    }
    ranges.push_back({*low, *high});
    if (bar == std::string_view::npos) {
      return ranges;
    }
    text.remove_prefix(bar + 1);
  }
}

void take_ranges(const Reading& reading, const syntax::Statement& statement, Type& type) {
  std::string text;
  if (!reading.take_word(statement, text) || !reading.no_block(statement)) {
    return;
  }
  if (auto ranges = read_ranges(text)) {
    type.ranges = std::move(*ranges);
  } else {
    reading.problem(statement, in_quotes(text), "ascending ranges, such as \"1..4 | 8\"");
  }
}

void take_pattern(const Reading& reading, const syntax::Statement& statement, Type& type) {
  if (!reading.take_word(statement, type.pattern) || !reading.no_block(statement)) {
    return;
  }
  if (!check_pattern(type.pattern)) {
    reading.problem(statement, in_quotes(type.pattern), "a POSIX extended regular expression");
    type.pattern.clear();
  }
}

void take_enum(const Reading& reading, const syntax::Statement& statement, Type& type) {
  EnumValue value;
  if (!reading.take_name(statement, value.name) || !reading.needs_block(statement)) {
    return;
  }
  for (const syntax::Statement& part : statement.children) {
    if (part.words[0].text == "help") {
      reading.take_word(part, value.help);
    } else {
      reading.unknown(part, "help");
    }
  }
  if (value.help.empty()) {
    reading.problem(statement, "an enum without help", "help \"…\"");
  }
  if (std::ranges::find(type.values, value.name, &EnumValue::name) != type.values.end()) {
    reading.problem(statement, in_quotes(value.name) + " again", "one enum of a name");
  }
  type.values.push_back(std::move(value));
}

bool is_complete(const Reading& reading, const syntax::Statement& statement, const Type& type) {
  if (type.base == BaseType::Enumeration && type.values.empty()) {
    reading.problem(statement, "an enumeration without values", "enum NAME { … }");
    return false;
  }
  if (type.base == BaseType::Union && type.members.size() < 2) {
    reading.problem(statement, "a union of fewer than two types", "type NAME; type NAME;");
    return false;
  }
  return true;
}

}  // namespace

Type read_type(const Reading& reading, const syntax::Statement& statement, bool in_union) {
  Type type;
  std::string name;
  if (!reading.take_word(statement, name)) {
    return type;
  }
  const auto known = std::ranges::find(kTypes, name, &TypeWord::name);
  if (known == kTypes.end()) {
    reading.problem(statement, "type " + in_quotes(name), "one of " + type_names());
    return type;
  }
  type.base = known->base;
  const bool is_interface =
      type.base == BaseType::InterfaceName || type.base == BaseType::LogicalInterface;
  for (const syntax::Statement& part : statement.children) {
    const std::string_view word = part.words[0].text;
    if (word == "range" && type.base == BaseType::Integer) {
      take_ranges(reading, part, type);
    } else if (word == "length" && type.base == BaseType::String) {
      take_ranges(reading, part, type);
    } else if (word == "pattern" && (type.base == BaseType::String || is_interface)) {
      take_pattern(reading, part, type);
    } else if (word == "reserved" && type.base == BaseType::String) {
      reading.take_words(part, type.reserved);
    } else if (word == "enum" && type.base == BaseType::Enumeration) {
      take_enum(reading, part, type);
    } else if (word == "type" && type.base == BaseType::Union) {
      type.members.push_back(read_type(reading, part, true));
      if (type.members.back().base == BaseType::Empty) {
        reading.problem(part, "a member without a value", "a type other than empty");
      }
    } else if (word == "ref" && in_union) {
      reading.take_word(part, type.reference);
    } else {
      reading.problem(
          part, in_quotes(word) + " in type " + in_quotes(name),
          "range (integer), reserved (string), length, pattern (string, interface-name, "
          "logical-interface), enum (enumeration), type (union) or ref (member of a union)");
    }
  }
  if (!is_complete(reading, statement, type)) {
    type.base = BaseType::String;
  }
  return type;
}

bool may_begin_with_dash(const Type& type) {
  switch (type.base) {
    case BaseType::String:
      return true;
    case BaseType::Integer:
      return type.ranges.empty() || type.ranges.front().low < 0;
    case BaseType::Union:
      return std::ranges::any_of(type.members, may_begin_with_dash);
    default:
      return false;
  }
}

}  // namespace millrace::schema
