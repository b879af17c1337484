// SPDX-License-Identifier: GPL-2.0-or-later
//
// The kernel's routes of one table and family, as they were told: for each prefix the alternatives,
// of which one counts. Internal to this folder.
#pragma once

#include <cstring>
#include <memory>
#include <unordered_map>

#include "fib/mirror.h"

namespace millrace::fib {

struct Mirror::RibPrefix {
  Key key = {};
  std::uint8_t length = 0;
  bool operator==(const RibPrefix&) const = default;

  struct Hash {
    std::size_t operator()(const RibPrefix& prefix) const {
      std::uint64_t high = 0;
      std::uint64_t low = 0;
      std::memcpy(&high, prefix.key.data(), 8);
      std::memcpy(&low, prefix.key.data() + 8, 8);
      std::uint64_t hash = (high ^ (low * 0x9e3779b97f4a7c15ull)) + prefix.length;
      hash = (hash ^ (hash >> 32)) * 0xd6e8feb86659fd93ull;
      return hash ^ (hash >> 32);
    }
  };
};

struct Mirror::Rib {
  struct Alternative {
    std::uint32_t metric = 0;
    PathId path = 0;
    std::uint32_t epoch = 0;
    std::uint8_t tos = 0;
    bool local = false;  // of the table that the kernel asks first
  };
  // Nearly all prefixes have one alternative, and there are a million of them.
  struct Entry {
    Alternative first;
    std::unique_ptr<std::vector<Alternative>> more;
    std::uint32_t leaf = 0;  // as it is in the trie; 0: it is not
    bool empty = true;
  };

  Family family = Family::Inet;
  std::uint32_t root = 0;
  std::unordered_map<RibPrefix, Entry, RibPrefix::Hash> entries;

  static std::size_t count(const Entry& entry) {
    return entry.empty ? 0 : 1 + (entry.more ? entry.more->size() : 0);
  }
  template <class Visit>
  static void for_each(Entry& entry, Visit visit) {
    if (!entry.empty) {
      visit(entry.first);
      if (entry.more) {
        for (Alternative& other : *entry.more) {
          visit(other);
        }
      }
    }
  }
  // The prefixes with an alternative for which `which` holds. O(prefixes).
  template <class Which>
  std::vector<RibPrefix> having(Which which) {
    std::vector<RibPrefix> prefixes;
    for (auto& [prefix, entry] : entries) {
      bool any = false;
      for_each(entry, [&](const Alternative& one) { any = any || which(one); });
      if (any) {
        prefixes.push_back(prefix);
      }
    }
    return prefixes;
  }
  static void add(Entry& entry, const Alternative& alternative) {
    if (entry.empty) {
      entry.first = alternative;
      entry.empty = false;
      return;
    }
    if (!entry.more) {
      entry.more = std::make_unique<std::vector<Alternative>>();
    }
    entry.more->push_back(alternative);
  }
  // Takes out those for which `which` holds, after `gone` has seen them.
  template <class Which, class Gone>
  static void remove(Entry& entry, Which which, Gone gone) {
    if (entry.empty) {
      return;
    }
    if (entry.more) {
      std::erase_if(*entry.more, [&](const Alternative& other) {
        const bool goes = which(other);
        if (goes) {
          gone(other);
        }
        return goes;
      });
    }
    if (which(entry.first)) {
      gone(entry.first);
      if (entry.more && !entry.more->empty()) {
        entry.first = entry.more->front();
        entry.more->erase(entry.more->begin());
      } else {
        entry.empty = true;
      }
    }
    if (entry.more && entry.more->empty()) {
      entry.more.reset();
    }
  }
};

}  // namespace millrace::fib
