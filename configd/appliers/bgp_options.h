// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options of BGP as a neighbour has them: each may stand at the neighbour, at its group or at the
// top of bgp, and the most specific one counts.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"
#include "tree/view.h"

namespace millrace::appliers {

// The own autonomous system; empty when there is none.
std::string local_as(const tree::ConfigTree& tree);

class BgpPeer {
 public:
  using Names = std::initializer_list<std::string_view>;

  // A neighbour of a group.
  BgpPeer(const tree::ConfigTree& tree, tree::View group, std::string_view address,
          tree::View neighbor);
  // Whoever calls from a network that the group allows.
  BgpPeer(const tree::ConfigTree& tree, tree::View group);

  // The statement of the most specific level that has it; one that does not exist when none has.
  tree::View find(Names names) const;
  bool has(Names names) const { return find(names).exists(); }

  const std::string& group() const { return group_; }
  const std::optional<base::IpAddress>& address() const { return address_; }  // none: allowed ones
  std::string frr_name() const;  // the address, or the name of a peer-group

  std::string own_as() const;   // that it sees: local-as, or the router's
  std::string peer_as() const;  // empty: not said, and not known from the type
  bool external() const;

  // Families that are exchanged, as in Junos: those of the most specific level that names any, or
  // that of the session's addresses.
  bool exchanges(base::Family family) const;
  // The options of a family at the level that counts.
  tree::View unicast(base::Family family) const;

  // "protocols bgp group G neighbor A"
  std::string level() const { return level(0); }
  // That of the statement which find() finds; the most specific one when there is none.
  std::string level_of(Names names) const;

 private:
  tree::View families() const;
  std::string level(std::size_t at) const;  // of levels_[at]

  std::vector<tree::View> levels_;  // most specific first
  std::string group_;
  std::optional<base::IpAddress> address_;
  std::string as_;
  bool allows_inet6_ = false;
};

// All of them, in order of display. Cost: their number.
std::vector<BgpPeer> bgp_peers(const tree::ConfigTree& tree);

}  // namespace millrace::appliers
