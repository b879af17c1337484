// SPDX-License-Identifier: GPL-2.0-or-later
//
// A statement that works has a golden case in which it is committed: docs/architecture.md.
#include <gmock/gmock.h>

#include <set>

#include "unit/check/golden_trees.h"

namespace millrace::check {
namespace {

void add_used(const tree::Node& node, std::set<const schema::Node*>& used) {
  used.insert(node.schema());
  node.children().for_each([&](const tree::NodePtr& child) {
    add_used(*child, used);
    return true;
  });
}

void add_missing(const schema::Node& node, const std::set<const schema::Node*>& used,
                 std::vector<std::string>& missing) {
  for (const auto& child : node.children) {
    // What asks for a text becomes the statement beside it.
    const bool is_end = (child->children.empty() || child->presence) && child->asks.empty();
    if (is_end && child->support != schema::Support::Refused && !used.contains(child.get())) {
      missing.push_back(child->path());
    }
    add_missing(*child, used, missing);
  }
}

TEST(Coverage, every_statement_that_is_accepted_is_committed_in_a_golden_case) {
  std::set<const schema::Node*> used;
  for (const auto& trees : testing::golden_trees()) {
    if (trees.commits) {
      add_used(trees.typed_before.root(), used);
      add_used(trees.typed_after.root(), used);
      add_used(trees.after.root(), used);
    }
  }
  std::vector<std::string> missing;
  add_missing(testing::shipped_schema().root(), used, missing);
  EXPECT_THAT(missing, ::testing::IsEmpty()) << "write a case for each in tests/cases";
}

}  // namespace
}  // namespace millrace::check
