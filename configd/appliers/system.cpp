// SPDX-License-Identifier: GPL-2.0-or-later
//
// The router itself: its host name, and the kernel settings that make it a router. The settings are
// no configuration and never change; the image sets them before configd starts, and reconcile makes
// sure of them, so that a test guest or a container is a router as well.
#include <array>
#include <format>

#include "appliers/action_step.h"
#include "commit/applier.h"
#include "tree/view.h"

namespace millrace::appliers {
namespace {

using commit::Phase;
using commit::World;
using system::System;

constexpr std::string_view kDefaultHostName = "millrace";

struct Setting {
  std::string_view name;
  std::string_view value;
};
constexpr std::array kSettings = {
    Setting{"net/ipv4/ip_forward", "1"},
    // Also stops router advertisements from configuring us (accept_ra 1 means "unless forwarding").
    Setting{"net/ipv6/conf/all/forwarding", "1"},
    Setting{"net/ipv6/conf/default/forwarding", "1"},
    // Addresses are the configuration's, not the link's.
    Setting{"net/ipv6/conf/all/keep_addr_on_down", "1"},
    Setting{"net/ipv4/conf/all/promote_secondaries", "1"},
};

std::string host_name_of(const World& world) {
  return tree::View(world.tree)["system"]["host-name"].text(kDefaultHostName);
}

std::unique_ptr<commit::Step> host_name_step(const std::string& before, const std::string& after) {
  return action_step(
      std::format("set host name to {}", after),
      [after](System& system) { return system.kernel.set_host_name(after); },
      [before](System& system) { return system.kernel.set_host_name(before); });
}

class Router final : public commit::Applier {
 public:
  std::string_view name() const override { return "system"; }
  // The mode is for `configure` in server/ to read and archives are made by server/archive.cpp;
  // both ask nothing of the system.
  std::vector<std::string> owns() const override {
    return {"system archival", "system configuration-mode-default", "system host-name"};
  }

  void check(const World& /*before*/, const World& after, const tree::Delta& /*delta*/,
             base::Diagnostics& out) const override {
    const auto sites =
        tree::View(after.tree)["system"]["archival"]["configuration"]["archive-sites"];
    for (const auto& [url, site] : sites.entries()) {
      // git asks ssh and its own helpers, and a folder asks nobody.
      const bool is_asked =
          !url.starts_with('/') && !url.starts_with("file:") && !url.starts_with("git+");
      if (site["password"].exists() && !is_asked) {
        out.warning(std::format("system archival configuration archive-sites {}", url), "password",
                    "statement has no effect: nobody asks for a password there");
      }
    }
  }

  commit::Plan plan(const World& before, const World& after,
                    const tree::Delta& /*delta*/) const override {
    commit::Plan plan;
    const std::string old_name = host_name_of(before);
    const std::string new_name = host_name_of(after);
    if (old_name != new_name) {
      plan.add(Phase::Switch, host_name_step(old_name, new_name));
    }
    return plan;
  }

  base::Result<commit::Plan> reconcile(const World& wanted, System& system) const override {
    commit::Plan plan;
    for (const auto& [setting, value] : kSettings) {
      const auto actual = system.kernel.sysctl(setting);
      if (!actual && !wanted.facts->features.contains("ipv6") && setting.starts_with("net/ipv6/")) {
        continue;  // a kernel without IPv6
      }
      if (!actual) {
        return std::unexpected(actual.error());
      }
      if (*actual != value) {
        plan.add(Phase::Build, action_step(
                                   std::format("set {} to {}", setting, value),
                                   [setting, value](System& target) {
                                     return target.kernel.set_sysctl(setting, value);
                                   },
                                   [setting, old = *actual](System& target) {
                                     return target.kernel.set_sysctl(setting, old);
                                   }));
      }
    }
    const auto actual = system.kernel.host_name();
    if (!actual) {
      return std::unexpected(actual.error());
    }
    if (const std::string name = host_name_of(wanted); *actual != name) {
      plan.add(Phase::Switch, host_name_step(*actual, name));
    }
    return plan;
  }
};

}  // namespace

std::unique_ptr<commit::Applier> make_system() {
  return std::make_unique<Router>();
}

}  // namespace millrace::appliers
