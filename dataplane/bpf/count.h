/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MILLRACE_BPF_COUNT_H
#define MILLRACE_BPF_COUNT_H

#include "bpf/maps.h"

DP_INLINE void dp_add(struct dp_counter* counter, __u32 bytes) {
  if (counter) {
    counter->packets++;
    counter->bytes += bytes;
  }
}

DP_INLINE void dp_count(__u32 port, __u32 reason, __u32 bytes) {
  __u32 index = port * DP_REASON_COUNT + reason;
  dp_add((struct dp_counter*)bpf_map_lookup_elem(&dp_counters, &index), bytes);
}

DP_INLINE void dp_count_sent(__u32 unit, __u32 bytes) {
  dp_add((struct dp_counter*)bpf_map_lookup_elem(&dp_sent, &unit), bytes);
}

#endif
