// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel's forwarding state, kept and compiled into the tables. Truth flows one way: from the
// source (fib/source.h) to here to the tables; nothing is learnt from the tables.
//
// Messages change the copy at once and the tables so far as that is safe in any order; commit()
// publishes the trie, waits until no program can see what was replaced, and frees it. Call it after
// each batch of messages.
//
// A resync is an epoch: begin_epoch(), a dump, end_epoch(). What the dump did not mention is swept
// at its end; nothing is taken away before, so traffic sees no gap.
//
// Ports and units have numbers here. Which ports there are is asked of `is_port`; how each is
// served (tiers) is up to loader/ports.h, which writes dp_port.egress and the flags.
#pragma once

#include <set>

#include "fib/paths.h"
#include "fib/source.h"

namespace millrace::fib {

class Mirror final : public Sink {
 public:
  using IsPort = std::function<bool(const Link&)>;
  Mirror(Memory memory, Hashes& hashes, IsPort is_port);
  ~Mirror() override;

  void on_link(Change change, const Link& link) override;
  void on_address(Change change, const Address& address) override;
  void on_neighbour(Change change, const Neighbour& neighbour) override;
  void on_nexthop(Change change, const Nexthop& nexthop) override;
  void on_rule(Change change, const Rule& rule) override;
  void on_netconf(const Netconf& netconf) override;
  void on_route(Change change, const Route& route) override;

  void begin_epoch();
  void end_epoch();
  // The kernel has dropped routes without a word (fib_sync_down_dev, fib_sync_down_addr): a resync
  // is due. Cleared by begin_epoch().
  bool wants_resync() const { return wants_resync_; }

  // See above. Costs what has changed, and a grace period when something has.
  void commit();

  // Neighbours in use that the kernel should make sure of; each is named once a transition.
  std::vector<Neighbour> take_stale();
  // After `is_port` answers differently.
  void review_links();

  struct Port {
    std::uint32_t number = 0;
    Link link;
  };
  std::vector<Port> ports() const;
  // Another number after each change of a link.
  std::uint64_t link_changes() const { return link_changes_; }
  std::vector<Link> vlans_of(std::uint32_t ifindex) const;
  std::uint32_t unit_of(std::uint32_t ifindex) const;  // 0: none
  const Link* link(std::uint32_t ifindex) const;

  struct Summary {
    std::size_t routes4 = 0, routes6 = 0, neighbours = 0, paths = 0;
    std::uint32_t adjacencies = 0, adjacency_limit = 0, groups = 0, group_limit = 0;
    Trie::Usage trie = {};
    std::vector<std::string> alarms = {};  // why packets go through the kernel that need not
  };
  Summary summary() const;
  // Calls `visit` for each route that counts, in no order.
  void for_each_route(const std::function<void(Family, std::uint32_t table, const Key&,
                                               unsigned length, std::uint32_t leaf)>& visit) const;
  const Adjacencies& adjacencies() const { return adjacencies_; }

 private:
  struct Rib;
  struct RibPrefix;
  struct LinkState;
  struct NeighbourState;

  dp_hop describe(const HopKey& key) const;
  void refresh_unit(LinkState& state);
  void remove_unit(LinkState& state);
  std::optional<std::uint64_t> vlan_key(const Link& link) const;
  void hang_neighbour(NeighbourState& state);
  void drop_neighbour(NeighbourState& state);
  Rib* rib_of(std::uint32_t table, Family family, bool make);
  void settle(Rib& rib, const RibPrefix& prefix);
  template <class Which>
  void forget(Rib& rib, Which which);
  void forget_routes_through(std::uint32_t ifindex);
  void reset_routes_on(const std::vector<PathId>& paths);
  void write_own_sources();
  bool family_off(Family family) const;
  bool forwards(Family family, std::uint32_t ifindex) const;
  int rp_filter(std::uint32_t ifindex) const;
  void refresh_units();
  void refresh_link(LinkState& state);
  void remove_link(std::uint32_t ifindex);
  const LinkState* port_below(const Link& link) const;

  Memory memory_;
  Hashes& hashes_;
  IsPort is_port_;
  Trie trie_;
  Adjacencies adjacencies_;
  Paths paths_;
  std::map<std::uint32_t, LinkState> links_;
  std::map<std::tuple<std::uint32_t, Family, Key>, NeighbourState> neighbours_;
  std::map<Address, std::uint32_t> addresses_;  // and their epoch
  std::map<Rule, std::uint32_t> rules_;
  std::map<std::pair<Family, std::int32_t>, Netconf> netconf_;
  std::map<std::pair<std::uint32_t, Family>, std::unique_ptr<Rib>> ribs_;  // by root's table
  std::map<std::uint32_t, std::uint32_t> nexthop_epochs_;
  std::set<std::tuple<Family, std::uint8_t, Key>> wide_locals_;  // see family_off()
  std::vector<Neighbour> stale_;
  SlotPool port_numbers_{DP_PORTS, 1};
  SlotPool unit_numbers_{DP_UNITS, 1};
  std::uint32_t next_root_ = 0;
  std::uint32_t epoch_ = 1;
  std::uint64_t link_changes_ = 1;
  bool changed_ = false;
  bool wants_resync_ = false;
  bool neighbours_overflowed_ = false;
  bool roots_overflowed_ = false;
  bool trie_overflowed_ = false;
};

}  // namespace millrace::fib
