// SPDX-License-Identifier: GPL-2.0-or-later
//
// The small router that all vectors run through. Written once into tables, whoever's memory they
// are in.
//
//   port 1 (device 1)   unit 1: no tag, 02:00:00:00:00:01     unit 3: VLAN 100
//                       unit 4: QinQ 200/30                   unit 6: VLAN 101, strict reverse path
//   port 2 (device 2)   unit 2: no tag, 02:00:00:00:00:02     unit 5: VLAN 300; 7: QinQ 400/40
//
//   10.1.0.0/24, 2001:db8:1::/48   next hop on unit 2          10.2.0.0/24   two next hops, units 2
//   and 5 10.3.0.0/24, 2001:db8:3::/48   on unit 5 (tagged)          10.4.0.0/24   on unit 7 (two
//   tags) 10.5.0.0/24, 2001:db8:5::/48   connected to device 2; .9 and ::9 are known, others not
//   10.6.0.0/24 discard  10.7.0.0/24 reject  10.8.0.0/24 next hop without an address  10.9.0.0/24
//   back on unit 1 10.10.0.0/24 MTU 1400 on unit 2    192.0.2.1, 2001:db8::1 the router
#pragma once

#include <functional>

#include "fib/memory.h"
#include "fib/trie.h"
#include "support/fib_tables.h"

namespace millrace::packet {

inline constexpr std::uint32_t kPortOne = 1;
inline constexpr std::uint32_t kPortTwo = 2;

// Fills zeroed tables.
void build_world(fib::Memory memory, fib::Hashes& hashes);

// That router in this process. One at a time a thread.
class UserWorld {
 public:
  UserWorld();
  fib::Memory memory();

 private:
  test::FibTables tables_;
};

}  // namespace millrace::packet
