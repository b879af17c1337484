// SPDX-License-Identifier: GPL-2.0-or-later
//
// The chains of import and export policies of all neighbours as route-maps, and what has to be
// redistributed into bgpd for them. As in Junos the most specific level that has a chain counts;
// chains are not added up.
//
// Routes of other protocols come into bgpd with what Junos gives them: origin IGP and local
// preference 100. bgpd adds a MED of 0, which it cannot leave out; to who receives it that is the
// same as none (RFC 4271 §9.1.2.2 c).
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "appliers/bgp_options.h"
#include "appliers/frr_object.h"
#include "appliers/policy/compiler.h"
#include "base/diagnostics.h"

namespace millrace::appliers {

class BgpPolicies {
 public:
  // Adds to `findings` what FRR cannot express and names that are not defined.
  BgpPolicies(const tree::ConfigTree& tree, base::Diagnostics& findings)
      : compiler_(tree),
        ospf_(!tree::View(tree)["protocols"]["ospf"]["area"].entries().empty()),
        findings_(findings) {}

  struct Maps {
    std::string in;              // empty: none
    std::string out;             // empty only after a finding
    bool writes_own_as = false;  // policy/compiler.h
  };
  Maps of(const BgpPeer& peer, base::Family family);

  // Of the neighbours that were asked for: the protocols that FRR has to redistribute, in its
  // words.
  const std::set<std::string_view>& redistributed(base::Family family) {
    return redistributed_[family];
  }
  // What every redistribution uses.
  static constexpr std::string_view kRedistributed = "r-redistributed";

  // Lists and route-maps of the neighbours that were asked for.
  FrrConfig take_objects();

 private:
  policy::Compiled compile(const BgpPeer& peer, base::Family family, policy::Direction direction);

  policy::Compiler compiler_;
  bool ospf_;  // is run
  base::Diagnostics& findings_;
  std::map<base::Family, std::set<std::string_view>> redistributed_;
  FrrConfig objects_;
};

// The names of policies that the chains of `bgp` have, also in expressions. O(neighbours).
std::set<std::string, std::less<>> bgp_policies(const tree::ConfigTree& tree);

}  // namespace millrace::appliers
