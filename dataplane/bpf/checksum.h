/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The one's complement sum of RFC 1071 and its update by RFC 1624.
 */
#ifndef MILLRACE_BPF_CHECKSUM_H
#define MILLRACE_BPF_CHECKSUM_H

#include "bpf/platform.h"

DP_INLINE __u16 dp_fold(__u64 sum) {
  sum = (sum & 0xffffffff) + (sum >> 32);
  sum = (sum & 0xffffffff) + (sum >> 32);
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  return (__u16)sum;
}

/* The sum of `words` 32-bit words in the order of the network; fold it. */
DP_INLINE __u64 dp_sum(const __u8* at, int words) {
  __u64 sum = 0;
  int i;
#pragma GCC unroll 10
  for (i = 0; i < words; i++) {
    sum += DP_LOAD(32, at + 4 * i);
  }
  return sum;
}

/* `checksum` after one 16-bit word of what it covers went from `from` to `to`: HC' = ~(~HC + ~m + m'),
 * equation 3 of RFC 1624, which unlike equation 4 is right for 0xffff and 0x0000 as well. */
DP_INLINE __u16 dp_checksum_after(__u16 checksum, __u16 from, __u16 to) {
  return (__u16)~dp_fold((__u64)(__u16)~checksum + (__u16)~from + to);
}

#endif
