// SPDX-License-Identifier: GPL-2.0-or-later
//
// Regular expressions over AS paths, whose letters are whole AS numbers: `65001 .* 65002`,
// `.* (65001|65002)`, `65001{2,3}`, `[64512-65535]+`; `()` is the empty path. They match the whole
// path, as those of as-path statements do.
#pragma once

#include <memory>
#include <string_view>

#include "base/error.h"

namespace millrace::ops {

class AsPathFilter {
 public:
  // Errors: BadValue with what is wrong and where.
  static base::Result<AsPathFilter> parse(std::string_view text);

  // `path` as bgpd prints it: numbers, and sets or confederations in brackets, which count as one
  // unknown AS that only `.` matches. O(states · path), whatever the expression.
  bool matches(std::string_view path) const;

  struct Node;

 private:
  explicit AsPathFilter(std::shared_ptr<const Node> root) : root_(std::move(root)) {}
  std::shared_ptr<const Node> root_;
};

}  // namespace millrace::ops
