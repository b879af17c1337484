// SPDX-License-Identifier: GPL-2.0-or-later
//
// The order within a phase, and why:
//
//   Teardown  VLANs that are made anew (another vlan-id or parent), VLANs and addresses whose
//   vlan-id
//             or address somebody else takes over
//   Build     mark of hardware; larger MTUs (parent first: a VLAN cannot exceed it), alias, up; new
//             VLANs, parents being ready by then; then addresses, so that IPv6 finds its MTU
//   Retire    addresses; VLANs; down; smaller MTUs (VLANs first, so that undo raises the parent
//             first); mark
//
// The kernel drops things on its own. Taking a device down drops its IPv6 addresses unless
// keep_addr_on_down is set (net/ipv6/addrconf.c: addrconf_ifdown) and takes its VLANs down,
// bringing it up brings them all up, even those that should be down (net/8021q/vlan.c:
// vlan_device_event). So the step that changes a device up or down puts right what stands on it.
#include "appliers/link_plan.h"

#include <algorithm>
#include <format>
#include <set>
#include <tuple>
#include <utility>

#include "appliers/action_step.h"
#include "appliers/address_plan.h"

namespace millrace::appliers {
namespace {

using base::Result;
using commit::Phase;
using commit::Plan;
using system::System;

// What shall stand on a device after it went up or down.
using Standing = std::vector<LinkState>;

// `addresses`: whether IPv6 addresses that stand on it may be missing.
Result<void> set_up(System& system, const std::string& link, bool up, const Standing& standing,
                    bool addresses) {
  auto done = system.kernel.set_admin_up(link, up);
  for (const LinkState& state : standing) {
    if (done && state.is_vlan() && state.name != link) {
      done = system.kernel.set_admin_up(state.name, state.up);
    }
    for (const base::InterfaceAddress& address : state.addresses) {
      if (done && addresses && address.address.family() == base::Family::Inet6) {
        done = system.kernel.add_address(state.name, address);
      }
    }
  }
  return done;
}

// Everything of a VLAN that was deleted.
Result<void> restore_vlan(System& system, const LinkState& vlan) {
  auto done = system.kernel.add_vlan(vlan.name, vlan.parent, vlan.vlan_id);
  if (done) {
    done = system.kernel.set_mtu(vlan.name, vlan.mtu);
  }
  if (done && !vlan.alias.empty()) {
    done = system.kernel.set_alias(vlan.name, vlan.alias);
  }
  if (done && vlan.up) {
    done = system.kernel.set_admin_up(vlan.name, true);
  }
  for (const base::InterfaceAddress& address : vlan.addresses) {
    if (done) {
      done = system.kernel.add_address(vlan.name, address);
    }
  }
  return done;
}

class LinkPlanner {
 public:
  LinkPlanner(const LinkStates& before, const LinkStates& after)
      : before_(before), after_(after), incoming_(incoming_addresses(before, after)) {}

  Plan plan();

 private:
  struct Pair {
    const LinkState* before;
    const LinkState* after;
  };

  void sort_out();
  bool in_the_way(const LinkState& vlan) const;
  const LinkState& blank(const LinkState& after);
  Standing standing_on(const LinkState& link, const LinkStates& states) const;
  void leave_to_their_undo(Standing& standing) const;
  void build();
  void retire();

  void mark(Phase phase, const Pair& pair);
  void mtu(Phase phase, const Pair& pair);
  void alias(Phase phase, const Pair& pair);
  void up(Phase phase, const Pair& pair);
  void create_vlan_step(const LinkState& vlan);
  void delete_vlan_step(Phase phase, const LinkState& vlan);

