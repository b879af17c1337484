/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The whole decision about one frame, from its port to the next hop. Nothing is changed here.
 *
 *   port, unit   is this frame ours to forward?            frame.h
 *   parse        is it a packet for plain forwarding?      inet.h
 *   source       may it come from there?                   reverse path, the router's own addresses
 *   route        where does it go?                         lookup.h
 *   next hop     how, and does it fit?
 */
#ifndef MILLRACE_BPF_DECIDE_H
#define MILLRACE_BPF_DECIDE_H

#include "bpf/inet.h"

DP_INLINE __u32 dp_lookup(__u32 type, __u32 root, __u64 high, __u64 low) {
  return type == DP_TYPE_INET ? dp_lookup4(root, (__u32)high) : dp_lookup6(root, high, low);
}

/* The same for the few packets whose source needs it, outside of everybody else's way. */
DP_COLD __u32 dp_lookup_source(__u32 type, __u32 root, __u64 high, __u64 low) {
  return dp_lookup(type, root, high, low);
}

DP_INLINE __u32 dp_root(__u32 type, const struct dp_unit* unit) {
  return type == DP_TYPE_INET ? unit->root4 : unit->root6;
}

DP_INLINE __u32 dp_neighbour_adjacency(__u32 type, __u32 ifindex, const __u64* address) {
  struct dp_neighbour key = {{0}, ifindex};
  if (type == DP_TYPE_INET) {
    DP_STORE(32, key.address, dp_swap32((__u32)address[0]));
  } else {
    DP_STORE(64, key.address, dp_swap64(address[0]));
    DP_STORE(64, key.address + 8, dp_swap64(address[1]));
  }
  return dp_neighbour_of(&key);
}

DP_INLINE const struct dp_hop* dp_hop_of(__u32 adjacency) {
  const struct dp_adjacency* found = dp_adjacencies_at(adjacency);
  return found ? &found->half[dp_read(&found->active) & 1] : NULL;
}

/* Whether the leaf of a source address leads out through `unit`. */
DP_INLINE int dp_leads_to(__u32 leaf, const struct dp_unit* unit, __u32 number) {
  const struct dp_hop* hop;
  const struct dp_group* group;
  int i;
  switch (DP_KIND(leaf)) {
    case DP_KIND_CONNECTED:
      return (leaf & DP_INDEX) == unit->ifindex;
    case DP_KIND_ADJACENCY:
      hop = dp_hop_of(leaf & DP_INDEX);
      return hop && hop->unit == number;
    case DP_KIND_GROUP:
      group = dp_groups_at(leaf & DP_INDEX);
      for (i = 0; group && i < DP_BUCKETS; i++) {
        hop = dp_hop_of(dp_read(&group->bucket[i]));
        if (hop && hop->unit == number) {
          return 1;
        }
      }
      return 0;
    default:
      return 0;
  }
}

/* What the kernel decides by the source: spoofed addresses of the router, and rp_filter. */
DP_INLINE __u32 dp_judge_source(__u32 type, const struct dp_unit* unit, __u32 number,
                                const __u64* source) {
  __u32 bit = type == DP_TYPE_INET ? DP_SOURCE_HASH4((__u32)source[0])
                                   : DP_SOURCE_HASH6(source[0], source[1]);
  const struct dp_words* words = dp_own_sources_at(bit >> 9);
  int own = words && (dp_word_at(words, bit >> 5) >> (bit & 31)) & 1;
  __u32 leaf;
  if (!own && !(unit->flags & (DP_UNIT_RPF_STRICT | DP_UNIT_RPF_LOOSE))) {
    return DP_FORWARDED;
  }
  leaf = dp_lookup_source(type, dp_root(type, unit), source[0], source[1]);
  if (own && DP_KIND(leaf) == DP_KIND_PASS) {
    return DP_ODD_SOURCE;
  }
  if (unit->flags & DP_UNIT_RPF_STRICT) {
    return dp_leads_to(leaf, unit, number) ? DP_FORWARDED : DP_RPF;
  }
  if (unit->flags & DP_UNIT_RPF_LOOSE) {
    return DP_KIND(leaf) >= DP_KIND_ADJACENCY ? DP_FORWARDED : DP_RPF;
  }
  return DP_FORWARDED;
}

