// SPDX-License-Identifier: GPL-2.0-or-later
//
// What routes share: a million of them lead to a few thousand paths. A path is a set of next hops
// (or a next-hop object of the kernel) or a verdict without one, and has a leaf of the trie.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>

#include "fib/adjacencies.h"

namespace millrace::fib {

using PathId = std::uint32_t;

class Paths {
 public:
  Paths(std::span<dp_group> groups, Adjacencies& adjacencies);

  // The path of `route`, with one more user.
  PathId take(const Route& route);
  void release(PathId path);
  std::uint32_t leaf(PathId path) const { return paths_[path].leaf; }

  // What the path was made of, without its prefix.
  const Route& route(PathId path) const { return paths_[path].route; }

  // A next-hop object came, changed or went. Returns the paths whose leaf is another now; the
  // routes on them must be set anew before reclaim().
  std::vector<PathId> set_nexthop(const Nexthop& nexthop);
  std::vector<PathId> erase_nexthop(std::uint32_t id);
  std::vector<std::uint32_t> nexthops() const;
  // Whether every hop of the path leaves through the link.
  bool only_through(PathId path, std::uint32_t ifindex) const;

  // Something did not fit into its table since the start; its packets go to the kernel.
  bool overflowed() const { return overflowed_; }
  // Requires: a grace period since the last change.
  void reclaim();
  std::size_t count() const { return by_key_.size(); }
  std::uint32_t groups_used() const { return groups_.used(); }
  std::uint32_t group_limit() const { return groups_.size(); }

 private:
  struct Path {
    std::string key;
    Route route;  // its hops, nexthop, type and mtu
    std::uint32_t users = 0;
    std::uint32_t leaf = 0;
    std::optional<std::uint32_t> group = std::nullopt;
    std::vector<std::uint32_t> adjacencies = {};
  };
  std::vector<Hop> hops_of(std::uint32_t nexthop, bool& discard, bool& other) const;
  bool resolve(PathId path);
  void build(Path& path, const std::vector<Hop>& hops);
  std::vector<PathId> resolve_users(std::uint32_t nexthop);

  std::span<dp_group> table_;
  Adjacencies& adjacencies_;
  SlotPool groups_;
  std::vector<Path> paths_;
  std::vector<PathId> free_;
  std::unordered_map<std::string, PathId> by_key_;
  std::map<std::uint32_t, Nexthop> nexthops_;
  bool overflowed_ = false;
};

}  // namespace millrace::fib
