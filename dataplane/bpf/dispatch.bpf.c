/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What is attached to a port for as long as the port is accelerated. The links of these programs are
 * pinned and outlive the daemon; the array they call through is not pinned, so the kernel empties it when
 * the daemon is gone, however it went (kernel/bpf/arraymap.c: prog_array_map_clear), and the next frame
 * takes the kernel's way. No program is taken from a driver, so no link flaps.
 */
#include "bpf/platform.h"

struct {
  __uint(type, BPF_MAP_TYPE_PROG_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u32);
} dp_xdp_stage SEC(".maps"), dp_tcx_stage SEC(".maps");

SEC("xdp.frags")
int dp_xdp_entry(struct xdp_md* ctx) {
  bpf_tail_call(ctx, &dp_xdp_stage, 0);
  return XDP_PASS;
}

SEC("tcx/ingress")
int dp_tcx_entry(struct __sk_buff* skb) {
  bpf_tail_call(skb, &dp_tcx_stage, 0);
  return -1; /* TCX_NEXT */
}

char _license[] SEC("license") = "GPL";
