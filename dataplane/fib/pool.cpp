// SPDX-License-Identifier: GPL-2.0-or-later
#include "fib/pool.h"

#include <algorithm>
#include <bit>

namespace millrace::fib {

std::optional<std::uint32_t> SlotPool::take() {
  std::uint32_t slot = 0;
  if (!free_.empty()) {
    slot = free_.back();
    free_.pop_back();
  } else if (next_ < size_) {
    slot = next_++;
  } else {
    return std::nullopt;
  }
  ++used_;
  return slot;
}

void SlotPool::reclaim() {
  used_ -= static_cast<std::uint32_t>(quarantine_.size());
  free_.insert(free_.end(), quarantine_.begin(), quarantine_.end());
  quarantine_.clear();
}

unsigned RunPool::order_of(unsigned length) {
  const unsigned rounded = std::bit_ceil(std::max(length, kSmallest));
  return static_cast<unsigned>(std::countr_zero(rounded)) - 2;
}

// Puts two halves of a larger block into the list of `order`, or a fresh block.
bool RunPool::split_for(unsigned order) {
  unsigned larger = order;
  while (larger < kOrders && free_[larger].empty()) {
    ++larger;
  }
  if (larger == kOrders) {
    if (next_ >= size_) {
      return false;
    }
    free_[kOrders - 1].push_back(next_);
    next_ += kLargest;
    larger = kOrders - 1;
  }
  for (; larger > order; --larger) {
    const std::uint32_t block = free_[larger].back();
    free_[larger].pop_back();
    free_[larger - 1].push_back(block + words_of(larger - 1));
    free_[larger - 1].push_back(block);
  }
  return true;
}

void RunPool::merge() {
  for (unsigned order = 0; order + 1 < kOrders; ++order) {
    auto& blocks = free_[order];
    std::ranges::sort(blocks);
    std::vector<std::uint32_t> alone;
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      const bool first_half = blocks[i] % words_of(order + 1) == 0;
      if (first_half && i + 1 < blocks.size() && blocks[i + 1] == blocks[i] + words_of(order)) {
        free_[order + 1].push_back(blocks[i]);
        ++i;
      } else {
        alone.push_back(blocks[i]);
      }
    }
    blocks = std::move(alone);
  }
}

std::optional<std::uint32_t> RunPool::take(unsigned length) {
  const unsigned order = order_of(length);
  if (free_[order].empty() && !split_for(order)) {
    merge();
    if (!split_for(order)) {
      return std::nullopt;
    }
  }
  const std::uint32_t block = free_[order].back();
  free_[order].pop_back();
  used_ += words_of(order);
  return block;
}

void RunPool::reclaim() {
  for (const Run& run : quarantine_) {
    const unsigned order = order_of(run.length);
    free_[order].push_back(run.first);
    used_ -= words_of(order);
  }
  quarantine_.clear();
}

}  // namespace millrace::fib
