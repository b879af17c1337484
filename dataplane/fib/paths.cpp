// SPDX-License-Identifier: GPL-2.0-or-later
#include "fib/paths.h"

#include <algorithm>

#include "base/check.h"

namespace millrace::fib {
namespace {

void append(std::string& key, const void* bytes, std::size_t size) {
  key.append(static_cast<const char*>(bytes), size);
}

std::string key_of(const Route& route) {
  std::string key;
  key += static_cast<char>(route.type);
  key += route.tos != 0 ? '\1' : '\0';
  append(key, &route.mtu, sizeof route.mtu);
  append(key, &route.nexthop, sizeof route.nexthop);
  if (route.nexthop != 0) {
    return key;
  }
  for (const Hop& hop : route.hops) {
    append(key, &hop.ifindex, sizeof hop.ifindex);
    append(key, &hop.weight, sizeof hop.weight);
    key += hop.encapsulated ? '\1' : '\0';
    key += static_cast<char>(hop.family);
    append(key, hop.gateway.data(), hop.family == Family::Inet ? 4 : 16);
  }
  return key;
}

std::uint32_t pass(dp_reason reason) {
  return DP_MAKE_LEAF(DP_KIND_PASS, reason);
}

}  // namespace

Paths::Paths(std::span<dp_group> groups, Adjacencies& adjacencies)
    : table_(groups),
      adjacencies_(adjacencies),
      groups_(static_cast<std::uint32_t>(groups.size())) {}

PathId Paths::take(const Route& route) {
  std::string key = key_of(route);
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    ++paths_[found->second].users;
    return found->second;
  }
  PathId id = 0;
  if (!free_.empty()) {
    id = free_.back();
    free_.pop_back();
  } else {
    id = static_cast<PathId>(paths_.size());
    paths_.emplace_back();
  }
  Path& path = paths_[id];
  path = {key, route, 1};
  if (route.nexthop != 0) {
    path.route.hops.clear();  // the object's count
  }
  by_key_.emplace(std::move(key), id);
  resolve(id);
  return id;
}

void Paths::release(PathId id) {
  Path& path = paths_[id];
  base::check(path.users > 0, "a path in use");
  if (--path.users > 0) {
    return;
  }
  by_key_.erase(path.key);
  for (const std::uint32_t index : path.adjacencies) {
    adjacencies_.release(index);
  }
  if (path.group) {
    groups_.retire(*path.group);
  }
  path = {};
  free_.push_back(id);
}

std::vector<Hop> Paths::hops_of(std::uint32_t nexthop, bool& discard, bool& other) const {
  const auto found = nexthops_.find(nexthop);
  if (found == nexthops_.end()) {
    other = true;  // not heard of yet
    return {};
  }
  discard = discard || found->second.discard;
  other = other || found->second.other;
  if (found->second.group.empty()) {
    return {found->second.hop};
  }
  std::vector<Hop> hops;
  for (const auto& [id, weight] : found->second.group) {
    const auto member = nexthops_.find(id);
    if (member == nexthops_.end() || !member->second.group.empty() || member->second.discard ||
        member->second.other) {
      other = true;
      continue;
    }
    hops.push_back(member->second.hop);
    hops.back().weight = weight;
  }
  return hops;
}

// Sets the leaf from the hops; false when it stays the same.
bool Paths::resolve(PathId id) {
  Path& path = paths_[id];
  const std::uint32_t before = path.leaf;
  const std::vector<std::uint32_t> old = std::move(path.adjacencies);
  path.adjacencies.clear();
  bool discard = path.route.type == RouteType::Discard;
  bool other = path.route.type == RouteType::Other || path.route.tos != 0;
  std::vector<Hop> hops = path.route.hops;
  if (path.route.nexthop != 0) {
    hops = hops_of(path.route.nexthop, discard, other);
  }
  other = other || std::ranges::any_of(hops, &Hop::encapsulated);
  const auto connected = [](const Hop& hop) { return !hop.has_gateway(); };
  if (path.route.type == RouteType::Local) {
    path.leaf = pass(DP_LOCAL);
  } else if (path.route.type == RouteType::Reject) {
    path.leaf = pass(DP_REJECT_ROUTE);
  } else if (discard && !other) {
    path.leaf = DP_MAKE_LEAF(DP_KIND_DISCARD, 0);
  } else if (other || hops.empty() || (hops.size() > 1 && std::ranges::any_of(hops, connected))) {
    path.leaf = pass(DP_SLOW_ROUTE);
  } else if (connected(hops.front())) {
    path.leaf = path.route.mtu != 0 ? pass(DP_SLOW_ROUTE)
                                    : DP_MAKE_LEAF(DP_KIND_CONNECTED, hops.front().ifindex);
  } else {
    build(path, hops);
  }
  if (path.group && DP_KIND(path.leaf) != DP_KIND_GROUP) {
    groups_.retire(*path.group);
    path.group.reset();
  }
  for (const std::uint32_t index : old) {
    adjacencies_.release(index);  // after the new ones are taken: shared ones stay
  }
  return path.leaf != before;
}

