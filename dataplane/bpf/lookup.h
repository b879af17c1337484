/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The longest match in the trie of abi/tables.h. One step takes 8 bits of the destination: two table
 * reads, both of which stay in the cache for the tables of a full Internet view. IPv4 takes at most two
 * steps, IPv6 at most 14.
 */
#ifndef MILLRACE_BPF_LOOKUP_H
#define MILLRACE_BPF_LOOKUP_H

#include "bpf/access.h"

/* BPF has no instruction for it. */
DP_INLINE __u32 dp_count_ones(__u64 bits) {
  bits -= (bits >> 1) & 0x5555555555555555ull;
  bits = (bits & 0x3333333333333333ull) + ((bits >> 2) & 0x3333333333333333ull);
  bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0full;
  return (__u32)((bits * 0x0101010101010101ull) >> 56);
}

/* The word of the first 16 bits of a destination in the table `root`. */
DP_INLINE __u32 dp_first_word(__u32 root, __u32 bits16) {
  const struct dp_words* words =
      dp_roots_at(root * (DP_ROOT_WORDS / DP_PACK) + (bits16 >> 4));
  return words ? dp_word_at(words, bits16) : DP_MAKE_LEAF(DP_KIND_PASS, DP_TABLE);
}

/* One step from the node `word` by 8 bits of the destination. */
DP_INLINE __u32 dp_next_word(__u32 word, __u32 bits8, __u32* best) {
  const struct dp_node* node = dp_nodes_at(word);
  const struct dp_words* words;
  __u32 quarter = (bits8 >> 6) & 3;
  __u32 fallback, entry;
  __u64 starts;
  if (!node) {
    return DP_MAKE_LEAF(DP_KIND_PASS, DP_TABLE);
  }
  fallback = dp_read(&node->fallback);
  if (fallback) {
    *best = fallback;
  }
  starts = node->starts[quarter] << (63 - (bits8 & 63));
  entry = node->first + node->before[quarter] + dp_count_ones(starts) - 1;
  words = dp_entries_at(entry >> 4);
  return words ? dp_word_at(words, entry) : DP_MAKE_LEAF(DP_KIND_PASS, DP_TABLE);
}

/* The leaf of an IPv4 destination in host byte order. */
DP_INLINE __u32 dp_lookup4(__u32 root, __u32 destination) {
  __u32 best = DP_NOTHING;
  __u32 word = dp_first_word(root, destination >> 16);
  if (!(word & DP_LEAF)) {
    word = dp_next_word(word, (destination >> 8) & 255, &best);
    if (!(word & DP_LEAF)) {
      word = dp_next_word(word, destination & 255, &best);
    }
  }
  return word == DP_NOTHING ? best : word;
}

/* The leaf of an IPv6 destination, both halves in host byte order. */
DP_INLINE __u32 dp_lookup6(__u32 root, __u64 high, __u64 low) {
  __u32 best = DP_NOTHING;
  __u32 word = dp_first_word(root, (__u32)(high >> 48));
  int step;
  high = high << 16 | low >> 48;
  low <<= 16;
  for (step = 0; step < 14; step++) {
    if (word & DP_LEAF) {
      break;
    }
    word = dp_next_word(word, (__u32)(high >> 56), &best);
    high = high << 8 | low >> 56;
    low <<= 8;
  }
  return word == DP_NOTHING ? best : word;
}

#endif
