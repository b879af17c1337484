// SPDX-License-Identifier: GPL-2.0-or-later
//
// The laws of trees on random ones: every few edits the tree is printed, read back, compared with
// an older one, encoded, applied. A failure names its seed.
#include "tree/compare.h"
#include "tree/effective.h"
#include "unit/tree/random_tree.h"

namespace millrace::tree {
namespace {

using testing::path_to;
using testing::RandomEdits;
using testing::test_schema;

constexpr unsigned kSeeds = 6;
constexpr int kEdits = 600;
constexpr int kStride = 12;

// Runs `law(older, tree)` along random histories.
template <class Law>
void along_histories(bool comments, const Law& law) {
  for (unsigned seed = 1; seed <= kSeeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEdits edits(seed);
    if (!comments) {
      edits.without_comments();
    }
    Editor editor{ConfigTree(test_schema())};
    ConfigTree older = editor.tree();
    for (int i = 1; i <= kEdits; ++i) {
      edits.edit(editor);
      if (i % kStride == 0) {
        const ConfigTree tree = editor.tree();
        law(older, tree);
        if (::testing::Test::HasFailure()) {
          return;
        }
        if (edits.below(3) == 0) {
          older = tree;
        }
      }
    }
  }
}

ConfigTree loaded(const std::string& text, LoadAction action) {
  Editor editor{ConfigTree(test_schema())};
  const LoadReport report = load(editor, {}, text, action);
  EXPECT_EQ(report.to_string("text"), "load complete\n") << text;
  return editor.tree();
}

TEST(TreeLaws, What_is_printed_as_text_reads_back_the_same) {
  along_histories(true, [](const ConfigTree&, const ConfigTree& tree) {
    const std::string text = to_text(tree, {});
    EXPECT_TRUE(loaded(text, LoadAction::Merge) == tree)
        << text << "---\n"
        << to_text(loaded(text, LoadAction::Merge), {});
  });
}

TEST(TreeLaws, What_is_printed_as_set_lines_reads_back_the_same) {
  along_histories(false, [](const ConfigTree&, const ConfigTree& tree) {
    const std::string text = to_set(tree, {});
    EXPECT_TRUE(loaded(text, LoadAction::Set) == tree) << text;
  });
}

TEST(TreeLaws, Applying_the_difference_makes_the_one_of_the_other) {
  along_histories(true, [](const ConfigTree& older, const ConfigTree& tree) {
    for (const auto& [from, to] : {std::pair(older, tree), std::pair(tree, older)}) {
      const std::string encoded = encode(Delta(from, to));
      const auto applied = apply(encoded, from);
      ASSERT_TRUE(applied) << applied.error().to_string() << "\n" << encoded;
      EXPECT_TRUE(*applied == to) << to_text(from, {}) << "---\n"
                                  << encoded << "---\n"
                                  << to_text(*applied, {}) << "--- wanted\n"
                                  << to_text(to, {});
    }
  });
}

TEST(TreeLaws, The_difference_is_empty_exactly_for_equal_trees) {
  along_histories(true, [](const ConfigTree& older, const ConfigTree& tree) {
    EXPECT_TRUE(Delta(tree, tree).empty());
    EXPECT_EQ(Delta(older, tree).empty(), older == tree);
    EXPECT_EQ(encode(Delta(older, tree)).empty(), older == tree);
    EXPECT_EQ(compare_text(Delta(older, tree), {}).empty(), older == tree);
    // An equal tree made another way shares nothing and still has no difference.
    EXPECT_TRUE(Delta(loaded(to_text(tree, {}), LoadAction::Merge), tree).empty());
  });
}

TEST(TreeLaws, Load_update_makes_the_tree_and_keeps_what_is_equal) {
  along_histories(true, [](const ConfigTree& older, const ConfigTree& tree) {
    Editor editor(older);
    load(editor, {}, to_text(tree, {}), LoadAction::Update);
    EXPECT_TRUE(editor.tree() == tree);
    load(editor, {}, to_text(tree, {}), LoadAction::Update);
    const NodePtr once = editor.tree().root_ptr();
    load(editor, {}, to_text(tree, {}), LoadAction::Update);
    EXPECT_EQ(editor.tree().root_ptr(), once);
  });
}

// The plain way to strip, without memory or sharing.
void strip_lines(const Node& node, Path path, Editor& editor) {
  node.children().for_each([&](const NodePtr& child) {
    const Path at = path_to(*child, path);
    if (child->inactive()) {
      EXPECT_TRUE(editor.remove({}, {at.steps, {}})) << at.to_string();
    } else {
      strip_lines(*child, at, editor);
    }
    return true;
  });
}

TEST(TreeLaws, The_effective_tree_has_what_is_active_in_its_order) {
  Expander expander;
  along_histories(false, [&](const ConfigTree&, const ConfigTree& tree) {
    const ConfigTree effective = expander.effective(tree);
    EXPECT_FALSE(effective.root().holds_inactive());
    Editor editor(tree);
    editor.trust();
    strip_lines(tree.root(), {}, editor);
    EXPECT_TRUE(effective == editor.tree()) << to_text(tree, {}) << "---\n"
                                            << to_text(effective, {}) << "---\n"
                                            << to_text(editor.tree(), {});
    EXPECT_EQ(expander.effective(tree).root_ptr(), effective.root_ptr());
  });
}

}  // namespace
}  // namespace millrace::tree
