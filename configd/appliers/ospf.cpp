// SPDX-License-Identifier: GPL-2.0-or-later
//
// OSPF, through ospfd, which runs while there is an area. The lines are made in ospf_lines.cpp,
// brought to ospfd in frr_service.cpp; here is what ospfd would refuse, or take and not mean.
#include <algorithm>
#include <format>
#include <map>

#include "appliers/frr_service.h"
#include "appliers/ospf_lines.h"
#include "appliers/policy/compiler.h"
#include "commit/applier.h"

namespace millrace::appliers {
namespace {

using base::Code;
using base::Diagnostics;
using commit::World;
using system::System;
using tree::View;

constexpr std::string_view kLevel = "protocols ospf";

void check_interface(const tree::ConfigTree& tree, const std::string& level, std::string_view name,
                     Diagnostics& out) {
  const std::size_t dot = name.find('.');
  const View unit =
      View(tree)["interfaces"].entry(name.substr(0, dot))["unit"].entry(name.substr(dot + 1));
  const std::string statement = std::format("interface {}", name);
  if (!unit) {
    out.error(Code::Constraint, level, statement,
              std::format("interface {} is not configured", name));
  } else if (unit["family"]["inet"]["address"].entries().empty()) {
    out.warning(level, statement, std::format("{} has no IPv4 address: OSPF does not use it", name),
                "set family inet address at the interface");
  }
}

void check_area(const tree::ConfigTree& tree, std::string_view key, const View& area,
                Diagnostics& out) {
  const std::string level = std::format("{} area {}", kLevel, key);
  if (area_id(key) == "0.0.0.0") {
    for (const char* const kind : {"stub", "nssa"}) {
      if (area[kind]) {
        out.error(Code::Constraint, level, kind, "the backbone takes routes from outside");
      }
    }
  }
  for (const auto& [name, interface] : area["interface"].entries()) {
    check_interface(tree, level, name, out);
  }
}

bool concerns(const tree::Delta& delta) {
  return delta.touches("protocols ospf") || delta.touches("routing-options router-id") ||
         delta.touches("interfaces interface vlan-tagging") ||
         // whether BGP runs decides what is redistributed, and a policy may be one of ours
         (View(delta.after())["protocols"]["ospf"]["export"] &&
          (delta.touches("protocols bgp") || !policy::changed_policies(delta).empty()));
}

FrrConfig config_of(const tree::ConfigTree& tree) {
  Diagnostics found;  // by check() already
  return ospf_config(tree, found);
}

class Ospf final : public commit::Applier {
 public:
  std::string_view name() const override { return "ospf"; }
  std::vector<std::string> owns() const override { return {std::string(kLevel)}; }
  std::vector<std::string> reads() const override {
    return {"interfaces interface", "policy-options", "protocols bgp", "routing-options"};
  }
  std::vector<std::string_view> after() const override { return {"interfaces", "static"}; }

  void check(const World& /*before*/, const World& after, const tree::Delta& /*delta*/,
             Diagnostics& out) const override {
    const View ospf = View(after.tree)["protocols"]["ospf"];
    const auto bandwidth = ospf["reference-bandwidth"].value();
    if (bandwidth && !reference_megabits(*bandwidth)) {
      out.error(Code::BadValue, std::string(kLevel),
                std::format("reference-bandwidth {}", *bandwidth),
                "expected 1m to 4294967m, which is as far as FRR goes");
    }
    std::map<std::string, std::string_view> areas;
    for (const auto& [key, area] : ospf["area"].entries()) {
      const auto [other, added] = areas.emplace(area_id(key), key);
      if (!added) {
        out.error(Code::Constraint, std::string(kLevel), std::format("area {}", key),
                  std::format("area {} is the same area", other->second));
      }
      check_area(after.tree, key, area, out);
    }
    if (!out.has_errors()) {
      static_cast<void>(ospf_config(after.tree, out));
    }
  }

  commit::Plan plan(const World& before, const World& after,
                    const tree::Delta& delta) const override {
    return concerns(delta) ? plan_frr(kOspfd, config_of(before.tree), config_of(after.tree))
                           : commit::Plan();
  }

  base::Result<commit::Plan> reconcile(const World& wanted, System& system) const override {
    return reconcile_frr(kOspfd, config_of(wanted.tree), system);
  }

  bool unsettled(System& system) const override { return system.files.unwritten(kOspfd.file); }
};

}  // namespace

std::unique_ptr<commit::Applier> make_ospf() {
  return std::make_unique<Ospf>();
}

}  // namespace millrace::appliers
