/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tables between the daemon and its BPF programs: the one place where their layout is written down.
 * C and C++ read it, for BPF and for user space.
 *
 * Every table is an array that the daemon maps into its memory and writes while programs read it. So
 * whatever changes while it is in use changes by one aligned store of a word, after all that the word
 * leads to is written; what a word no longer leads to is used again only after a grace period
 * (fib/grace.h). BPF arrays round the size of a value up to 8 bytes, so tables of words have values of
 * 16 words (DP_PACK).
 *
 * Prefixes are a trie with a first stride of 16 bits and further ones of 8. A word is a leaf
 * (DP_LEAF set) or the index of a node. The leaf 0 says "nothing longer here": the best of the
 * levels above counts.
 */
#ifndef MILLRACE_ABI_TABLES_H
#define MILLRACE_ABI_TABLES_H

#include <linux/types.h>

#include "abi/reasons.h"

#ifdef __cplusplus
#define DP_ASSERT_SIZE(type, size) static_assert(sizeof(struct type) == (size))
#else
#define DP_ASSERT_SIZE(type, size) _Static_assert(sizeof(struct type) == (size), #type)
#endif

#define DP_PACK 16          /* words in a value of a table of words */
#define DP_ROOT_WORDS 65536 /* words of the first stride */
#define DP_PORTS 256        /* port 0 is none */
#define DP_UNITS 4096       /* unit 0 is none */
#define DP_IFINDEXES 65536
#define DP_BUCKETS 64 /* of a group of next hops */
#define DP_SOURCE_BITS 65536

/* Words of the trie: bit 31, then three bits of kind, then an index. */
#define DP_LEAF 0x80000000u
#define DP_NOTHING DP_LEAF
#define DP_INDEX 0x0fffffffu
#define DP_KIND(word) (((word) >> 28) & 7u)
#define DP_MAKE_LEAF(kind, index) (DP_LEAF | ((__u32)(kind) << 28) | (__u32)(index))

enum dp_kind {
  DP_KIND_NOTHING = 0,
  DP_KIND_PASS = 1,      /* index: enum dp_reason */
  DP_KIND_DISCARD = 2,   /* blackhole */
  DP_KIND_ADJACENCY = 3, /* index: into adjacencies */
  DP_KIND_GROUP = 4,     /* index: into groups */
  DP_KIND_CONNECTED = 5, /* index: ifindex; the neighbour is looked up by the destination */
};

struct dp_words {
  __u32 word[DP_PACK];
};
DP_ASSERT_SIZE(dp_words, 64);

/* 256 slots as runs of equal words. Bit s of `starts` is set where slot s begins a run; bit 0 always
 * is. The word of slot s is entry first + (number of starts at or below s) - 1. `before[w]` is the
 * number of starts below slot 64 * w. `fallback` is the leaf of the slot above that this node hangs
 * on, 0 when that is nothing. */
struct dp_node {
  __u64 starts[4];
  __u32 first;
  __u8 before[4];
  __u32 fallback;
  __u32 unused[5];
};
DP_ASSERT_SIZE(dp_node, 64);

/* How to reach a next hop: two halves, of which `active` says the one in use, because 12 bytes of
 * addresses cannot be replaced by one store. */
struct dp_hop {
  __u8 destination[6];
  __u8 source[6];
  __u16 port;     /* of the egress */
  __u16 unit;     /* of the egress */
  __u16 mtu;      /* of the network layer */
  __u16 tags[2];  /* host order, outer first: PCP, DEI, VID */
  __u16 kind;     /* enum dp_hop_kind */
  __u8 reason;    /* enum dp_reason when it passes */
  __u8 tag_count; /* 0..2; with two, the outer one has the ethertype 0x88a8 */
  __u16 unused;
};
DP_ASSERT_SIZE(dp_hop, 28);

enum dp_hop_kind {
  DP_HOP_PASS = 0,    /* everything to it goes through the kernel, because of `reason` */
  DP_HOP_FORWARD = 1, /* how is up to the tier of the egress port */
};

struct dp_adjacency {
  __u32 active; /* 0 or 1 */
  __u32 unused;
  struct dp_hop half[2];
};
DP_ASSERT_SIZE(dp_adjacency, 64);

/* Next hops of a multipath route by hash of the flow; each bucket is an index of an adjacency and is
 * replaced by itself. */
struct dp_group {
  __u32 bucket[DP_BUCKETS];
};
DP_ASSERT_SIZE(dp_group, 256);

enum dp_tier {
  DP_TIER_KERNEL = 0,
  DP_TIER_TCX = 1, /* through the queueing discipline */
  DP_TIER_XDP = 2, /* straight to the driver */
};

/* A device that programs are attached to. */
struct dp_port {
  __u32 ifindex;
  __u32 egress; /* enum dp_tier of frames leaving through it */
  __u32 failed; /* set by the watching program when its driver lost a frame; cleared by the daemon */
  __u16 unit;   /* of frames without a tag; 0: none */
  __u16 flags;  /* DP_PORT_* */
  __u32 unused[12];
};
DP_ASSERT_SIZE(dp_port, 64);
#define DP_PORT_ON 1         /* frames received on it are accelerated */
#define DP_PORT_UNFINISHED 2 /* frames may arrive with checksums that hardware was to finish (veth) */

/* A logical interface: a port, or a VLAN of one. */
struct dp_unit {
  __u8 address[6]; /* Ethernet */
  __u16 port;
  __u32 ifindex;
  __u16 root4; /* number of the table of routes */
  __u16 root6;
  __u32 flags;  /* DP_UNIT_* */
  __u32 number; /* its own index */
  __u32 unused[10];
};
DP_ASSERT_SIZE(dp_unit, 64);
#define DP_UNIT_INET 1        /* forwards IPv4 */
#define DP_UNIT_INET6 2       /* forwards IPv6 */
#define DP_UNIT_RPF_STRICT 4  /* rp_filter 1 */
#define DP_UNIT_RPF_LOOSE 8   /* rp_filter 2 */
#define DP_UNIT_REDIRECTS 16  /* send_redirects: what goes out where it came in is the kernel's */

/* VLAN tags as a key of `vlans`: port << 32 | outer << 16 | inner, each tag with bit 12 set when it is
 * there and bit 13 when its ethertype is 0x88a8. The value is a unit. */
#define DP_TAG_PRESENT 0x1000u
#define DP_TAG_SERVICE 0x2000u

/* Key of `neighbours`; the value is an adjacency. IPv4 stands in the first four bytes, the rest is 0. */
struct dp_neighbour {
  __u8 address[16];
  __u32 ifindex;
};
DP_ASSERT_SIZE(dp_neighbour, 20);

struct dp_settings {
  __u32 pass_all; /* everything goes through the kernel */
  __u32 unused[15];
};
DP_ASSERT_SIZE(dp_settings, 64);

/* One of `counters`, which has DP_PORTS * DP_REASON_COUNT on each processor, and of `sent`, which has
 * DP_UNITS. */
struct dp_counter {
  __u64 packets;
  __u64 bytes;
};
DP_ASSERT_SIZE(dp_counter, 16);

/* The hash of `own_sources`: bit set for each address of the router. A source whose bit is set is looked
 * up, since the kernel drops what claims to come from the router itself. */
#define DP_SOURCE_HASH4(word) ((((word) * 0x9e3779b1u) >> 16) & (DP_SOURCE_BITS - 1))
#define DP_SOURCE_HASH6(high, low) \
  DP_SOURCE_HASH4((__u32)((high) ^ ((high) >> 32) ^ (low) ^ ((low) >> 32)))

#endif
