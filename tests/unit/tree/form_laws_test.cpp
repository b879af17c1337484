// SPDX-License-Identifier: GPL-2.0-or-later
//
// Laws of the written forms, on random trees: what is printed reads back the same, and what is
// printed of a difference, loaded into the one tree, gives the other.
#include "syntax/json.h"
#include "syntax/xml.h"
#include "tree/compare.h"
#include "unit/tree/random_tree.h"

namespace millrace::tree {
namespace {

using testing::RandomEdits;
using testing::test_schema;

int rounds() {
  return std::getenv("MILLRACE_RELEASE") ? 100 : 4;
}

// Pairs of trees some edits apart. `simple`: nothing protected, which would refuse what the laws
// load.
void for_pairs(bool simple, const std::function<void(const ConfigTree&, const ConfigTree&)>& law) {
  for (int round = 0; round < rounds(); ++round) {
    RandomEdits edits(static_cast<unsigned>(round) * 7919U + 11U);
    Editor editor{ConfigTree(test_schema())};
    ConfigTree older = editor.tree();
    for (unsigned i = 1; i <= 120; ++i) {
      edits.edit(editor);
      if (i % 6 != 0 || (simple && editor.tree().root().holds_protected())) {
        continue;
      }
      law(older, editor.tree());
      if (::testing::Test::HasFailure()) {
        ADD_FAILURE() << "round " << round << ", edit " << i;
        return;
      }
      if (edits.below(2) == 0) {
        older = editor.tree();
      }
    }
  }
}

void expect_loads(const ConfigTree& from, const std::string& text, LoadAction action, LoadForm form,
                  const ConfigTree& wanted) {
  Editor editor(from);
  const LoadReport report = load(editor, {}, text, action, form);
  EXPECT_EQ(report.to_string("text"), "load complete\n");
  EXPECT_TRUE(editor.tree() == wanted) << "from\n"
                                       << to_text(from, {}) << "--- loaded\n"
                                       << text << "--- gave\n"
                                       << to_text(editor.tree(), {}) << "--- wanted\n"
                                       << to_text(wanted, {});
}

TEST(FormLaws, What_is_printed_as_json_reads_back_the_same) {
  for_pairs(false, [](const ConfigTree&, const ConfigTree& tree) {
    expect_loads(ConfigTree(test_schema()), to_json(tree, {}), LoadAction::Merge, LoadForm::Json,
                 tree);
  });
}

TEST(FormLaws, What_is_printed_as_xml_reads_back_the_same) {
  for_pairs(false, [](const ConfigTree&, const ConfigTree& tree) {
    expect_loads(ConfigTree(test_schema()), to_xml(tree, {}), LoadAction::Merge, LoadForm::Xml,
                 tree);
  });
}

TEST(FormLaws, Explicit_set_lines_read_back_the_same) {
  for_pairs(false, [](const ConfigTree&, const ConfigTree& tree) {
    Editor plain{ConfigTree(test_schema())};
    load(plain, {}, to_set(tree, {}), LoadAction::Set);
    expect_loads(ConfigTree(test_schema()), to_set(tree, {}, {.explicit_presence = true}),
                 LoadAction::Set, LoadForm::Text, plain.tree());
  });
}

TEST(FormLaws, A_patch_of_the_difference_makes_the_one_of_the_other) {
  for_pairs(true, [](const ConfigTree& older, const ConfigTree& tree) {
    if (older.root().holds_protected()) {
      return;
    }
    for (const auto& [from, to] : {std::pair(older, tree), std::pair(tree, older)}) {
      expect_loads(from, compare_text(Delta(from, to), {}), LoadAction::Patch, LoadForm::Text, to);
    }
  });
}

TEST(FormLaws, The_difference_as_set_lines_makes_the_one_of_the_other) {
  for_pairs(true, [](const ConfigTree& older, const ConfigTree& tree) {
    if (older.root().holds_protected()) {
      return;
    }
    for (const auto& [from, to] : {std::pair(older, tree), std::pair(tree, older)}) {
      expect_loads(from, compare_set(Delta(from, to), {}), LoadAction::Set, LoadForm::Text, to);
    }
  });
}

TEST(FormLaws, The_difference_as_json_or_xml_makes_the_one_of_the_other) {
  for_pairs(true, [](const ConfigTree& older, const ConfigTree& tree) {
    if (older.root().holds_protected()) {
      return;
    }
    for (const auto& [from, to] : {std::pair(older, tree), std::pair(tree, older)}) {
      if (from == to) {
        continue;
      }
      const syntax::Element difference = compare_element(Delta(from, to), {});
      expect_loads(from, syntax::write_json({difference}), LoadAction::Merge, LoadForm::Json, to);
      expect_loads(from, syntax::write_xml({difference}), LoadAction::Merge, LoadForm::Xml, to);
    }
  });
}

}  // namespace
}  // namespace millrace::tree
