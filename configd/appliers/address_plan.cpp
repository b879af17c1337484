// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first IPv4 address of a subnet on a device is its primary, from which the router speaks;
// later ones are secondaries, and go when the primary goes unless promote_secondaries is set
// (net/ipv4/devinet.c: __inet_del_ifa). As in Junos the primary shall be the lowest, however the
// configuration came about: a router that was edited and one that booted must be equal. So a subnet
// with several addresses changes in one step, which reads what the kernel has and settles it.
#include "appliers/address_plan.h"

#include <algorithm>
#include <format>
#include <map>
#include <ranges>
#include <utility>

#include "appliers/action_step.h"

namespace millrace::appliers {
namespace {

using base::Family;
using base::InterfaceAddress;
using base::Result;
using commit::Phase;
using system::System;

using Addresses = std::vector<InterfaceAddress>;

base::Prefix network_of(const InterfaceAddress& address) {
  return {address.address, address.length};
}

bool contains(const Addresses& addresses, const InterfaceAddress& address) {
  return std::ranges::find(addresses, address) != addresses.end();
}

Addresses subtract(const Addresses& from, const Addresses& what) {
  Addresses rest = from;
  std::erase_if(rest, [&](const InterfaceAddress& address) { return contains(what, address); });
  return rest;
}

Result<Addresses> present_in(System& system, const std::string& link, const base::Prefix& network) {
  const auto all = system.kernel.addresses();
  if (!all) {
    return std::unexpected(all.error());
  }
  Addresses present;
  for (const system::LinkAddress& entry : *all) {
    if (entry.ours && entry.link == link && network_of(entry.address) == network) {
      present.push_back(entry.address);
    }
  }
  return present;
}

Result<void> remove_all(System& system, const std::string& link, const Addresses& addresses) {
  // Secondaries first: they must not go with their primary before their turn.
  for (const InterfaceAddress& address : std::views::reverse(addresses)) {
    if (const auto done = system.kernel.delete_address(link, address); !done) {
      return done;
    }
  }
  return {};
}

// Makes our addresses of `network` on `link` those of `wanted`, in this order; those that are in
// place already stay untouched.
Result<void> settle(System& system, const std::string& link, const base::Prefix& network,
                    const Addresses& wanted) {
  auto present = present_in(system, link, network);
  if (!present) {
    return std::unexpected(present.error());
  }
  if (const auto done = remove_all(system, link, subtract(*present, wanted)); !done) {
    return done;
  }
  present = present_in(system, link, network);
  if (!present) {
    return std::unexpected(present.error());
  }
  const auto wrong = std::ranges::mismatch(*present, wanted).in1;
  if (const auto done = remove_all(system, link, {wrong, present->end()}); !done) {
    return done;
  }
  const auto kept = static_cast<std::size_t>(wrong - present->begin());
  for (const InterfaceAddress& address : wanted | std::views::drop(kept)) {
    if (const auto done = system.kernel.add_address(link, address); !done) {
      return done;
    }
  }
  return {};
}

std::string join(const Addresses& addresses) {
  std::string text;
  for (const InterfaceAddress& address : addresses) {
    text += (text.empty() ? "" : ", ") + address.to_string();
  }
  return text;
}

void add_one(const std::string& link, const InterfaceAddress& address, commit::Plan& plan) {
  plan.add(
      Phase::Build,
      action_step(
          std::format("add address {} to {}", address.to_string(), link),
          [link, address](System& system) { return system.kernel.add_address(link, address); },
          [link, address](System& system) { return system.kernel.delete_address(link, address); }));
}

void remove_one(Phase phase, const std::string& link, const InterfaceAddress& address,
                commit::Plan& plan) {
  plan.add(
      phase,
      action_step(
          std::format("delete address {} from {}", address.to_string(), link),
          [link, address](System& system) { return system.kernel.delete_address(link, address); },
          [link, address](System& system) { return system.kernel.add_address(link, address); }));
}

// A subnet from `before` to `after` in one step. Addresses that stay are interrupted when their
// place in the order changes.
void settle_subnet(Phase phase, const std::string& link, const base::Prefix& network,
                   const Addresses& before, const Addresses& after, commit::Plan& plan) {
  const Addresses stay = subtract(before, subtract(before, after));
  const bool in_place = std::ranges::equal(stay, after | std::views::take(stay.size()));
  std::string description = after.empty()
                                ? std::format("delete addresses {} from {}", join(before), link)
                                : std::format("make the addresses of {} in {}: {}", link,
                                              network.to_string(), join(after));
  const auto apply = [=](System& system) { return settle(system, link, network, after); };
  const auto undo = [=](System& system) { return settle(system, link, network, before); };
  plan.add(phase, in_place ? action_step(std::move(description), apply, undo)
                           : disruptive_step(std::move(description), apply, undo));
}

struct Subnet {
  Addresses before;
  Addresses after;
};

}  // namespace

Incoming incoming_addresses(const LinkStates& before, const LinkStates& after) {
  Incoming incoming;
  for (const auto& [name, link] : after) {
    const auto old = before.find(name);
    for (const InterfaceAddress& address : link.addresses) {
      if (old == before.end() || !contains(old->second.addresses, address)) {
        incoming.insert(address.address);
      }
    }
  }
  return incoming;
}

void plan_addresses(const LinkState& before, const LinkState& after, const Incoming& incoming,
                    commit::Plan& plan) {
  const std::string& link = after.name;
  std::map<base::Prefix, Subnet> subnets;  // of IPv4
  for (const InterfaceAddress& address : before.addresses) {
    if (address.address.family() == Family::Inet) {
      subnets[network_of(address)].before.push_back(address);
    }
  }
  for (const InterfaceAddress& address : after.addresses) {
    if (address.address.family() == Family::Inet) {
      subnets[network_of(address)].after.push_back(address);
    }
  }
  std::erase_if(subnets, [](const auto& entry) {
    return entry.second.before.size() < 2 && entry.second.after.size() < 2;
  });

  Addresses removed = subtract(before.addresses, after.addresses);
  Addresses added = subtract(after.addresses, before.addresses);
  for (auto& [network, subnet] : subnets) {
    removed = subtract(removed, subnet.before);
    added = subtract(added, subnet.after);
    if (subnet.before == subnet.after) {
      continue;
    }
    Addresses stay = subnet.before;
    std::erase_if(stay, [&](const InterfaceAddress& address) {
      return !contains(subnet.after, address) && incoming.contains(address.address);
    });
    if (stay != subnet.before) {
      settle_subnet(Phase::Teardown, link, network, subnet.before, stay, plan);
    }
    if (stay != subnet.after) {
      const bool shrinks = subtract(subnet.after, stay).empty();
      settle_subnet(shrinks ? Phase::Retire : Phase::Build, link, network, stay, subnet.after,
                    plan);
    }
  }
  for (const InterfaceAddress& address : removed) {
    const bool in_the_way = incoming.contains(address.address);
    remove_one(in_the_way ? Phase::Teardown : Phase::Retire, link, address, plan);
  }
  for (const InterfaceAddress& address : added) {
    add_one(link, address, plan);
  }
}

}  // namespace millrace::appliers
