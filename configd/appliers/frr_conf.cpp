// SPDX-License-Identifier: GPL-2.0-or-later
//
// /etc/frr/frr.conf: what FRR reads when it starts. configd talks to running daemons and needs no
// file, but a daemon that crashes is restarted by watchfrr, which loads this file into it, and
// nobody else would. So it says at every moment what a commit has put into the daemons; it is
// written last, when they have taken it.
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

std::unique_ptr<commit::Step> write_step(const FileContent& before, const FileContent& after) {
  return action_step(
      std::format("write {}", kPath),
      [after](System& system) { return system.files.write(kPath, after); },
      [before](System& system) { return system.files.write(kPath, before); });
}

class FrrConf final : public commit::Applier {
 public:
  std::string_view name() const override { return "frr-conf"; }
  std::vector<std::string> owns() const override { return {}; }
  std::vector<std::string> reads() const override {
    return {"routing-options", "interfaces interface vlan-tagging"};
  }
  // Retiring goes in reverse: what this one retires would come first, so it switches last.
  std::vector<std::string_view> after() const override { return {"static"}; }

  commit::Plan plan(const World& before, const World& after,
                    const tree::Delta& /*delta*/) const override {
    commit::Plan plan;
    const FileContent old_file = render(before.tree);
    const FileContent new_file = render(after.tree);
    if (old_file != new_file) {
      plan.add(Phase::Switch, write_step(old_file, new_file));
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
};

}  // namespace

std::unique_ptr<commit::Applier> make_frr_conf() {
  return std::make_unique<FrrConf>();
}

}  // namespace millrace::appliers
