// SPDX-License-Identifier: GPL-2.0-or-later
#include "syntax/yaml.h"

#include <algorithm>

namespace millrace::syntax {
namespace {

using Json = nlohmann::ordered_json;

// Letters first and nothing that has a meaning; words such as `no` and `null` are quoted, since
// readers of YAML 1.1 take them for values.
bool is_plain(std::string_view text) {
  static constexpr std::string_view kValues[] = {"true", "false", "null", "yes", "no",
                                                 "on",   "off",   "y",    "n"};
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  const auto is_letter = [&](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; };
  std::string folded;
  std::ranges::transform(text, std::back_inserter(folded), lower);
  return !text.empty() && is_letter(text.front()) && std::ranges::all_of(text, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '/';
  }) && std::ranges::find(kValues, folded) == std::end(kValues);
}

std::string scalar(const Json& value) {
  if (value.is_string() && is_plain(value.get_ref<const std::string&>())) {
    return value.get<std::string>();
  }
  // Quoted strings of JSON are quoted strings of YAML.
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

bool is_block(const Json& value) {
  return (value.is_object() || value.is_array()) && !value.empty();
}

// After "NAME:" or "-", in the line or below it. `first_line`: whether the first member of an
// object may stand in the line, as after "- ".
void write(std::string& out, const Json& value, std::size_t depth, bool first_line) {
  if (!is_block(value)) {
    out += scalar(value) + '\n';
    return;
  }
  bool indent = !first_line;
  const auto begin = [&] {
    out.append(indent ? depth * 2 : 0, ' ');
    indent = true;
  };
  if (value.is_array()) {
    for (const Json& item : value) {
      begin();
      out += "- ";
      write(out, item, depth + 1, true);
    }
    return;
  }
  for (const auto& [name, member] : value.items()) {
    begin();
    out += scalar(name) + ':';
    out += is_block(member) ? '\n' : ' ';
    write(out, member, depth + 1, false);
  }
}

}  // namespace

std::string write_yaml(const Json& value) {
  std::string out;
  write(out, value, 0, false);
  return out;
}

}  // namespace millrace::syntax
