// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of adjacencies: who is reached how. An adjacency is there while a route or a neighbour
// needs it; what stands in it follows from the link and the neighbour. Its index stays, so that a
// new Ethernet address costs one record and no route.
#pragma once

#include <functional>
#include <map>
#include <unordered_map>

#include "fib/memory.h"
#include "fib/pool.h"
#include "fib/route.h"

namespace millrace::fib {

struct HopKey {
  std::uint32_t ifindex = 0;
  Family family = Family::Inet;
  Key address = {};
  std::uint32_t mtu = 0;  // of the route; 0: the link's
  auto operator<=>(const HopKey&) const = default;
};

class Adjacencies {
 public:
  // What is to be written for a key, as things are.
  using Describe = std::function<dp_hop(const HopKey&)>;

  Adjacencies(std::span<dp_adjacency> table, Describe describe, std::function<void()> grace);

  // The index of the adjacency of `key`, with one more user; 0 when the table is full.
  std::uint32_t take(const HopKey& key);
  // One user less. The index is free after reclaim().
  void release(std::uint32_t index);

  // Writes anew what has changed: of one neighbour, of a link, or all.
  void refresh(std::uint32_t ifindex, Family family, const Key& address);
  void refresh(std::uint32_t ifindex);

  // Requires: a grace period since the last change.
  void reclaim();
  std::uint32_t used() const { return slots_.used(); }
  std::uint32_t limit() const { return slots_.size(); }
  // Whether a route leads to it, rather than only a neighbour's own entry.
  const std::map<HopKey, std::uint32_t>& by_key() const { return by_key_; }
  const dp_hop& hop(std::uint32_t index) const;

 private:
  struct Record {
    HopKey key;
    std::uint32_t users = 0;
    bool flipped = false;  // since the last grace period: the other half may still be read
  };
  void write(std::uint32_t index);

  std::span<dp_adjacency> table_;
  Describe describe_;
  std::function<void()> grace_;
  SlotPool slots_;
  std::map<HopKey, std::uint32_t> by_key_;
  std::unordered_map<std::uint32_t, Record> records_;
  std::vector<std::uint32_t> flipped_;
};

}  // namespace millrace::fib