/* The adjacency that the leaf leads to, or 0 with the reason set. */
DP_INLINE __u32 dp_follow(const struct dp_frame* frame, const struct dp_flow* flow,
                          struct dp_verdict* verdict) {
  __u32 leaf = verdict->route;
  const struct dp_group* group;
  __u32 adjacency;
  switch (DP_KIND(leaf)) {
    case DP_KIND_ADJACENCY:
      return leaf & DP_INDEX;
    case DP_KIND_GROUP:
      group = dp_groups_at(leaf & DP_INDEX);
      if (!group) {
        verdict->reason = DP_TABLE;
        return 0;
      }
      return dp_read(&group->bucket[dp_flow_hash(frame, flow) & (DP_BUCKETS - 1)]);
    case DP_KIND_CONNECTED:
      adjacency = dp_neighbour_adjacency(verdict->type, leaf & DP_INDEX, flow->destination);
      verdict->reason = DP_UNRESOLVED;
      return adjacency;
    case DP_KIND_DISCARD:
      verdict->reason = DP_DISCARD_ROUTE;
      return 0;
    case DP_KIND_PASS:
      verdict->reason = leaf & DP_INDEX;
      return 0;
    default:
      verdict->reason = DP_NO_ROUTE;
      return 0;
  }
}

/* What the MTU limits: of a buffer that stands for many TCP segments, one of them (a UDP buffer's is
 * never smaller than what this says). */
DP_INLINE __u32 dp_packet_length(const struct dp_frame* frame, const struct dp_verdict* verdict,
                                 const struct dp_flow* flow) {
  const __u8* transport = frame->data + flow->transport;
  __u32 headers;
  if (!frame->segment || !flow->transport || transport + 13 > frame->end) {
    return flow->length;
  }
  headers = flow->transport - verdict->network;
  headers += flow->protocol == DP_TCP ? (__u32)(transport[12] >> 4) * 4 : 8;
  return headers + frame->segment;
}

/* Fills `verdict`; DP_FORWARDED: the hop says how, and the tier of its port is up to the caller. */
DP_INLINE void dp_decide(const struct dp_frame* frame, __u32 ifindex, struct dp_verdict* verdict) {
  const struct dp_settings* settings;
  const struct dp_port* port;
  const struct dp_unit* unit;
  const struct dp_hop* hop;
  struct dp_flow flow;
  __u32 adjacency, unit_number;

  verdict->hop = NULL;
  verdict->route = 0;
  verdict->type = 0;
  verdict->network = 0;
  verdict->reason = DP_PORT_OFF;
  verdict->port = dp_port_of_ifindex(ifindex);
  port = verdict->port ? dp_ports_at(verdict->port) : NULL;
  if (!port || !(port->flags & DP_PORT_ON)) {
    return;
  }
  settings = dp_settings_at(0);
  if (!settings || dp_read(&settings->pass_all)) {
    verdict->reason = DP_PASS_ALL;
    return;
  }
  unit = dp_parse_link(frame, port, verdict);
  if (!unit) {
    return;
  }
  if (verdict->type == DP_TYPE_INET) {
    verdict->reason = unit->flags & DP_UNIT_INET ? dp_parse_inet(frame, verdict->network, &flow)
                                                 : (__u32)DP_FAMILY_OFF;
  } else if (verdict->type == DP_TYPE_INET6) {
    verdict->reason = unit->flags & DP_UNIT_INET6 ? dp_parse_inet6(frame, verdict->network, &flow)
                                                  : (__u32)DP_FAMILY_OFF;
  } else {
    verdict->reason = DP_NOT_IP;
  }
  if (verdict->reason != DP_FORWARDED) {
    return;
  }
  unit_number = unit->number;
  verdict->reason = dp_judge_source(verdict->type, unit, unit_number, flow.source);
  if (verdict->reason != DP_FORWARDED) {
    return;
  }
  verdict->route = dp_lookup(verdict->type, dp_root(verdict->type, unit), flow.destination[0],
                             flow.destination[1]);
  adjacency = dp_follow(frame, &flow, verdict);
  if (!adjacency) {
    return;
  }
  hop = dp_hop_of(adjacency);
  if (!hop) {
    verdict->reason = DP_TABLE;
  } else if (hop->kind != DP_HOP_FORWARD) {
    verdict->reason = hop->reason;
  } else if (dp_packet_length(frame, verdict, &flow) > hop->mtu) {
    verdict->reason = DP_TOO_BIG;
  } else if (hop->unit == unit_number &&
             (verdict->type == DP_TYPE_INET6 || unit->flags & DP_UNIT_REDIRECTS)) {
    verdict->reason = DP_HAIRPIN;
  } else if (!frame->is_buffer && port->flags & DP_PORT_UNFINISHED &&
             dp_is_unfinished(frame, verdict->type, verdict->network, &flow)) {
    verdict->reason = DP_UNFINISHED;
    verdict->hop = hop;
  } else {
    verdict->reason = DP_FORWARDED;
    verdict->hop = hop;
  }
}

#endif
