/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Both ends of the benchmark, and the ceiling between them: a generator that is run with live frames, a
 * sink that counts, and a forwarder that looks nothing up.
 */
#include "bpf/checksum.h"

struct settings {
  __u8 to[6];
  __u8 from[6];
  __u32 device; /* that frames leave through */
  __u32 destinations;
  __u32 random; /* take destinations at random, not in turn */
  __u32 inet6;
  __u32 length;
};

struct destination {
  __u32 word[4]; /* network byte order; IPv4 in the first */
};

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, struct settings);
} settings SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1 << 20);
  __type(key, __u32);
  __type(value, struct destination);
} destinations SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u64);
} counter SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_DEVMAP);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u32);
} way SEC(".maps");

DP_INLINE __u64 next_number(void) {
  __u32 zero = 0;
  __u64* count = bpf_map_lookup_elem(&counter, &zero);
  return count ? (*count)++ : 0;
}

/* Pages come back as the last user left them, so every byte of the headers is written. */
SEC("xdp")
int generate(struct xdp_md* ctx) {
  __u8* data = (__u8*)(long)ctx->data;
  __u8* end = (__u8*)(long)ctx->data_end;
  __u32 zero = 0;
  struct settings* wanted = bpf_map_lookup_elem(&settings, &zero);
  struct destination* to;
  __u64 number = next_number();
  __u64 mixed = number * 0x9e3779b97f4a7c15ull;
  __u32 index, i;
  if (!wanted || data + 60 > end) {
    return XDP_DROP;
  }
  index = (wanted->random ? (__u32)(mixed >> 40) : (__u32)number) & (wanted->destinations - 1);
  to = bpf_map_lookup_elem(&destinations, &index);
  if (!to) {
    return XDP_DROP;
  }
#pragma unroll
  for (i = 0; i < 6; i++) {
    data[i] = wanted->to[i];
    data[6 + i] = wanted->from[i];
  }
  if (wanted->inet6) {
    if (data + 62 > end) {
      return XDP_DROP;
    }
    dp_put16(data + 12, 0x86dd);
    DP_STORE(32, data + 14, dp_swap32(0x60000000));
    dp_put16(data + 18, (__u16)(wanted->length - 54));
    data[20] = 17;
    data[21] = 64;
    DP_STORE(32, data + 22, dp_swap32(0x20010db8));
    DP_STORE(32, data + 26, dp_swap32(0x00ff0000));
    DP_STORE(32, data + 30, 0);
    DP_STORE(32, data + 34, dp_swap32(7));
#pragma unroll
    for (i = 0; i < 4; i++) {
      DP_STORE(32, data + 38 + 4 * i, to->word[i]);
    }
    dp_put16(data + 54, 1000);
    dp_put16(data + 56, 53);
    dp_put16(data + 58, (__u16)(wanted->length - 54));
    dp_put16(data + 60, 1);
  } else {
    dp_put16(data + 12, 0x0800);
    DP_STORE(32, data + 14, dp_swap32(0x45000000 | (wanted->length - 14)));
    DP_STORE(32, data + 18, dp_swap32(0x00070000));
    DP_STORE(32, data + 22, dp_swap32(0x40110000));
    DP_STORE(32, data + 26, dp_swap32(0xc6336407)); /* 198.51.100.7 */
    DP_STORE(32, data + 30, to->word[0]);
    DP_STORE(16, data + 24, (__u16)~dp_fold(dp_sum(data + 14, 5)));
    dp_put16(data + 34, 1000);
    dp_put16(data + 36, 53);
    dp_put16(data + 38, (__u16)(wanted->length - 34));
    dp_put16(data + 40, 0);
  }
  return (int)bpf_redirect(wanted->device, 0);
}

SEC("xdp")
int sink(struct xdp_md* ctx) {
  (void)ctx;
  next_number();
  return XDP_DROP;
}

/* What every forwarder must do at least. */
SEC("xdp.frags")
int redirect(struct xdp_md* ctx) {
  __u8* data = (__u8*)(long)ctx->data;
  __u32 zero = 0;
  struct settings* wanted = bpf_map_lookup_elem(&settings, &zero);
  __u32 i;
  if (!wanted || data + 14 > (__u8*)(long)ctx->data_end) {
    return XDP_DROP;
  }
#pragma unroll
  for (i = 0; i < 6; i++) {
    data[i] = wanted->to[i];
    data[6 + i] = wanted->from[i];
  }
  return (int)bpf_redirect_map(&way, 0, 0);
}

char _license[] SEC("license") = "GPL";
