// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/paint.h"

namespace millrace::cli {
namespace {

constexpr std::string_view kEnd = "\x1b[0m";
constexpr std::string_view kRed = "\x1b[31m";
constexpr std::string_view kGreen = "\x1b[32m";
constexpr std::string_view kYellow = "\x1b[33m";
constexpr std::string_view kBold = "\x1b[1m";

std::string painted(std::string_view row, std::string_view colour) {
  return colour.empty() || row.empty() ? std::string(row)
                                       : std::string(colour) + std::string(row) + std::string(kEnd);
}

}  // namespace

bool is_comparison(std::string_view text) {
  return text.starts_with("[edit");
}

std::string paint_comparison(std::string_view row) {
  return painted(row, row.starts_with("[edit") ? kBold
                      : row.starts_with('+')   ? kGreen
                      : row.starts_with('-')   ? kRed
                      : row.starts_with('!')   ? kYellow
                                               : std::string_view());
}

std::string paint_errors(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    out += painted(line, line.starts_with("error: ")     ? kRed
                         : line.starts_with("warning: ") ? kYellow
                                                         : std::string_view());
    if (end == std::string_view::npos) {
      break;
    }
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace millrace::cli
