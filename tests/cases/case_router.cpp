// SPDX-License-Identifier: GPL-2.0-or-later
#include "cases/case_router.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdio>
#include <format>
#include <stdexcept>

#include "appliers/registry.h"
#include "tree/effective.h"
#include "tree/text.h"

namespace millrace::cases {
namespace {

[[noreturn]] void give_up(const base::Error& error) {
  std::fputs((error.to_string() + "\n").c_str(), stderr);
  std::abort();
}

}  // namespace

const schema::Schema& real_schema() {
  static const schema::Schema schema = [] {
    auto loaded = schema::load(std::filesystem::path(MILLRACE_SOURCE_DIR) / "templates");
    if (!loaded) {
      give_up(loaded.error());
    }
    const auto owners = appliers::ownership();
    if (auto owned = schema::assign_owners(*loaded, owners); !owned) {
      give_up(owned.error());
    }
    return std::move(*loaded);
  }();
  return schema;
}

CaseRouter::CaseRouter(const GoldenCase& golden) : golden_(golden) {
  std::string pattern = (std::filesystem::temp_directory_path() / "case-XXXXXX").string();
  folder_ = ::mkdtemp(pattern.data());
  equip(system_, golden);
  for (const schema::Render& render : real_schema().renders()) {
    system_.units.reads(render.unit, render.file);
  }
  auto view = system_.view();
  facts_ = commit::read_facts(view).value();
  restart();
}

CaseRouter::~CaseRouter() {
  engine_.reset();
  std::filesystem::remove_all(folder_);
}

commit::StartReport CaseRouter::restart() {
  engine_.reset();
  auto engine = commit::Engine::open(real_schema(), appliers::make_registry(real_schema()),
                                     system_.view(), {folder_ / "state", folder_ / "run"});
  if (!engine) {
    throw std::runtime_error("configd does not open: " + engine.error().to_string());
  }
  engine_ = std::move(*engine);
  auto report = engine_->start();
  if (!report) {
    throw std::runtime_error("configd does not start: " + report.error().to_string());
  }
  return *report;
}

commit::StartReport CaseRouter::reboot() {
  engine_.reset();
  system_.reboot();
  std::filesystem::remove_all(folder_ / "run");
  return restart();
}

tree::ConfigTree CaseRouter::before() const {
  tree::Editor editor{tree::ConfigTree(real_schema())};
  const auto report = tree::load(editor, {}, golden_.before, tree::LoadAction::Override);
  EXPECT_TRUE(report.errors.empty()) << report.to_string("before.conf");
  return editor.tree();
}

tree::ConfigTree CaseRouter::edited(std::string& errors) const {
  tree::Editor editor(engine_->running());
  const auto report = tree::load(editor, {}, golden_.edit, tree::LoadAction::Set);
  errors = report.errors.empty() ? "" : report.to_string("edit.set");
  return editor.tree();
}

commit::CommitReport CaseRouter::commit(tree::ConfigTree candidate, commit::Observer* observer) {
  return engine_->commit({std::move(candidate), "case", "other", ""}, observer);
}

void CaseRouter::commit_before() {
  const auto report = commit(before());
  ASSERT_TRUE(report.committed) << report.diagnostics.to_string();
  ASSERT_TRUE(report.degraded.empty());
}

void CaseRouter::plug(const std::string& link, const commit::Facts::Link& limits) {
  system_.kernel.plug(link, limits.default_mtu, limits.min_mtu, limits.max_mtu);
  facts_.links.insert_or_assign(link, limits);
}

void CaseRouter::unplug(const std::string& link) {
  system_.kernel.unplug(link);
  facts_.links.erase(link);
}

std::string CaseRouter::differences() {
  const commit::World world{tree::Expander().effective(engine_->running()),
                            std::make_shared<commit::Facts>(facts_)};
  auto view = system_.view();
  std::string text;
  for (const auto& applier : appliers::make_registry(real_schema())) {
    const auto plan = applier->reconcile(world, view);
    if (!plan) {
      text += std::format("{}: {}\n", applier->name(), plan.error().to_string());
      continue;
    }
    for (const auto& step : plan->steps()) {
      text += std::format("{}: {}\n", applier->name(), step.step->description());
    }
  }
  return text;
}

}  // namespace millrace::cases
