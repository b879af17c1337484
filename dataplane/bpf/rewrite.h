/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The only lines that change a frame, after the last point where it could have gone to the kernel: one hop
 * less to live, and the Ethernet header of the next link.
 */
#ifndef MILLRACE_BPF_REWRITE_H
#define MILLRACE_BPF_REWRITE_H

#include "bpf/checksum.h"
#include "bpf/frame.h"

/* TTL and hop limit. Returns 0 when the header cannot be reached, which decide.h has ruled out. */
DP_INLINE int dp_age(__u8* ip, const __u8* end, __u32 type) {
  if (type == DP_TYPE_INET) {
    __u16 before, after;
    if (ip + 20 > end) {
      return 0;
    }
    before = DP_LOAD(16, ip + 8);
    ip[8]--;
    after = DP_LOAD(16, ip + 8);
    DP_STORE(16, ip + 10, dp_checksum_after(DP_LOAD(16, ip + 10), before, after));
  } else {
    if (ip + 40 > end) {
      return 0;
    }
    ip[7]--;
  }
  return 1;
}

/* The Ethernet header and tags of `hop` at `data`, whose room the caller has made. */
DP_INLINE int dp_write_link(__u8* data, const __u8* end, const struct dp_hop* hop, __u32 type) {
  __u8* at = data + 12;
  if (data + DP_ETHERNET + 2 * DP_TAG > end) {
    return 0;
  }
  DP_STORE(32, data, DP_LOAD(32, hop->destination));
  DP_STORE(16, data + 4, DP_LOAD(16, hop->destination + 4));
  DP_STORE(16, data + 6, DP_LOAD(16, hop->source));
  DP_STORE(32, data + 8, DP_LOAD(32, hop->source + 2));
  if (hop->tag_count == 2) {
    dp_put16(at, DP_TYPE_SERVICE_VLAN);
    dp_put16(at + 2, hop->tags[0]);
    dp_put16(at + 4, DP_TYPE_VLAN);
    dp_put16(at + 6, hop->tags[1]);
    at += 8;
  } else if (hop->tag_count == 1) {
    dp_put16(at, DP_TYPE_VLAN);
    dp_put16(at + 2, hop->tags[0]);
    at += 4;
  }
  dp_put16(at, (__u16)type);
  return 1;
}

/* By how many bytes the frame grows at its head. */
DP_INLINE int dp_growth(const struct dp_verdict* verdict) {
  return DP_ETHERNET + DP_TAG * (verdict->hop->tag_count & 3) - (int)verdict->network;
}

/* All of it, once the head has been moved; `data` and `end` are those after the move. */
DP_INLINE int dp_rewrite(__u8* data, const __u8* end, const struct dp_hop* hop, __u32 type) {
  __u32 network = DP_ETHERNET + DP_TAG * (hop->tag_count & 3u);
  return dp_age(data + network, end, type) && dp_write_link(data, end, hop, type);
}

#endif
