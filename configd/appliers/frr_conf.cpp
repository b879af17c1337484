// SPDX-License-Identifier: GPL-2.0-or-later
//
// /etc/frr/frr.conf: what FRR reads when it starts. configd talks to running daemons and needs no
// file, but a daemon that crashes is restarted by watchfrr, which loads this file into it, and
// nobody else would. So it says what a commit has put into the daemons. It is as long as the
// configuration, so a commit orders it, last, when they have taken it, and it is written while the
// user already types on; a process that is killed before that is found out by the next.
#include <format>

#include "appliers/action_step.h"
#include "appliers/static_lines.h"
#include "commit/applier.h"

namespace millrace::appliers {
namespace {

using commit::Phase;
using commit::World;
using system::FileContent;
using system::System;

constexpr std::string_view kPath = "/etc/frr/frr.conf";
constexpr unsigned kMode = 0640;

FileContent render(const tree::ConfigTree& tree) {
  std::string text =
      "! Made from the configuration; changes here are lost.\n"
      "frr version 10.3\n"
      "frr defaults traditional\n"
      "log syslog informational\n"
      "!\n";
  for (const auto& [prefix, lines] : all_static_routes(tree)) {
    for (const std::string& line : lines) {
      text += line;
      text += '\n';
    }
  }
  text += "!\n";
  return {std::move(text), kMode};
}

std::string describe() {
  return std::format("write {}", kPath);
}

// Undo does not leave it for later: FRR may be started anew from the file, to have it take back
// what it holds.
std::unique_ptr<commit::Step> order_step(const tree::ConfigTree& before,
                                         const tree::ConfigTree& after) {
  return action_step(
      describe(),
      [after](System& system) {
        return system.files.write_soon(kPath, [after] { return render(after); });
      },
      [before](System& system) { return system.files.write(kPath, render(before)); });
}

std::unique_ptr<commit::Step> write_step(const FileContent& before, const FileContent& after) {
  return action_step(
      describe(), [after](System& system) { return system.files.write(kPath, after); },
      [before](System& system) { return system.files.write(kPath, before); });
}

// O(change), unlike a look at the text.
bool changes_text(const World& before, const World& after, const tree::Delta& delta) {
  const Connected networks_before(before.tree);
  const Connected networks_after(after.tree);
  for (const base::Family family : {base::Family::Inet, base::Family::Inet6}) {
    const tree::View old_routes = static_routes(before.tree, family);
    const tree::View new_routes = static_routes(after.tree, family);
    for (const std::string& key : touched_static_routes(delta, family)) {
      const base::Prefix prefix = *base::Prefix::parse(key);
      if (lines_of_route(before.tree, networks_before, prefix, old_routes.entry(key)) !=
          lines_of_route(after.tree, networks_after, prefix, new_routes.entry(key))) {
        return true;
      }
    }
  }
  return false;
}

class FrrConf final : public commit::Applier {
 public:
  std::string_view name() const override { return "frr-conf"; }
  std::vector<std::string> owns() const override { return {}; }
  std::vector<std::string> reads() const override {
    return {"routing-options", "interfaces interface"};
  }
  // Retiring goes in reverse: what this one retires would come first, so it switches last.
  std::vector<std::string_view> after() const override { return {"static"}; }

  commit::Plan plan(const World& before, const World& after,
                    const tree::Delta& delta) const override {
    commit::Plan plan;
    if (changes_text(before, after, delta)) {
      plan.add(Phase::Switch, order_step(before.tree, after.tree));
    }
    return plan;
  }

  base::Result<commit::Plan> reconcile(const World& wanted, System& system) const override {
    const auto actual = system.files.read(kPath);
    if (!actual) {
      return std::unexpected(actual.error());
    }
    commit::Plan plan;
    const FileContent file = render(wanted.tree);
    if (!*actual || **actual != file) {
      plan.add(Phase::Switch,
               write_step(actual->value_or(render(tree::ConfigTree(wanted.tree.schema()))), file));
    }
    return plan;
  }

  bool unsettled(System& system) const override { return system.files.unwritten(kPath); }
};

}  // namespace

std::unique_ptr<commit::Applier> make_frr_conf() {
  return std::make_unique<FrrConf>();
}

}  // namespace millrace::appliers
