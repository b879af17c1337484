// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "schema/walk.h"

namespace millrace::tree {

// Where something is: steps from the root. "interfaces eth0 unit 0 family inet".
struct Path {
  std::vector<schema::PathStep> steps;

  bool empty() const { return steps.empty(); }
  // The schema node the path ends at. Requires: the root of the schema for the empty path.
  const schema::Node& schema(const schema::Schema& schema) const;
  // Whether keys below may be patterns: inside of groups.
  schema::Keys keys() const;
  Path parent() const;  // one step up; of an entry the level of the list
  Path operator/(schema::PathStep step) const;
  Path operator/(std::span<const schema::PathStep> more) const;
  // Words as a person types them, quoted where needed.
  std::string to_string() const;
  std::vector<std::string> words() const;  // the same, unquoted
  bool operator==(const Path&) const = default;
};

}  // namespace millrace::tree
