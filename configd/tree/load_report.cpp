// SPDX-License-Identifier: GPL-2.0-or-later
#include <format>

#include "tree/text.h"

namespace millrace::tree {

std::string LoadReport::to_string(std::string_view name) const {
  std::string out;
  for (const LoadError& error : errors) {
    out += std::format("{}:{}:({}) {}\n", name, error.at.line, error.at.column, error.message);
    out += std::format("  [edit{}{}]\n    '{}'\n", error.level.empty() ? "" : " ", error.level,
                       error.statement);
    out += std::format("      {}\n", error.hint.empty() ? error.message : error.hint);
  }
  for (const std::string& warning : warnings) {
    out += std::format("warning: {}\n", warning);
  }
  out += errors.empty() ? "load complete\n"
                        : std::format("load complete ({} errors)\n", errors.size());
  return out;
}

}  // namespace millrace::tree
