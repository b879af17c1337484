// SPDX-License-Identifier: GPL-2.0-or-later
//
// The mirror's routes: which of the kernel's alternatives counts for a prefix, epochs, and commits.
#include <algorithm>

#include "fib/grace.h"
#include "fib/mirror_state.h"

namespace millrace::fib {
namespace {

constexpr std::uint32_t kLocalTable = 255;

}  // namespace

// The tables that plain forwarding asks: local and main as one, and those of VRFs. Rules that ask
// others turn the family off.
Mirror::Rib* Mirror::rib_of(std::uint32_t table, Family family, bool make) {
  const std::pair key(table == kLocalTable ? kMainTable : table, family);
  if (const auto found = ribs_.find(key); found != ribs_.end()) {
    return found->second.get();
  }
  const bool of_vrf = std::ranges::any_of(
      links_, [&](const auto& link) { return link.second.link.vrf_table == table; });
  if (!make && !of_vrf) {
    return nullptr;
  }
  if (next_root_ >= trie_.roots()) {
    roots_overflowed_ = true;
    return nullptr;
  }
  auto rib = std::make_unique<Rib>();
  rib->family = family;
  rib->root = next_root_++;
  return ribs_.emplace(key, std::move(rib)).first->second.get();
}

// Brings the trie to what the alternatives of a prefix say.
void Mirror::settle(Rib& rib, const RibPrefix& prefix) {
  const auto found = rib.entries.find(prefix);
  if (found == rib.entries.end()) {
    return;
  }
  Rib::Entry& entry = found->second;
  if (entry.empty) {
    if (entry.leaf != 0) {
      trie_.erase(rib.root, prefix.key, prefix.length);
      changed_ = true;
    }
    rib.entries.erase(found);
    return;
  }
  const Rib::Alternative* best = &entry.first;
  bool unclear = entry.first.tos != 0;
  if (entry.more) {
    for (const Rib::Alternative& other : *entry.more) {
      // the kernel asks the local table first, then takes the lowest metric
      const auto rank = [](const Rib::Alternative& one) {
        return std::pair(!one.local, one.metric);
      };
      unclear = unclear || other.tos != 0;
      if (rank(other) < rank(*best)) {
        best = &other;
      }
    }
    // of several with the same metric the kernel takes one by rules of its own
    const auto equals = [&](const Rib::Alternative& one) {
      return one.local == best->local && one.metric == best->metric && one.path != best->path;
    };
    unclear = unclear || equals(entry.first) || std::ranges::any_of(*entry.more, equals);
  }
  const std::uint32_t leaf =
      unclear ? DP_MAKE_LEAF(DP_KIND_PASS, DP_SLOW_ROUTE) : paths_.leaf(best->path);
  if (entry.leaf != leaf) {
    entry.leaf = leaf;
    trie_.set(rib.root, prefix.key, prefix.length, leaf);
    changed_ = true;
  }
}

void Mirror::on_route(Change change, const Route& route) {
  Rib* rib = rib_of(route.table, route.family, false);
  if (rib == nullptr) {
    return;
  }
  const bool local = route.table == kLocalTable;
  const RibPrefix prefix = {route.prefix, route.length};
  const unsigned width = base::bits(route.family);
  // A network of local addresses hides longer prefixes of the main table, which one trie cannot
  // say. 127/8 and ff00::/8 pass before any lookup.
  if (local && route.length < width && route.type == RouteType::Local &&
      route.prefix[0] != (route.family == Family::Inet ? 127 : 0xff)) {
    const std::tuple wide(route.family, route.length, route.prefix);
    if (change == Change::Set ? wide_locals_.insert(wide).second : wide_locals_.erase(wide) != 0) {
      refresh_units();
    }
  }
  const auto release = [&](const Rib::Alternative& gone) { paths_.release(gone.path); };
  const auto beside = [&](const Rib::Alternative& other) {
    return other.local == local && other.tos == route.tos && other.metric == route.metric;
  };
  const PathId path = paths_.take(route);
  Rib::Entry& entry = rib->entries[prefix];
  if (change == Change::Set) {
    // IPv6 tells all hops of a multipath route at each change; those on links stand for themselves
    const auto supersedes = [&](const Rib::Alternative& other) {
      if (!beside(other) || other.path == path) {
        return false;
      }
      if (route.replaces || route.family == Family::Inet) {
        return route.replaces;
      }
      const Route& known = paths_.route(other.path);
      const auto by_gateway = [](const Route& one) {
        return one.nexthop != 0 || (!one.hops.empty() && one.hops.front().has_gateway());
      };
      return by_gateway(route) && by_gateway(known);
    };
    Rib::remove(entry, supersedes, release);
    bool known = false;
    Rib::for_each(entry, [&](Rib::Alternative& other) {
      if (beside(other) && other.path == path) {
        other.epoch = epoch_;
        known = true;
      }
    });
    if (known) {
      paths_.release(path);
    } else {
      Rib::add(entry, {route.metric, path, epoch_, route.tos, local});
    }
  } else {
    bool exact = false;
    Rib::remove(
        entry,
        [&](const Rib::Alternative& other) {
          const bool goes = !exact && beside(other) && other.path == path;
          exact = exact || goes;
          return goes;
        },
        release);
    if (!exact) {
      // one hop of an IPv6 multipath route, or a route as the kernel changed it without a word
      std::optional<Route> rest;
      bool taken = false;
      Rib::remove(
          entry,
          [&](const Rib::Alternative& other) {
            if (taken || !beside(other)) {
              return false;
            }
            const Route& known = paths_.route(other.path);
            if (route.family == Family::Inet6 && route.hops.size() == 1 && known.hops.size() > 1) {
              const auto hop = std::ranges::find(known.hops, route.hops.front());
              if (hop == known.hops.end()) {
                return false;
              }
              rest = known;
              rest->hops.erase(rest->hops.begin() + (hop - known.hops.begin()));
            }
            taken = true;
            return true;
          },
          release);
      if (rest) {
        Rib::add(entry, {route.metric, paths_.take(*rest), epoch_, route.tos, local});
      } else if (!taken) {
        wants_resync_ = wants_resync_ || Rib::count(entry) != 0;
      }
    }
    paths_.release(path);
  }
  settle(*rib, prefix);
}

// Takes out the alternatives for which `which` holds.
template <class Which>
void Mirror::forget(Rib& rib, Which which) {
  for (const RibPrefix& prefix : rib.having(which)) {
    Rib::remove(rib.entries[prefix], which,
                [&](const Rib::Alternative& gone) { paths_.release(gone.path); });
    settle(rib, prefix);
  }
}

void Mirror::forget_routes_through(std::uint32_t ifindex) {
  wants_resync_ = true;
  for (auto& [key, rib] : ribs_) {
    if (rib->family != Family::Inet) {
      continue;  // IPv6 tells
    }
    forget(*rib,
           [&](const Rib::Alternative& one) { return paths_.only_through(one.path, ifindex); });
  }
}

void Mirror::reset_routes_on(const std::vector<PathId>& paths) {
  if (paths.empty()) {
    return;
  }
  for (auto& [key, rib] : ribs_) {
    const auto led = [&](const Rib::Alternative& one) {
      return std::ranges::find(paths, one.path) != paths.end();
    };
    for (const RibPrefix& prefix : rib->having(led)) {
      settle(*rib, prefix);
    }
  }
}

void Mirror::on_nexthop(Change change, const Nexthop& nexthop) {
  if (change == Change::Set) {
    nexthop_epochs_[nexthop.id] = epoch_;
    reset_routes_on(paths_.set_nexthop(nexthop));
  } else {
    nexthop_epochs_.erase(nexthop.id);
    reset_routes_on(paths_.erase_nexthop(nexthop.id));
  }
  changed_ = true;
}

void Mirror::begin_epoch() {
  ++epoch_;
  wants_resync_ = false;
}

void Mirror::end_epoch() {
  for (auto& [key, rib] : ribs_) {
    forget(*rib, [&](const Rib::Alternative& one) { return one.epoch != epoch_; });
  }
  const auto old = [&](const auto& map, auto epoch_of) {
    std::vector<typename std::remove_reference_t<decltype(map)>::key_type> keys;
    for (const auto& [key, value] : map) {
      if (epoch_of(value) != epoch_) {
        keys.push_back(key);
      }
    }
    return keys;
  };
  const auto itself = [](std::uint32_t epoch) { return epoch; };
  for (const std::uint32_t id : old(nexthop_epochs_, itself)) {
    on_nexthop(Change::Removed, {.id = id});
  }
  for (const auto& [ifindex, family, address] :
       old(neighbours_, [](const NeighbourState& state) { return state.epoch; })) {
    on_neighbour(Change::Removed, {.ifindex = ifindex, .family = family, .address = address});
  }
  const bool wanted = wants_resync_;
  for (const Address& address : old(addresses_, itself)) {
    on_address(Change::Removed, address);
  }
  for (const Rule& rule : old(rules_, itself)) {
    on_rule(Change::Removed, rule);
  }
  for (const std::uint32_t ifindex :
       old(links_, [](const LinkState& state) { return state.epoch; })) {
    remove_link(ifindex);
  }
  wants_resync_ = wanted;  // what went by sweeping is known to be gone
}

void Mirror::commit() {
  if (!changed_ && !trie_.dirty()) {
    return;
  }
  changed_ = false;
  // once more after what the first attempt replaced is free: nobody reads while all passes
  for (int attempt = 0; attempt < 2; ++attempt) {
    const bool complete = trie_.publish();
    publish(memory_.settings[0].pass_all, complete ? 0 : 1);
    wait_for_programs();
    trie_.reclaim();
    adjacencies_.reclaim();
    paths_.reclaim();
    port_numbers_.reclaim();
    unit_numbers_.reclaim();
    trie_overflowed_ = !complete;
    if (complete) {
      return;
    }
  }
}

Mirror::Summary Mirror::summary() const {
  Summary summary;
  for (const auto& [key, rib] : ribs_) {
    (rib->family == Family::Inet ? summary.routes4 : summary.routes6) += rib->entries.size();
  }
  summary.neighbours = neighbours_.size();
  summary.paths = paths_.count();
  summary.adjacencies = adjacencies_.used();
  summary.adjacency_limit = adjacencies_.limit();
  summary.groups = paths_.groups_used();
  summary.group_limit = paths_.group_limit();
  summary.trie = trie_.usage();
  const auto alarm = [&](bool when, const char* text) {
    if (when) {
      summary.alarms.emplace_back(text);
    }
  };
  alarm(trie_overflowed_, "the table of routes is full: all traffic goes through the kernel");
  alarm(paths_.overflowed(),
        "the table of adjacencies or groups was full: some routes go through the kernel");
  alarm(neighbours_overflowed_, "the table of neighbours was full: some go through the kernel");
  alarm(roots_overflowed_,
        "there are more routing instances than tables: some go through the kernel");
  for (const Family family : {Family::Inet, Family::Inet6}) {
    const std::string name = family == Family::Inet ? "inet" : "inet6";
    alarm(family_off(family),
          (name + ": routing rules or local networks that only the kernel follows").c_str());
  }
  return summary;
}

void Mirror::for_each_route(const std::function<void(Family, std::uint32_t, const Key&, unsigned,
                                                     std::uint32_t)>& visit) const {
  for (const auto& [key, rib] : ribs_) {
    for (const auto& [prefix, entry] : rib->entries) {
      visit(rib->family, key.first, prefix.key, prefix.length, entry.leaf);
    }
  }
}

}  // namespace millrace::fib
