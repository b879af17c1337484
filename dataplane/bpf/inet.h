/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * IPv4 and IPv6 on their way to a route: what may be forwarded without the kernel (RFC 1812, RFC 8200),
 * and the leaf of the destination. What the kernel answers, drops with a counter of its own or sees
 * more in than an address is left to it.
 */
#ifndef MILLRACE_BPF_INET_H
#define MILLRACE_BPF_INET_H

#include "bpf/checksum.h"
#include "bpf/frame.h"
#include "bpf/lookup.h"

#define DP_TCP 6
#define DP_UDP 17

/* What later steps need of a packet. */
struct dp_flow {
  __u64 source[2]; /* host byte order; IPv4 in [0] */
  __u64 destination[2];
  __u32 length;    /* of the packet, network header included */
  __u32 transport; /* offset of the transport header in the frame; 0: none that can be read */
  __u32 protocol;
};

/* 0, 127, and from 224 on: not for the forwarding of unicast (RFC 6890). */
DP_INLINE int dp_is_odd4(__u32 address) {
  __u32 first = address >> 24;
  return first == 0 || first == 127 || first >= 224;
}

/* Sets the flow; returns enum dp_reason, DP_FORWARDED to go on. */
DP_INLINE __u32 dp_parse_inet(const struct dp_frame* frame, __u32 network, struct dp_flow* flow) {
  const __u8* ip = frame->data + network;
  __u32 total, fragment;
  if (ip + 20 > frame->end || (ip[0] & 0xf0) != 0x40) {
    return DP_MALFORMED;
  }
  if (ip[0] != 0x45) {
    return (ip[0] & 15) < 5 ? DP_MALFORMED : DP_OPTIONS;
  }
  total = dp_get16(ip + 2);
  if (total < 20 || total + network > frame->length) {
    return DP_MALFORMED;
  }
  if (dp_fold(dp_sum(ip, 5)) != 0xffff) {
    return DP_BAD_CHECKSUM;
  }
  if (ip[8] <= 1) {
    return DP_TTL_EXPIRED;
  }
  flow->source[0] = dp_get32(ip + 12);
  flow->destination[0] = dp_get32(ip + 16);
  flow->source[1] = flow->destination[1] = 0;
  if (dp_is_odd4((__u32)flow->destination[0])) {
    return DP_ODD_DESTINATION;
  }
  if (dp_is_odd4((__u32)flow->source[0])) {
    return DP_ODD_SOURCE;
  }
  fragment = dp_get16(ip + 6) & 0x3fff;
  flow->length = total;
  flow->protocol = ip[9];
  flow->transport = fragment ? 0 : network + 20;
  return DP_FORWARDED;
}

DP_INLINE __u32 dp_parse_inet6(const struct dp_frame* frame, __u32 network, struct dp_flow* flow) {
  const __u8* ip = frame->data + network;
  __u32 length, next;
  if (ip + 40 > frame->end || (ip[0] & 0xf0) != 0x60) {
    return DP_MALFORMED;
  }
  length = 40u + dp_get16(ip + 4);
  if (length + network > frame->length) {
    return DP_MALFORMED;
  }
  next = ip[6];
  if (next == 0 || next == 43) { /* hop-by-hop options, routing header */
    return DP_OPTIONS;
  }
  if (ip[7] <= 1) {
    return DP_TTL_EXPIRED;
  }
  flow->source[0] = dp_get64(ip + 8);
  flow->source[1] = dp_get64(ip + 16);
  flow->destination[0] = dp_get64(ip + 24);
  flow->destination[1] = dp_get64(ip + 32);
  /* ::/64 has the unspecified, loopback and mapped addresses; fe80::/10; ff00::/8 */
  if (flow->destination[0] == 0 || flow->destination[0] >> 54 == 0xfe80 >> 6 ||
      flow->destination[0] >> 56 == 0xff) {
    return DP_ODD_DESTINATION;
  }
  if (flow->source[0] == 0 || flow->source[0] >> 54 == 0xfe80 >> 6 ||
      flow->source[0] >> 56 == 0xff) {
    return DP_ODD_SOURCE;
  }
  flow->length = length;
  flow->protocol = next;
  flow->transport = network + 40;
  return DP_FORWARDED;
}

/* Whether the TCP or UDP checksum is what a sender leaves for its hardware to finish: the sum of the
 * pseudo header alone (veth hands such frames over, and after a redirect nobody would finish them). A
 * finished one looks so once in 65536 times, and is then only forwarded more slowly. */
DP_INLINE int dp_is_unfinished(const struct dp_frame* frame, __u32 type, __u32 network,
                               const struct dp_flow* flow) {
  const __u8* ip = frame->data + network;
  const __u8* transport = frame->data + flow->transport;
  __u32 at = flow->protocol == DP_TCP ? 16 : 6;
  __u64 sum;
  if (!flow->transport || (flow->protocol != DP_TCP && flow->protocol != DP_UDP) ||
      transport + 18 > frame->end) {
    return 0;
  }
  if (type == DP_TYPE_INET) {
    sum = dp_sum(ip + 12, 2) + dp_swap16((__u16)(flow->length - 20));
  } else {
    sum = dp_sum(ip + 8, 8) + dp_swap16((__u16)(flow->length - 40));
  }
  sum += dp_swap16((__u16)flow->protocol);
  return dp_fold(sum) == DP_LOAD(16, transport + at);
}

/* A hash of the flow: addresses and protocol, and the ports of TCP and UDP unless it is a fragment. */
DP_INLINE __u32 dp_flow_hash(const struct dp_frame* frame, const struct dp_flow* flow) {
  const __u8* transport = frame->data + flow->transport;
  __u64 hash = flow->source[0] * 0x9e3779b97f4a7c15ull;
  hash = (hash ^ (hash >> 29) ^ flow->destination[0]) * 0xbf58476d1ce4e5b9ull;
  if (flow->source[1] | flow->destination[1]) {
    hash = (hash ^ (hash >> 31) ^ flow->source[1]) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ (hash >> 29) ^ flow->destination[1]) * 0xbf58476d1ce4e5b9ull;
  }
  hash ^= flow->protocol;
  if (flow->transport && (flow->protocol == DP_TCP || flow->protocol == DP_UDP) &&
      transport + 4 <= frame->end) {
    hash ^= (__u64)dp_get32(transport) << 8;
  }
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebull;
  return (__u32)(hash >> 32);
}

#endif
