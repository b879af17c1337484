// SPDX-License-Identifier: GPL-2.0-or-later
#include "server/support_report.h"

namespace millrace::server {
namespace {

std::string_view to_string(schema::Support support) {
  switch (support) {
    case schema::Support::Works:
      return "works";
    case schema::Support::Warns:
      return "warns";
    case schema::Support::Refused:
      return "refused";
  }
  return "";
}

std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '|' ? "\\|" : std::string(1, c);
  }
  return out;
}

void append(std::string& out, const schema::Node& node) {
  for (const auto& child : node.children) {
    const bool last = child->children.empty() || child->support != schema::Support::Works;
    if (last) {
      out += "| `" + cell(child->path()) + "` | " + std::string(to_string(child->support)) + " | " +
             cell(child->support == schema::Support::Works ? child->help : child->support_reason) +
             " |\n";
    }
    if (child->support != schema::Support::Refused) {
      append(out, *child);
    }
  }
}

}  // namespace

std::string support_report(const schema::Schema& schema) {
  std::string out = "| statement | support | note |\n|---|---|---|\n";
  append(out, schema.root());
  return out;
}

}  // namespace millrace::server
