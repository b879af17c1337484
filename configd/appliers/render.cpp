// SPDX-License-Identifier: GPL-2.0-or-later
//
// The applier of every `render` of the templates: a file that follows a subtree, and the service
// that reads it. File and service are one step, because taking one back without the other would
// leave a service running on what is no longer configured.
//
// A service that is stopped before its file changes shows by being stopped that it has work to
// come. One that is only told to read the file again does not: if we end between the two, file and
// service both look right. So a mark is set before the file is touched and goes when the service
// has been told; it lives where a boot removes it, since a boot starts the service on the file.
#include <format>
#include <functional>
#include <optional>

#include "appliers/render_text.h"
#include "base/check.h"
#include "commit/applier.h"

namespace millrace::appliers {
namespace {

using base::Code;
using base::Diagnostics;
using base::Result;
using commit::Phase;
using commit::World;
using system::FileContent;
using system::System;
using tree::View;

using Content = std::optional<FileContent>;  // nothing: no file, and the unit is stopped

std::string untold(const schema::Render& render) {
  return "/run/millrace/untold/" + render.name;
}

class RenderStep final : public commit::Step {
 public:
  RenderStep(const schema::Render& render, Content before, Content after)
      : render_(render), before_(std::move(before)), after_(std::move(after)) {}

  std::string description() const override {
    const std::string_view verb = !after_ ? "remove" : "write";
    const std::string_view then = !after_ ? "stop" : !before_ ? "start" : change_word();
    return render_.unit.empty()
               ? std::format("{} {}", verb, render_.file)
               : std::format("{} {}, {} {}", verb, render_.file, then, render_.unit);
  }

  bool disruptive() const override {
    return before_ && after_ && !render_.unit.empty() && !render_.reloads;
  }

  Result<void> prepare(System& system) override {
    if (!after_ || render_.validate.empty()) {
      return {};
    }
    return system.files.validate(*after_, render_.validate);
  }

  Result<void> apply(System& system) override { return move(system, after_); }
  Result<void> undo(System& system) override { return move(system, before_); }

 private:
  std::string_view change_word() const { return render_.reloads ? "reload" : "restart"; }

  Result<void> move(System& system, const Content& to) {
    if (!to) {
      if (!render_.unit.empty()) {
        if (auto stopped = system.units.stop(render_.unit); !stopped) {
          return stopped;
        }
      }
      return system.files.remove(render_.file).and_then([&] {
        return render_.reloads ? system.files.remove(untold(render_)) : Result<void>();
      });
    }
    if (render_.unit.empty()) {
      return system.files.write(render_.file, *to);
    }
    const auto active = system.units.active(render_.unit);
    if (!active) {
      return std::unexpected(active.error());
    }
    const bool reloads = *active && render_.reloads;
    if (*active && !reloads) {
      // Before the file changes: whatever ends us in between leaves a service that is stopped,
      // which reconcile can see, and not one that runs on what is no longer in its file.
      if (auto stopped = system.units.stop(render_.unit); !stopped) {
        return stopped;
      }
    }
    if (reloads) {
      if (auto marked = system.files.write(untold(render_), {}); !marked) {
        return marked;
      }
    }
    if (auto written = system.files.write(render_.file, *to); !written) {
      return written;
    }
    if (auto told = reloads ? system.units.reload(render_.unit) : system.units.start(render_.unit);
        !told) {
      return told;
    }
    // Also after a start: the unit may have died since the mark was set.
    return render_.reloads ? system.files.remove(untold(render_)) : Result<void>();
  }

  const schema::Render& render_;
  Content before_;
  Content after_;
};

// The levels below `view` with a leaf, key or value equal to `value`.
void find_value(const View& view, const std::string& level, std::string_view value,
                const std::function<void(const std::string&, const std::string&)>& found) {
  using schema::Kind;
  for (const auto& child : view.schema().children) {
    const View below = view[child->name];
    if (!below) {
      continue;
    }
    const std::string word = child->nameless ? std::string() : child->name;
    const std::string inner = level + (word.empty() ? "" : " ") + word;
    if (child->kind == Kind::Leaf && below.value() == value) {
      found(level, word);
    } else if (child->kind == Kind::Container) {
      find_value(below, inner, value, found);
    } else if (child->kind != Kind::Leaf) {
      for (const auto& [key, entry] : below.entries()) {
        if (key == value) {
          found(level, std::format("{} {}", word, key));
        }
        if (child->kind == Kind::List) {
          find_value(entry, std::format("{} {}", inner, key), value, found);
        }
      }
    }
  }
}

class RenderApplier final : public commit::Applier {
 public:
  explicit RenderApplier(const schema::Render& render) : render_(render) {
    base::check(!why_not_renderable(render.text), "the templates have been checked");
  }

  std::string_view name() const override { return render_.name; }
  std::vector<std::string> owns() const override { return {render_.path}; }
  std::vector<std::string_view> after() const override { return {"interfaces", "system"}; }

  void check(const World& /*before*/, const World& after, const tree::Delta& /*delta*/,
             Diagnostics& out) const override {
    const View subtree = subtree_at(after.tree, render_.path);
    if (!subtree) {
      return;
    }
    for (const std::string& value : render_text(render_, subtree).refused) {
      find_value(subtree, render_.path, value,
                 [&](const std::string& level, const std::string& statement) {
                   out.error(Code::BadValue, level, statement,
                             std::format("'{}' cannot stand in {}", value, render_.file),
                             "letters, digits and - . _ : / @ are always possible");
                 });
    }
  }

  commit::Plan plan(const World& before, const World& after,
                    const tree::Delta& /*delta*/) const override {
    return step(content_of(before), content_of(after));
  }

  Result<commit::Plan> reconcile(const World& wanted, System& system) const override {
    const auto actual = system.files.read(render_.file);
    if (!actual) {
      return std::unexpected(actual.error());
    }
    bool active = false;
    if (!render_.unit.empty()) {
      const auto state = system.units.active(render_.unit);
      if (!state) {
        return std::unexpected(state.error());
      }
      active = *state;
    }
    const Content target = content_of(wanted);
    const bool runs_as_wanted = render_.unit.empty() || active == target.has_value();
    if (*actual == target && runs_as_wanted && !(active && unsettled(system))) {
      return commit::Plan();
    }
    commit::Plan plan;
    plan.add(phase(*actual, target), std::make_unique<RenderStep>(render_, *actual, target));
    return plan;
  }

  bool unsettled(System& system) const override {
    if (!render_.reloads) {
      return false;
    }
    const auto mark = system.files.read(untold(render_));
    return mark && mark->has_value();
  }

 private:
  Content content_of(const World& world) const {
    const View subtree = subtree_at(world.tree, render_.path);
    if (!subtree) {
      return std::nullopt;
    }
    return FileContent{render_text(render_, subtree).text, render_.mode};
  }

  static Phase phase(const Content& before, const Content& after) {
    return !after ? Phase::Retire : !before ? Phase::Build : Phase::Switch;
  }

  commit::Plan step(Content before, Content after) const {
    commit::Plan plan;
    if (before != after) {
      plan.add(phase(before, after),
               std::make_unique<RenderStep>(render_, std::move(before), std::move(after)));
    }
    return plan;
  }

  const schema::Render& render_;
};

}  // namespace

std::unique_ptr<commit::Applier> make_render(const schema::Render& render) {
  return std::make_unique<RenderApplier>(render);
}

}  // namespace millrace::appliers
