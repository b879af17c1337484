/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Looks on as drivers take frames from redirects. A driver that cannot send (a veth whose peer polls
 * nothing, a NIC without queues for it) says so here and nowhere else: the frames are gone and the port they
 * came from counts them as sent. The egress is marked failed at once, which makes dp_xdp leave everything
 * for it to the kernel; the daemon says why and tries again later.
 */
#include "bpf/frame.h"

struct net_device {
  int ifindex;
} __attribute__((preserve_access_index));

/* The arguments of the tracepoint (include/trace/events/xdp.h). */
enum { DP_FROM, DP_TO, DP_SENT, DP_DROPS, DP_ERROR };

SEC("tp_btf/xdp_devmap_xmit")
int dp_watch(__u64* arguments) {
  const struct net_device* to = (const struct net_device*)arguments[DP_TO];
  int error = (int)arguments[DP_ERROR];
  struct dp_port* port;
  /* a full ring is no defect: -ENOSPC and -EBUSY come and go */
  if ((int)arguments[DP_DROPS] <= 0 || error >= 0 || error == -28 || error == -16) {
    return 0;
  }
  port = dp_ports_at(dp_port_of_ifindex((__u32)to->ifindex));
  if (port && port->ifindex == (__u32)to->ifindex) {
    port->failed = (__u32)-error;
  }
  return 0;
}

char _license[] SEC("license") = "GPL";
