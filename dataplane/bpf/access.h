/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Entries of the tables by index, or null. In BPF they are maps; in user space they are the arrays that
 * `dp_tables` points to, which is the daemon's own mapping of the same memory or a test's.
 */
#ifndef MILLRACE_BPF_ACCESS_H
#define MILLRACE_BPF_ACCESS_H

#include "bpf/platform.h"

#ifdef __BPF__
#include "bpf/maps.h"

#define DP_ACCESS(name, type)                                   \
  DP_INLINE struct type* dp_##name##_at(__u32 index) {         \
    return (struct type*)bpf_map_lookup_elem(&dp_##name, &index); \
  }

#else

struct dp_tables {
  struct dp_words* roots;
  __u32 roots_size;
  struct dp_node* nodes;
  __u32 nodes_size;
  struct dp_words* entries;
  __u32 entries_size;
  struct dp_adjacency* adjacencies;
  __u32 adjacencies_size;
  struct dp_group* groups;
  __u32 groups_size;
  struct dp_port* ports;
  __u32 ports_size;
  struct dp_unit* units;
  __u32 units_size;
  struct dp_words* port_of;
  __u32 port_of_size;
  struct dp_words* own_sources;
  __u32 own_sources_size;
  struct dp_settings* settings;
  __u32 settings_size;
  /* 0: there is none */
  __u32 (*neighbour)(const struct dp_neighbour* key);
  __u32 (*vlan)(__u64 key);
};
inline thread_local const struct dp_tables* dp_tables_in_use = nullptr;

#define DP_ACCESS(name, type)                                                        \
  DP_INLINE struct type* dp_##name##_at(__u32 index) {                              \
    const struct dp_tables* in_use = dp_tables_in_use;                              \
    return index < in_use->name##_size ? &in_use->name[index] : (struct type*)NULL; \
  }

#endif

DP_ACCESS(roots, dp_words)
DP_ACCESS(nodes, dp_node)
DP_ACCESS(entries, dp_words)
DP_ACCESS(adjacencies, dp_adjacency)
DP_ACCESS(groups, dp_group)
DP_ACCESS(ports, dp_port)
DP_ACCESS(units, dp_unit)
DP_ACCESS(port_of, dp_words)
DP_ACCESS(own_sources, dp_words)
DP_ACCESS(settings, dp_settings)

/* Of a table of words, by the index of the word. */
DP_INLINE __u32 dp_word_at(const struct dp_words* words, __u32 index) {
  return dp_read(&words->word[index & (DP_PACK - 1)]);
}

/* The adjacency of a neighbour; 0: it is not known. */
DP_INLINE __u32 dp_neighbour_of(const struct dp_neighbour* key) {
#ifdef __BPF__
  const __u32* found = (const __u32*)bpf_map_lookup_elem(&dp_neighbours, key);
  return found ? *found : 0;
#else
  return dp_tables_in_use->neighbour(key);
#endif
}

/* The unit of a tagged frame; 0: there is none. */
DP_INLINE __u32 dp_unit_of_tags(__u64 key) {
#ifdef __BPF__
  const __u32* found = (const __u32*)bpf_map_lookup_elem(&dp_vlans, &key);
  return found ? *found : 0;
#else
  return dp_tables_in_use->vlan(key);
#endif
}

#endif
