// SPDX-License-Identifier: GPL-2.0-or-later
#include "fib/adjacencies.h"

#include <cstring>

#include "base/check.h"

namespace millrace::fib {

Adjacencies::Adjacencies(std::span<dp_adjacency> table, Describe describe,
                         std::function<void()> grace)
    : table_(table),
      describe_(std::move(describe)),
      grace_(std::move(grace)),
      slots_(static_cast<std::uint32_t>(table.size()), 1) {}

std::uint32_t Adjacencies::take(const HopKey& key) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    ++records_[found->second].users;
    return found->second;
  }
  const auto slot = slots_.take();
  if (!slot) {
    return 0;
  }
  by_key_[key] = *slot;
  records_[*slot] = {key, 1, false};
  table_[*slot] = {};
  table_[*slot].half[0] = describe_(key);
  return *slot;
}

void Adjacencies::release(std::uint32_t index) {
  const auto record = records_.find(index);
  base::check(record != records_.end() && record->second.users > 0, "an adjacency in use");
  if (--record->second.users == 0) {
    by_key_.erase(record->second.key);
    records_.erase(record);
    slots_.retire(index);
  }
}

void Adjacencies::write(std::uint32_t index) {
  dp_adjacency& adjacency = table_[index];
  const dp_hop wanted = describe_(records_[index].key);
  const std::uint32_t active = adjacency.active & 1;
  if (std::memcmp(&wanted, &adjacency.half[active], sizeof wanted) == 0) {
    return;
  }
  if (records_[index].flipped) {
    grace_();
    for (const std::uint32_t other : flipped_) {
      if (const auto record = records_.find(other); record != records_.end()) {
        record->second.flipped = false;
      }
    }
    flipped_.clear();
  }
  adjacency.half[active ^ 1] = wanted;
  publish(adjacency.active, active ^ 1);
  records_[index].flipped = true;
  flipped_.push_back(index);
}

void Adjacencies::refresh(std::uint32_t ifindex, Family family, const Key& address) {
  for (auto place = by_key_.lower_bound({ifindex, family, address, 0}); place != by_key_.end();
       ++place) {
    const HopKey& key = place->first;
    if (key.ifindex != ifindex || key.family != family || key.address != address) {
      return;
    }
    write(place->second);
  }
}

void Adjacencies::refresh(std::uint32_t ifindex) {
  for (auto place = by_key_.lower_bound({ifindex, Family::Inet, {}, 0});
       place != by_key_.end() && place->first.ifindex == ifindex; ++place) {
    write(place->second);
  }
}

void Adjacencies::reclaim() {
  slots_.reclaim();
  for (const std::uint32_t index : flipped_) {
    if (const auto record = records_.find(index); record != records_.end()) {
      record->second.flipped = false;
    }
  }
  flipped_.clear();
}

const dp_hop& Adjacencies::hop(std::uint32_t index) const {
  const dp_adjacency& adjacency = table_[index];
  return adjacency.half[adjacency.active & 1];
}

}  // namespace millrace::fib
