// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who has which nodes and entries of the trie. What is given back may still be read by a program
// that is in the middle of a lookup, so it waits in quarantine until reclaim(), which the owner
// calls after a grace period.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace millrace::fib {

// Single slots.
class SlotPool {
 public:
  // Slots first … size - 1.
  explicit SlotPool(std::uint32_t size, std::uint32_t first = 0) : size_(size), next_(first) {}

  std::optional<std::uint32_t> take();
  void retire(std::uint32_t slot) { quarantine_.push_back(slot); }
  void reclaim();

  std::uint32_t size() const { return size_; }
  std::uint32_t used() const { return used_; }

 private:
  std::uint32_t size_;
  std::uint32_t next_;
  std::uint32_t used_ = 0;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> quarantine_;
};

// Runs of 1 to 256 words, in blocks of 4, 8, …, 256 that are aligned to their size, so that a small
// one lies in one cache line. Buddies are merged when a size runs out, not before.
class RunPool {
 public:
  explicit RunPool(std::uint32_t words) : size_(words / kLargest * kLargest) {}

  // The first word of a run of `length`; none when there is no room. Requires: 1 <= length <= 256.
  std::optional<std::uint32_t> take(unsigned length);
  void retire(std::uint32_t first, unsigned length) { quarantine_.push_back({first, length}); }
  void reclaim();

  std::uint32_t size() const { return size_; }
  std::uint32_t used() const { return used_; }  // words, with what rounding wastes

 private:
  static constexpr std::uint32_t kSmallest = 4;
  static constexpr std::uint32_t kLargest = 256;
  static constexpr unsigned kOrders = 7;
  struct Run {
    std::uint32_t first;
    unsigned length;
  };

  static unsigned order_of(unsigned length);
  static constexpr std::uint32_t words_of(unsigned order) { return kSmallest << order; }
  bool split_for(unsigned order);
  void merge();

  std::uint32_t size_;
  std::uint32_t next_ = 0;
  std::uint32_t used_ = 0;
  std::array<std::vector<std::uint32_t>, kOrders> free_;
  std::vector<Run> quarantine_;
};

}  // namespace millrace::fib
