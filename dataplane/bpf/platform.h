/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The packet path is C that compiles for BPF and, as C++, for user space: unit tests, fuzzers and
 * `test forwarding` run the very lines that the kernel runs. This file and access.h are the only ones
 * that know which of the two it is.
 */
#ifndef MILLRACE_BPF_PLATFORM_H
#define MILLRACE_BPF_PLATFORM_H

#include <linux/types.h>
#ifdef __BPF__
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>
#define DP_INLINE static __always_inline
#define DP_COLD static __noinline
#else
#include <cstddef>
#define DP_INLINE static inline __attribute__((unused))
#define DP_COLD static inline __attribute__((unused))
#endif

#include "abi/tables.h"

DP_INLINE __u16 dp_swap16(__u16 value) {
  return __builtin_bswap16(value);
}
DP_INLINE __u32 dp_swap32(__u32 value) {
  return __builtin_bswap32(value);
}
DP_INLINE __u64 dp_swap64(__u64 value) {
  return __builtin_bswap64(value);
}

/* Headers are not aligned in a frame whose Ethernet header has 14 bytes; BPF loads them as they are. */
struct dp_unaligned16 {
  __u16 value;
} __attribute__((packed));
struct dp_unaligned32 {
  __u32 value;
} __attribute__((packed));
struct dp_unaligned64 {
  __u64 value;
} __attribute__((packed));

#ifdef __BPF__
#define DP_LOAD(bits, at) (*(const __u##bits*)(at))
#define DP_STORE(bits, at, what) (*(__u##bits*)(at) = (what))
#else
#define DP_LOAD(bits, at) (((const struct dp_unaligned##bits*)(at))->value)
#define DP_STORE(bits, at, what) (((struct dp_unaligned##bits*)(at))->value = (what))
#endif

/* From and to network byte order. */
DP_INLINE __u16 dp_get16(const __u8* at) {
  return dp_swap16(DP_LOAD(16, at));
}
DP_INLINE __u32 dp_get32(const __u8* at) {
  return dp_swap32(DP_LOAD(32, at));
}
DP_INLINE __u64 dp_get64(const __u8* at) {
  return dp_swap64(DP_LOAD(64, at));
}
DP_INLINE void dp_put16(__u8* at, __u16 value) {
  DP_STORE(16, at, dp_swap16(value));
}

/* A word of a table that the daemon may store to at any moment. */
DP_INLINE __u32 dp_read(const __u32* word) {
  return *(const volatile __u32*)word;
}

#endif
