/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tables as BPF maps. Sizes that depend on the configuration are set by the loader before it loads.
 */
#ifndef MILLRACE_BPF_MAPS_H
#define MILLRACE_BPF_MAPS_H

#include "bpf/platform.h"

#define DP_ARRAY(name, record, entries)       \
  struct {                                    \
    __uint(type, BPF_MAP_TYPE_ARRAY);         \
    __uint(map_flags, BPF_F_MMAPABLE);        \
    __uint(max_entries, entries);             \
    __type(key, __u32);                       \
    __type(value, struct record);             \
  } dp_##name SEC(".maps")

DP_ARRAY(roots, dp_words, 1);
DP_ARRAY(nodes, dp_node, 1);
DP_ARRAY(entries, dp_words, 1);
DP_ARRAY(adjacencies, dp_adjacency, 1);
DP_ARRAY(groups, dp_group, 1);
DP_ARRAY(ports, dp_port, DP_PORTS);
DP_ARRAY(units, dp_unit, DP_UNITS);
DP_ARRAY(port_of, dp_words, DP_IFINDEXES / DP_PACK);
DP_ARRAY(own_sources, dp_words, DP_SOURCE_BITS / 32 / DP_PACK);
DP_ARRAY(settings, dp_settings, 1);

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __uint(max_entries, 1);
  __type(key, struct dp_neighbour);
  __type(value, __u32);
} dp_neighbours SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_HASH);
  __uint(max_entries, DP_UNITS);
  __type(key, __u64);
  __type(value, __u32);
} dp_vlans SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_DEVMAP);
  __uint(max_entries, DP_PORTS);
  __type(key, __u32);
  __type(value, struct bpf_devmap_val);
} dp_transmit SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, DP_PORTS* DP_REASON_COUNT);
  __type(key, __u32);
  __type(value, struct dp_counter);
} dp_counters SEC(".maps");

/* By unit: what was sent, without passing its device's own counters in the kernel. */
struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, DP_UNITS);
  __type(key, __u32);
  __type(value, struct dp_counter);
} dp_sent SEC(".maps");

#endif