  const LinkStates& before_;
  const LinkStates& after_;
  const Incoming incoming_;
  LinkStates blanks_;
  Plan plan_;
  std::vector<Pair> hardware_;               // in both states
  std::vector<Pair> vlans_;                  // in both states, and new ones from a blank
  std::vector<const LinkState*> new_vlans_;  // to create
  std::set<std::pair<std::string, std::uint16_t>> new_ids_;
  std::vector<const LinkState*> torn_down_;  // VLANs to delete before anything is built
  std::vector<const LinkState*> retired_;    // VLANs to delete at the end
};

bool is_recreated(const LinkState& before, const LinkState& after) {
  return std::tie(before.parent, before.vlan_id) != std::tie(after.parent, after.vlan_id);
}

void LinkPlanner::sort_out() {
  for (const auto& [name, after] : after_) {
    const auto found = before_.find(name);
    const bool stays = found != before_.end() && !is_recreated(found->second, after);
    if (stays) {
      (after.is_vlan() ? vlans_ : hardware_).push_back({&found->second, &after});
    } else if (after.is_vlan()) {
      new_vlans_.push_back(&after);
      new_ids_.emplace(after.parent, after.vlan_id);
      vlans_.push_back({&blank(after), &after});
    }
  }
  for (const auto& [name, before] : before_) {
    const auto found = after_.find(name);
    if (before.is_vlan() && (found == after_.end() || is_recreated(before, found->second))) {
      const bool first = found != after_.end() || in_the_way(before);
      (first ? torn_down_ : retired_).push_back(&before);
    }
  }
}

// As the kernel makes a VLAN: down, with its parent's MTU, which is still the larger of both then.
const LinkState& LinkPlanner::blank(const LinkState& after) {
  LinkState state;
  state.name = after.name;
  state.parent = after.parent;
  state.vlan_id = after.vlan_id;
  state.mtu = after.mtu;
  if (const auto parent = before_.find(after.parent); parent != before_.end()) {
    state.mtu = std::max(state.mtu, parent->second.mtu);
  }
  return blanks_.insert_or_assign(after.name, std::move(state)).first->second;
}

bool LinkPlanner::in_the_way(const LinkState& vlan) const {
  return new_ids_.contains({vlan.parent, vlan.vlan_id}) ||
         std::ranges::any_of(vlan.addresses, [&](const base::InterfaceAddress& address) {
           return incoming_.contains(address.address);
         });
}

// The device and the VLANs on it. Of the state before, those that are still there when Build is
// undone; the others are restored whole by the undo of their deletion.
Standing LinkPlanner::standing_on(const LinkState& link, const LinkStates& states) const {
  Standing standing{link};
  if (link.is_vlan()) {
    return standing;
  }
  for (const auto& [name, state] : states) {
    const bool torn_down =
        std::ranges::any_of(torn_down_, [&](const LinkState* gone) { return gone->name == name; });
    if (state.parent == link.name && (&states == &after_ || !torn_down)) {
      standing.push_back(state);
    }
  }
  return standing;
}

void LinkPlanner::mark(Phase phase, const Pair& pair) {
  const bool managed = pair.after->managed;
  if (managed == pair.before->managed || managed != (phase == Phase::Build)) {
    return;
  }
  const std::string& name = pair.after->name;
  plan_.add(
      phase,
      action_step(
          std::format("{} {}", managed ? "manage" : "release", name),
          [name, managed](System& system) { return system.kernel.set_managed(name, managed); },
          [name, managed](System& system) { return system.kernel.set_managed(name, !managed); }));
}

void LinkPlanner::mtu(Phase phase, const Pair& pair) {
  const std::uint32_t before = pair.before->mtu;
  const std::uint32_t after = pair.after->mtu;
  if (after == before || (after > before) != (phase == Phase::Build)) {
    return;
  }
  const std::string& name = pair.after->name;
  plan_.add(phase,
            action_step(
                std::format("set mtu of {} to {}", name, after),
                [name, after](System& system) { return system.kernel.set_mtu(name, after); },
                [name, before](System& system) { return system.kernel.set_mtu(name, before); }));
}

void LinkPlanner::alias(Phase phase, const Pair& pair) {
  const std::string& before = pair.before->alias;
  const std::string& after = pair.after->alias;
  if (after == before || after.empty() == (phase == Phase::Build)) {
    return;
  }
  const std::string& name = pair.after->name;
  plan_.add(phase,
            action_step(
                after.empty() ? std::format("clear alias of {}", name)
                              : std::format("set alias of {} to '{}'", name, after),
                [name, after](System& system) { return system.kernel.set_alias(name, after); },
                [name, before](System& system) { return system.kernel.set_alias(name, before); }));
}

void LinkPlanner::up(Phase phase, const Pair& pair) {
  const bool up = pair.after->up;
  if (up == pair.before->up || up != (phase == Phase::Build)) {
    return;
  }
  const std::string& name = pair.after->name;
  Standing before = standing_on(*pair.before, before_);
  Standing after = standing_on(*pair.after, after_);
  if (up) {
    // New VLANs are created later in this phase.
    std::erase_if(after, [&](const LinkState& state) { return blanks_.contains(state.name); });
  } else {
    leave_to_their_undo(before);
  }
  const auto apply = [name, up, after](System& system) {
    return set_up(system, name, up, after, !up);
  };
  // Taking it down may have stopped half way, with the addresses gone and not there again.
  const auto undo = [name, up, before](System& system) {
    return set_up(system, name, !up, before, true);
  };
  plan_.add(phase, up ? action_step(std::format("bring up {}", name), apply, undo)
                      : disruptive_step(std::format("take down {}", name), apply, undo));
}

// VLANs and addresses that Retire removes before it takes devices down come back by their own undo,
// which runs later.
void LinkPlanner::leave_to_their_undo(Standing& standing) const {
  std::erase_if(standing, [&](const LinkState& state) { return !after_.contains(state.name); });
  for (LinkState& state : standing) {
    const auto& stay = after_.at(state.name).addresses;
    std::erase_if(state.addresses, [&](const base::InterfaceAddress& address) {
      return std::ranges::find(stay, address) == stay.end();
    });
  }
}

void LinkPlanner::create_vlan_step(const LinkState& vlan) {
  plan_.add(Phase::Build,
            action_step(
                std::format("create {}, vlan-id {} on {}", vlan.name, vlan.vlan_id, vlan.parent),
                [name = vlan.name, parent = vlan.parent, id = vlan.vlan_id](System& system) {
                  return system.kernel.add_vlan(name, parent, id);
                },
                [name = vlan.name](System& system) { return system.kernel.delete_link(name); }));
}

void LinkPlanner::delete_vlan_step(Phase phase, const LinkState& vlan) {
  plan_.add(phase,
            disruptive_step(
                std::format("delete {}, vlan-id {} on {}", vlan.name, vlan.vlan_id, vlan.parent),
                [name = vlan.name](System& system) { return system.kernel.delete_link(name); },
                [vlan](System& system) { return restore_vlan(system, vlan); }));
}

void LinkPlanner::build() {
  for (const Pair& pair : hardware_) {
    mark(Phase::Build, pair);
    mtu(Phase::Build, pair);
    alias(Phase::Build, pair);
    up(Phase::Build, pair);
  }
  for (const LinkState* vlan : new_vlans_) {
    create_vlan_step(*vlan);
  }
  for (const Pair& pair : vlans_) {
    mtu(Phase::Build, pair);
    alias(Phase::Build, pair);
    up(Phase::Build, pair);
  }
}

void LinkPlanner::retire() {
  for (const LinkState* vlan : retired_) {
    delete_vlan_step(Phase::Retire, *vlan);
  }
  for (const auto* const pairs : {&vlans_, &hardware_}) {
    for (const Pair& pair : *pairs) {
      up(Phase::Retire, pair);
      alias(Phase::Retire, pair);
      mtu(Phase::Retire, pair);
    }
  }
  for (const Pair& pair : hardware_) {
    mark(Phase::Retire, pair);
  }
}

Plan LinkPlanner::plan() {
  sort_out();
  for (const LinkState* vlan : torn_down_) {
    delete_vlan_step(Phase::Teardown, *vlan);
  }
  build();
  // A device that is deleted takes its addresses along; one that is created has none yet.
  for (const auto* const pairs : {&hardware_, &vlans_}) {
    for (const Pair& pair : *pairs) {
      plan_addresses(*pair.before, *pair.after, incoming_, plan_);
    }
  }
  retire();
  return std::move(plan_);
}

}  // namespace

Plan plan_links(const LinkStates& before, const LinkStates& after) {
  return LinkPlanner(before, after).plan();
}

}  // namespace millrace::appliers
