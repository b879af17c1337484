/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The two programs that forward. Each port runs dispatch.bpf.c's for its whole life; those call these,
 * as long as the daemon lives.
 *
 * dp_xdp sees a frame first. What leaves through a port of the tier XDP it sends to that port's driver.
 * What must pass queues (tier tcx), or has a checksum that only the kernel can finish, it leaves to dp_tcx,
 * which makes the same decision about the same packet once it is a socket buffer and sends it through the
 * outgoing device. Everything else is the kernel's.
 */
#include "bpf/count.h"
#include "bpf/decide.h"
#include "bpf/rewrite.h"

#define DP_TCX_NEXT -1
#define DP_TCX_DROP 2

/* Whether `verdict` can be carried out by the driver of its egress; sets the reason when not. */
DP_INLINE int dp_goes_straight(struct dp_verdict* verdict) {
  const struct dp_port* egress;
  if (verdict->reason != DP_FORWARDED || !verdict->hop) {
    return 0;
  }
  egress = dp_ports_at(verdict->hop->port);
  if (!egress || dp_read(&egress->egress) == DP_TIER_KERNEL) {
    verdict->reason = DP_EGRESS_KERNEL;
  } else if (dp_read(&egress->egress) == DP_TIER_TCX) {
    verdict->reason = DP_EGRESS_QUEUED;
  } else if (dp_read(&egress->failed)) {
    verdict->reason = DP_EGRESS_FAILED;
  }
  return verdict->reason == DP_FORWARDED;
}

SEC("xdp.frags")
int dp_xdp(struct xdp_md* ctx) {
  struct dp_frame frame = {(__u8*)(long)ctx->data, (__u8*)(long)ctx->data_end, 0, 0, 0, 0};
  struct dp_verdict verdict;
  int action = XDP_PASS, growth;

  frame.length = (__u32)bpf_xdp_get_buff_len(ctx);
  dp_decide(&frame, ctx->ingress_ifindex, &verdict);
  if (dp_goes_straight(&verdict)) {
    growth = dp_growth(&verdict);
    if (growth && bpf_xdp_adjust_head(ctx, -growth)) {
      verdict.reason = DP_NO_HEADROOM;
    } else if (!dp_rewrite((__u8*)(long)ctx->data, (__u8*)(long)ctx->data_end, verdict.hop,
                           verdict.type)) {
      return XDP_ABORTED;
    } else {
      dp_count_sent(verdict.hop->unit, frame.length);
      action = (int)bpf_redirect_map(&dp_transmit, verdict.hop->port, 0);
    }
  } else if (verdict.reason == DP_DISCARD_ROUTE) {
    action = XDP_DROP;
  }
  if (verdict.port) {
    dp_count(verdict.port, verdict.reason, frame.length);
  }
  return action;
}

/* The tag that the kernel has taken out of the frame already (net/core/dev.c: skb_vlan_untag), as a part
 * of the key of dp_vlans. */
DP_INLINE __u32 dp_taken_tag(const struct __sk_buff* skb) {
  if (!skb->vlan_present) {
    return 0;
  }
  return (skb->vlan_tci & 0xfff) | DP_TAG_PRESENT |
         (skb->vlan_proto == dp_swap16(DP_TYPE_SERVICE_VLAN) ? DP_TAG_SERVICE : 0);
}

SEC("tcx/ingress")
int dp_tcx(struct __sk_buff* skb) {
  struct dp_frame frame = {(__u8*)(long)skb->data, (__u8*)(long)skb->data_end, skb->len,
                           skb->gso_size, 1, dp_taken_tag(skb)};
  struct dp_verdict verdict;
  const struct dp_port* egress;
  const struct dp_unit* unit;
  __u8* data;
  __u32 type, ifindex;

  dp_decide(&frame, skb->ifindex, &verdict);
  /* what the driver could send itself is here because it came in by generic means or must be finished */
  if (verdict.reason != DP_FORWARDED || !verdict.hop || verdict.network != DP_ETHERNET) {
    return DP_TCX_NEXT;
  }
  egress = dp_ports_at(verdict.hop->port);
  unit = dp_units_at(verdict.hop->unit);
  if (!egress || !unit || dp_read(&egress->egress) == DP_TIER_KERNEL) {
    return DP_TCX_NEXT;
  }
  ifindex = unit->ifindex;
  type = verdict.type;
  if (frame.taken_tag && bpf_skb_vlan_pop(skb)) {
    return DP_TCX_NEXT;
  }
  data = (__u8*)(long)skb->data;
  if (!dp_age(data + DP_ETHERNET, (__u8*)(long)skb->data_end, type) ||
      data + DP_ETHERNET > (__u8*)(long)skb->data_end) {
    return DP_TCX_DROP;
  }
  DP_STORE(32, data, DP_LOAD(32, verdict.hop->destination));
  DP_STORE(16, data + 4, DP_LOAD(16, verdict.hop->destination + 4));
  DP_STORE(16, data + 6, DP_LOAD(16, verdict.hop->source));
  DP_STORE(32, data + 8, DP_LOAD(32, verdict.hop->source + 2));
  dp_count_sent(verdict.hop->unit, skb->len);
  if (verdict.port) {
    dp_count(verdict.port, DP_FORWARDED_QUEUED, skb->len);
  }
  return (int)bpf_redirect(ifindex, 0);
}

char _license[] SEC("license") = "GPL";
