// SPDX-License-Identifier: GPL-2.0-or-later
//
// Worlds from configuration text, with the real templates, and plans run step by step.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "appliers/registry.h"
#include "tree/text.h"

namespace millrace::test {

inline const schema::Schema& real_schema() {
  static const schema::Schema schema = [] {
    auto loaded = schema::load(std::filesystem::path(MILLRACE_SOURCE_DIR) / "templates");
    EXPECT_TRUE(loaded) << loaded.error().to_string();
    const auto owned = schema::assign_owners(*loaded, appliers::ownership());
    EXPECT_TRUE(owned) << owned.error().to_string();
    return std::move(*loaded);
  }();
  return schema;
}

inline tree::ConfigTree tree_of(const std::string& set_lines) {
  tree::Editor editor{tree::ConfigTree(real_schema())};
  const auto report = tree::load(editor, {}, set_lines, tree::LoadAction::Set);
  EXPECT_TRUE(report.errors.empty()) << report.to_string("test");
  return editor.tree();
}

// With lo, eth0 and eth1.
inline commit::World world_of(const std::string& set_lines) {
  auto facts = std::make_shared<commit::Facts>();
  facts->links = {{"eth0", {1500, 68, 9216}}, {"eth1", {1500, 68, 9216}}, {"lo", {65536, 0, 0}}};
  return {tree_of(set_lines), facts};
}

inline const commit::Applier& applier(const commit::Registry& registry, std::string_view name) {
  for (const auto& one : registry) {
    if (one->name() == name) {
      return *one;
    }
  }
  throw std::out_of_range(std::string(name));
}

// The steps of a plan in the order of their phases.
inline std::vector<commit::PlannedStep*> in_order(commit::Plan& plan) {
  std::vector<commit::PlannedStep*> ordered;
  for (const auto phase : {commit::Phase::Teardown, commit::Phase::Build, commit::Phase::Switch,
                           commit::Phase::Retire}) {
    for (commit::PlannedStep& step : plan.steps()) {
      if (step.phase == phase) {
        ordered.push_back(&step);
      }
    }
  }
  return ordered;
}

inline std::vector<std::string> descriptions(commit::Plan& plan) {
  std::vector<std::string> texts;
  for (const commit::PlannedStep* step : in_order(plan)) {
    texts.push_back(step->step->description());
  }
  return texts;
}

inline base::Result<void> apply(commit::Plan& plan, system::System system) {
  for (commit::PlannedStep* step : in_order(plan)) {
    if (auto done = step->step->apply(system); !done) {
      return done;
    }
  }
  return {};
}

inline base::Result<void> undo(commit::Plan& plan, system::System system) {
  auto ordered = in_order(plan);
  for (auto step = ordered.rbegin(); step != ordered.rend(); ++step) {
    if (auto done = (*step)->step->undo(system); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace millrace::test
