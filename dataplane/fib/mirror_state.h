// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the mirror keeps of links and neighbours. Internal to this folder.
#pragma once

#include "fib/rib.h"

namespace millrace::fib {

inline constexpr std::uint32_t kMainTable = 254;  // RT_TABLE_MAIN

struct Mirror::LinkState {
  Link link;
  std::uint32_t port = 0;
  std::uint32_t unit = 0;
  std::uint32_t epoch = 0;
  std::optional<std::uint64_t> vlan_key = std::nullopt;  // as it is in the table
};

struct Mirror::NeighbourState {
  Neighbour neighbour;
  std::uint32_t adjacency = 0;  // that the table of neighbours leads to; 0: none
  std::uint32_t epoch = 0;
};

}  // namespace millrace::fib