void Paths::build(Path& path, const std::vector<Hop>& hops) {
  std::uint64_t total = 0;
  for (const Hop& hop : hops) {
    const std::uint32_t index =
        adjacencies_.take({hop.ifindex, hop.family, hop.gateway, path.route.mtu});
    if (index == 0) {
      overflowed_ = true;
      path.leaf = pass(DP_TABLE);
      return;
    }
    path.adjacencies.push_back(index);
    total += hop.weight;
  }
  if (hops.size() == 1) {
    path.leaf = DP_MAKE_LEAF(DP_KIND_ADJACENCY, path.adjacencies.front());
    return;
  }
  if (!path.group) {
    path.group = groups_.take();
  }
  if (!path.group || hops.size() > DP_BUCKETS) {
    overflowed_ = overflowed_ || !path.group;
    path.leaf = pass(path.group ? DP_SLOW_ROUTE : DP_TABLE);
    return;
  }
  // each hop gets its share of the buckets, in the order of the route
  std::uint64_t sum = 0;
  unsigned bucket = 0;
  for (std::size_t i = 0; i < hops.size(); ++i) {
    sum += hops[i].weight;
    const auto end = static_cast<unsigned>((sum * DP_BUCKETS + total / 2) / total);
    for (; bucket < end; ++bucket) {
      publish(table_[*path.group].bucket[bucket], path.adjacencies[i]);
    }
  }
  path.leaf = DP_MAKE_LEAF(DP_KIND_GROUP, *path.group);
}

std::vector<PathId> Paths::resolve_users(std::uint32_t nexthop) {
  std::vector<PathId> changed;
  for (const auto& [key, id] : by_key_) {
    const std::uint32_t used = paths_[id].route.nexthop;
    if (used == 0) {
      continue;
    }
    bool uses = used == nexthop;
    if (const auto object = nexthops_.find(used); !uses && object != nexthops_.end()) {
      uses = std::ranges::any_of(object->second.group,
                                 [&](const auto& member) { return member.first == nexthop; });
    }
    if (uses && resolve(id)) {
      changed.push_back(id);
    }
  }
  return changed;
}

std::vector<PathId> Paths::set_nexthop(const Nexthop& nexthop) {
  nexthops_[nexthop.id] = nexthop;
  return resolve_users(nexthop.id);
}

std::vector<PathId> Paths::erase_nexthop(std::uint32_t id) {
  return nexthops_.erase(id) != 0 ? resolve_users(id) : std::vector<PathId>{};
}

std::vector<std::uint32_t> Paths::nexthops() const {
  std::vector<std::uint32_t> ids;
  for (const auto& [id, nexthop] : nexthops_) {
    ids.push_back(id);
  }
  return ids;
}

bool Paths::only_through(PathId id, std::uint32_t ifindex) const {
  const Path& path = paths_[id];
  bool discard = false;
  bool other = false;
  const std::vector<Hop> hops =
      path.route.nexthop != 0 ? hops_of(path.route.nexthop, discard, other) : path.route.hops;
  return !hops.empty() &&
         std::ranges::all_of(hops, [&](const Hop& hop) { return hop.ifindex == ifindex; });
}

void Paths::reclaim() {
  groups_.reclaim();
}

}  // namespace millrace::fib
