// SPDX-License-Identifier: GPL-2.0-or-later
//
// The configurations of the golden cases: what each starts from and what it ends with.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/file.h"
#include "tree/effective.h"
#include "tree/text.h"

namespace millrace::check::testing {

struct GoldenTrees {
  std::string name;
  bool commits = false;
  tree::ConfigTree typed_before;  // as it is written: inactive statements, groups and all
  tree::ConfigTree typed_after;
  tree::ConfigTree after;  // effective
};

inline const schema::Schema& shipped_schema() {
  static const schema::Schema schema = [] {
    auto loaded = schema::load(MILLRACE_SOURCE_DIR "/templates");
    EXPECT_TRUE(loaded) << loaded.error().message;
    return std::move(*loaded);
  }();
  return schema;
}

inline std::vector<GoldenTrees> golden_trees() {
  std::vector<GoldenTrees> all;
  tree::Expander expander;
  for (const auto& folder :
       std::filesystem::directory_iterator(MILLRACE_SOURCE_DIR "/tests/cases")) {
    if (!std::filesystem::exists(folder.path() / "about.md")) {
      continue;
    }
    tree::Editor editor{tree::ConfigTree(shipped_schema())};
    const auto load = [&](const char* file, tree::LoadAction action) {
      auto text = base::read_file(folder.path() / file);
      return tree::load(editor, {}, text ? std::move(*text) : std::string(), action);
    };
    load("before.conf", tree::LoadAction::Merge);
    const tree::ConfigTree before = editor.tree();
    load("edit.set", tree::LoadAction::Set);
    all.push_back({folder.path().filename().string(),
                   !std::filesystem::exists(folder.path() / "want.errors"), before, editor.tree(),
                   expander.effective(editor.tree())});
  }
  return all;
}

}  // namespace millrace::check::testing
