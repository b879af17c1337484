// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lists with room for one entry, where setting another replaces it: neither groups nor merging puts
// a second one in.
#include <gmock/gmock.h>

#include "tree/effective.h"
#include "tree/inheritance.h"
#include "tree/merge.h"
#include "tree/text.h"

namespace millrace::tree {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const schema::Schema& one_schema() {
  static const schema::Schema schema = [] {
    auto built = schema::build({{"one.tmpl", R"(
feature f { help "F";
  everywhere {
    leaf-list apply-groups { help "A"; type string; ordered-by user; ref "/groups"; }
  }
  list groups { help "G"; key name; type string; like "/"; }
  container c { help "C";
    list as { help "A"; key number; type integer; max-elements 1;
      leaf loops { help "L"; type integer; }
    }
    list any { help "A"; key number; type integer; }
  }
})"}});
    EXPECT_TRUE(built) << built.error().message;
    return std::move(*built);
  }();
  return schema;
}

ConfigTree tree_of(std::string lines) {
  Editor editor{ConfigTree(one_schema())};
  const LoadReport report = load(editor, {}, std::move(lines), LoadAction::Set);
  EXPECT_TRUE(report.errors.empty()) << report.to_string("test");
  return editor.tree();
}

TEST(RoomForOne, the_nearest_source_has_the_last_word) {
  constexpr std::string_view kGroups =
      "set groups g c as 1 loops 3\nset groups g c any 1\nset groups h c as 2\n"
      "set groups h c as 2 loops 4\nset apply-groups [ g h ]\n";
  Expander expander;
  const auto effective = [&](const std::string& more) {
    const ConfigTree tree = tree_of(std::string(kGroups) + more);
    EXPECT_EQ(Inheritance(tree).tree(), expander.effective(tree)) << more;
    return to_set(expander.effective(tree), {});
  };
  EXPECT_EQ(effective(""), "set c as 1 loops 3\nset c any 1\n");
  EXPECT_EQ(effective("set c as 7\nset c any 7\n"), "set c as 7\nset c any 1\nset c any 7\n");
  EXPECT_EQ(effective("set c as 2\n"), "set c as 2 loops 4\nset c any 1\n");
  EXPECT_EQ(effective("set c apply-groups h\n"), "set c as 2 loops 4\nset c any 1\n");
}

TEST(RoomForOne, two_that_fill_it_differently_are_in_conflict) {
  const ConfigTree nothing = tree_of("");
  const ConfigTree one = tree_of("set c as 1\nset c any 1\n");
  const ConfigTree two = tree_of("set c as 2\nset c any 2\n");
  const ConfigTree other = tree_of("set c as 3\nset c any 1\n");
  for (const ConfigTree& base : {nothing, other}) {
    const Merge merged = merge(base, one, two);
    ASSERT_EQ(merged.conflicts.size(), 1U);
    EXPECT_EQ(merged.conflicts.front().path.to_string(), "c as");
    EXPECT_EQ(merged.conflicts.front().mine, "1");
    EXPECT_EQ(merged.conflicts.front().theirs, "2");
    EXPECT_THAT(to_set(merged.tree, {}), ::testing::StartsWith("set c as 1\nset c any "));
  }
  EXPECT_THAT(merge(other, one, other).conflicts, IsEmpty());
  EXPECT_EQ(to_set(merge(other, one, other).tree, {}), "set c as 1\nset c any 1\n");
  EXPECT_THAT(merge(nothing, one, one).conflicts, IsEmpty());
}

}  // namespace
}  // namespace millrace::tree
