// SPDX-License-Identifier: GPL-2.0-or-later
#include "appliers/bgp_options.h"

#include <algorithm>
#include <format>

namespace millrace::appliers {
namespace {

using base::Family;
using tree::View;

std::string only_key(const View& list) {
  const auto entries = list.entries();
  return entries.empty() ? std::string() : std::string(entries.front().first);
}

View below(View at, BgpPeer::Names names) {
  for (const std::string_view name : names) {
    at = at[name];
  }
  return at;
}

}  // namespace

std::string local_as(const tree::ConfigTree& tree) {
  return only_key(View(tree)["routing-options"]["autonomous-system"]);
}

BgpPeer::BgpPeer(const tree::ConfigTree& tree, View group, std::string_view address, View neighbor)
    : levels_{neighbor, group, View(tree)["protocols"]["bgp"]},
      group_(group.key()),
      address_(*base::IpAddress::parse(address)),
      as_(local_as(tree)) {}

BgpPeer::BgpPeer(const tree::ConfigTree& tree, View group)
    : levels_{group, View(tree)["protocols"]["bgp"]}, group_(group.key()), as_(local_as(tree)) {
  allows_inet6_ = std::ranges::all_of(group["allow"].entries(), [](const auto& network) {
    const auto prefix = base::Prefix::parse(network.first);
    return prefix && prefix->family() == Family::Inet6;
  });
}

View BgpPeer::find(Names names) const {
  std::optional<View> at;
  for (const View& level : levels_) {
    at = below(level, names);
    if (at->exists()) {
      break;
    }
  }
  return *at;
}

std::string BgpPeer::level_of(Names names) const {
  for (std::size_t at = 0; at < levels_.size(); ++at) {
    if (below(levels_[at], names)) {
      return level(at);
    }
  }
  return level();
}

std::string BgpPeer::frr_name() const {
  return address_ ? address_->to_string() : "allowed-" + group_;
}

std::string BgpPeer::own_as() const {
  const std::string own = only_key(find({"local-as"}));
  return own.empty() ? as_ : own;
}

std::string BgpPeer::peer_as() const {
  const View& group = levels_[address_ ? 1 : 0];
  if (group["type"].value() == "internal") {
    return own_as();
  }
  return find({"peer-as"}).text();
}

bool BgpPeer::external() const {
  const View& group = levels_[address_ ? 1 : 0];
  if (const auto type = group["type"].value()) {
    return type == "external";
  }
  return peer_as() != own_as();
}

View BgpPeer::families() const {
  const auto level =
      std::ranges::find_if(levels_, [](const View& one) { return one["family"].exists(); });
  return (level == levels_.end() ? levels_.back() : *level)["family"];
}

View BgpPeer::unicast(Family family) const {
  return families()[family == Family::Inet ? "inet" : "inet6"]["unicast"];
}

bool BgpPeer::exchanges(Family family) const {
  if (families()) {
    return unicast(family).exists();
  }
  const Family own = address_ ? address_->family() : allows_inet6_ ? Family::Inet6 : Family::Inet;
  return family == own;
}

std::string BgpPeer::level(std::size_t at) const {
  if (at + 1 == levels_.size()) {
    return "protocols bgp";
  }
  return std::format("protocols bgp group {}{}", group_,
                     address_ && at == 0 ? " neighbor " + address_->to_string() : std::string());
}

std::vector<BgpPeer> bgp_peers(const tree::ConfigTree& tree) {
  std::vector<BgpPeer> peers;
  for (const auto& [name, group] : View(tree)["protocols"]["bgp"]["group"].entries()) {
    for (const auto& [address, neighbor] : group["neighbor"].entries()) {
      peers.emplace_back(tree, group, address, neighbor);
    }
    if (!group["allow"].entries().empty()) {
      peers.emplace_back(tree, group);
    }
  }
  return peers;
}

}  // namespace millrace::appliers
