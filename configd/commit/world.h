// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a plan is a function of: the effective configuration and the facts of the machine. Hot-plug,
// leases and late interfaces are the same function with equal trees and different facts.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "system/system.h"
#include "tree/config_tree.h"

namespace millrace::commit {

// Snapshotted once per commit; immutable after. Only what exists whether or not we configured it:
// never state that a commit makes, which would make plans depend on history.
struct Facts {
  struct Link {
    std::uint32_t default_mtu = 1500;  // what `delete mtu` goes back to
    std::uint32_t min_mtu = 0;         // 0: unknown
    std::uint32_t max_mtu = 0;
    std::uint32_t index = 0;  // another one: the device was taken out and put in again
    bool operator==(const Link&) const = default;
  };
  std::map<std::string, Link, std::less<>>
      links;                                    // by kernel name; foreign and physical links only
  std::set<std::string, std::less<>> features;  // "8021q", "mpls", …
  // Addresses that somebody else has put on a device; none that the kernel makes by itself
  // (link-local), since those come and go with what a commit does.
  std::set<std::pair<std::string, base::InterfaceAddress>> foreign_addresses;
  bool operator==(const Facts&) const = default;
};

struct World {
  tree::ConfigTree tree;  // effective
  std::shared_ptr<const Facts> facts;
};

}  // namespace millrace::commit
