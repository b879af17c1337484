// SPDX-License-Identifier: GPL-2.0-or-later
//
// The tables of abi/tables.h as the daemon writes them: memory that BPF programs read at the same
// time (loader/maps.h) or, in tests, plain memory that the packet path reads in the same process.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "abi/tables.h"

namespace millrace::fib {

struct Memory {
  std::span<dp_words> roots = {};  // 65536 words for each table of routes
  std::span<dp_node> nodes = {};
  std::span<dp_words> entries = {};
  std::span<dp_adjacency> adjacencies = {};  // 0 is none
  std::span<dp_group> groups = {};
  std::span<dp_port> ports = {};  // 0 is none
  std::span<dp_unit> units = {};  // 0 is none
  std::span<dp_words> port_of = {};
  std::span<dp_words> own_sources = {};
  std::span<dp_settings> settings = {};
};

// The two tables that are hashes. Setting the same again is allowed, and erasing what is not there.
class Hashes {
 public:
  virtual ~Hashes() = default;
  virtual bool set_neighbour(const dp_neighbour& key, std::uint32_t adjacency) = 0;  // false: full
  virtual void erase_neighbour(const dp_neighbour& key) = 0;
  virtual bool set_vlan(std::uint64_t key, std::uint32_t unit) = 0;
  virtual void erase_vlan(std::uint64_t key) = 0;
};

// A word becomes visible to programs after everything that was written before it.
inline void publish(std::uint32_t& word, std::uint32_t value) {
  std::atomic_ref(word).store(value, std::memory_order_release);
}

inline std::uint32_t& word_at(std::span<dp_words> words, std::size_t index) {
  return words[index / DP_PACK].word[index % DP_PACK];
}

}  // namespace millrace::fib
