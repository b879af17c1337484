// SPDX-License-Identifier: GPL-2.0-or-later
//
// A small world for tests of the engine: two subsystems, `left` and `right` (which stands on left),
// that keep one file for each of their items. The file of item "a" is /etc/left/a and holds its
// value.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <format>
#include <memory>
#include <string>

#include "commit/engine.h"
#include "support/fake_system.h"
#include "tree/text.h"
#include "tree/view.h"

namespace millrace::commit::toy {

inline schema::Schema make_schema() {
  return schema::build({{"toy.tmpl", R"(
feature toy {
    help "A toy";
    container left {
        help "Left";
        list item { help "Item"; key name; type string; leaf value { help "V"; type string; } }
    }
    container right {
        help "Right";
        list item { help "Item"; key name; type string; leaf value { help "V"; type string; } }
    }
})"}})
      .value();
}

class FileStep : public Step {
 public:
  using Content = std::optional<std::string>;
  FileStep(std::string path, Content before, Content after)
      : path_(std::move(path)), before_(std::move(before)), after_(std::move(after)) {}

  std::string description() const override {
    return std::format("{} {}", after_ ? "write" : "remove", path_);
  }
  base::Result<void> apply(system::System& system) override { return put(system, after_); }
  base::Result<void> undo(system::System& system) override { return put(system, before_); }

 private:
  base::Result<void> put(system::System& system, const Content& content) const {
    return content ? system.files.write(path_, {*content}) : system.files.remove(path_);
  }
  std::string path_;
  Content before_, after_;
};

class Toy : public Applier {
 public:
  Toy(std::string name, std::vector<std::string_view> after, test::FakeSystem& system)
      : name_(std::move(name)), after_(std::move(after)), system_(system) {}

  std::string_view name() const override { return name_; }
  std::vector<std::string> owns() const override { return {name_}; }
  std::vector<std::string> reads() const override { return {after_.begin(), after_.end()}; }
  std::vector<std::string_view> after() const override { return after_; }

  void check(const World&, const World& after, const tree::Delta&,
             base::Diagnostics& out) const override {
    if (content(after, "forbidden")) {
      out.error(base::Code::Constraint, name_, "item forbidden", "this item is not possible");
    }
  }

  Plan plan(const World& before, const World& after, const tree::Delta& delta) const override {
    Plan plan;
    const tree::Path list{{{delta.after().schema().find(name_), {}, false},
                           {delta.after().schema().find(name_ + " item"), {}, false}}};
    for (const std::string& key : delta.changed_keys(list)) {
      add(plan, file(key), content(before, key), content(after, key));
    }
    return plan;
  }

  base::Result<Plan> reconcile(const World& wanted, system::System&) const override {
    Plan plan;
    for (const auto& [path, held] : system_.files.all()) {
      if (path.starts_with(file("")) && !content(wanted, path.substr(file("").size()))) {
        add(plan, path, held.text, std::nullopt);
      }
    }
    for (const auto& [key, item] : tree::View(wanted.tree)[name_]["item"].entries()) {
      const auto held = system_.files.all().find(file(key));
      const auto text =
          held == system_.files.all().end() ? std::nullopt : std::optional(held->second.text);
      if (text != item["value"].text()) {
        add(plan, file(key), text, item["value"].text());
      }
    }
    return plan;
  }

 private:
  std::string file(std::string_view key) const { return std::format("/etc/{}/{}", name_, key); }
  std::optional<std::string> content(const World& world, std::string_view key) const {
    const auto item = tree::View(world.tree)[name_]["item"].entry(key);
    return item ? std::optional(item["value"].text()) : std::nullopt;
  }
  static void add(Plan& plan, const std::string& path, std::optional<std::string> before,
                  std::optional<std::string> after) {
    const Phase phase = !before ? Phase::Build : after ? Phase::Switch : Phase::Retire;
    plan.add(phase, std::make_unique<FileStep>(path, std::move(before), std::move(after)));
  }

  std::string name_;
  std::vector<std::string_view> after_;
  test::FakeSystem& system_;
};

// A router that can be restarted, rebooted and cut off.
class ToyRouter : public ::testing::Test {
 protected:
  ToyRouter() {
    std::string pattern = (std::filesystem::temp_directory_path() / "commit-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    test::plug_default_links(system_);
  }
  ~ToyRouter() override {
    engine_.reset();
    std::filesystem::remove_all(folder_);
  }

  StartReport start() {
    engine_.reset();
    Registry registry;
    registry.push_back(
        std::make_unique<Toy>("right", std::vector<std::string_view>{"left"}, system_));
    registry.push_back(std::make_unique<Toy>("left", std::vector<std::string_view>{}, system_));
    engine_ = Engine::open(schema_, std::move(registry), system_.view(),
                           {folder_ / "state", folder_ / "run", [this] { return clock_; }})
                  .value();
    return engine_->start().value();
  }
  StartReport reboot() {
    engine_.reset();
    std::filesystem::remove_all(folder_ / "run");
    system_.reboot();
    clock_ = std::chrono::seconds(5);
    return start();
  }

  // Running with `lines` (set, delete, …) run on it.
  tree::ConfigTree edited(const std::string& lines) {
    tree::Editor editor(engine_->running());
    const auto report = tree::load(editor, {}, lines, tree::LoadAction::Set);
    EXPECT_TRUE(report.errors.empty()) << report.to_string("edit");
    return editor.tree();
  }
  CommitReport commit(const std::string& lines, Observer* observer = nullptr,
                      std::string comment = {}) {
    return engine_->commit({edited(lines), "alice", "cli", std::move(comment)}, observer);
  }

  schema::Schema schema_ = make_schema();
  std::filesystem::path folder_;
  test::FakeSystem system_;
  std::chrono::seconds clock_{1000};  // since the boot
  std::unique_ptr<Engine> engine_;
};

struct Crash {};

// Fails or crashes at the n-th moment it is told of.
class Interruption : public Observer {
 public:
  enum class Kind { Fail, Crash };
  Interruption(Kind kind, std::size_t at) : kind_(kind), at_(at) {}

  bool happened() const { return seen_ > at_; }
  Moment moment() const { return moment_; }
  base::Result<void> at(Moment moment, const PlannedStep*) override {
    if (seen_++ != at_) {
      return {};
    }
    moment_ = moment;
    if (kind_ == Kind::Crash) {
      throw Crash();
    }
    return base::fail(base::Code::ApplyFailed, "injected");
  }

 private:
  Kind kind_;
  std::size_t at_;
  std::size_t seen_ = 0;
  Moment moment_ = Moment::Prepare;
};

}  // namespace millrace::commit::toy
