// SPDX-License-Identifier: GPL-2.0-or-later
#include "tree/details.h"

#include <format>

namespace millrace::tree {
namespace {

using schema::BaseType;

std::string ranges_of(const schema::Type& type) {
  std::string out;
  for (const schema::Range& range : type.ranges) {
    out += out.empty() ? "" : ", ";
    out += range.low == range.high ? std::to_string(range.low)
                                   : std::format("{} .. {}", range.low, range.high);
  }
  return out;
}

std::string values_of(const schema::Type& type) {
  std::string out;
  for (const schema::EnumValue& value : type.values) {
    out += (out.empty() ? "" : ", ") + value.name;
  }
  return out;
}

}  // namespace

std::vector<std::string> details_of(const schema::Node& schema) {
  std::vector<std::string> lines = {"", schema.name + ": " + schema.help};
  const auto add = [&](std::string_view what, const std::string& text) {
    if (!text.empty()) {
      lines.push_back(std::format("{}: {}", what, text));
    }
  };
  const schema::Type& type = schema.type;
  if (schema.kind != schema::Kind::Container && type.base != BaseType::Empty) {
    add(schema.kind == schema::Kind::List ? "key" : "value", type.placeholder());
  }
  add(type.base == BaseType::String ? "length" : "range", ranges_of(type));
  add("pattern", type.pattern);
  add("one of", values_of(type));
  add("units", type.units);
  add("default", schema.default_value.value_or(""));
  if (schema.reference) {
    add("names", schema.reference->path);
  }
  if (schema.mandatory) {
    lines.emplace_back("mandatory");
  }
  if (schema.support == schema::Support::Warns) {
    add("without effect", schema.support_reason);
  }
  add("module", schema.owner);
  lines.emplace_back();
  return lines;
}

}  // namespace millrace::tree
