/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A frame, and what has been found out about it. Parsing goes once from front to back and changes
 * nothing: until rewrite.h, every way out leaves the frame to the kernel as it came.
 */
#ifndef MILLRACE_BPF_FRAME_H
#define MILLRACE_BPF_FRAME_H

#include "bpf/access.h"

#define DP_ETHERNET 14
#define DP_TAG 4
#define DP_TYPE_INET 0x0800
#define DP_TYPE_INET6 0x86dd
#define DP_TYPE_VLAN 0x8100
#define DP_TYPE_SERVICE_VLAN 0x88a8

struct dp_frame {
  __u8* data;
  __u8* end;    /* of what can be read */
  __u32 length; /* of the whole frame, which may go on where it cannot be read */
  /* of socket buffers only */
  __u32 segment;   /* payload of each packet that this one stands for; 0: just this one */
  __u32 is_buffer; /* the kernel finishes checksums */
  __u32 taken_tag; /* the VLAN tag that is not in `data` any more, as in the key of dp_vlans */
};

struct dp_verdict {
  const struct dp_hop* hop; /* when forwarded */
  __u32 reason;             /* enum dp_reason */
  __u32 port;               /* it came in on */
  __u32 type;               /* ethertype of the network layer */
  __u32 network;            /* offset of the network header */
  __u32 route;              /* the leaf that its destination led to */
};

/* The port of a device, 0 when no program of ours belongs there. */
DP_INLINE __u32 dp_port_of_ifindex(__u32 ifindex) {
  const struct dp_words* words = dp_port_of_at(ifindex >> 4);
  return words ? dp_word_at(words, ifindex) : 0;
}

/* One VLAN tag before `*type`: its place in the key of dp_vlans, and the type behind it. */
DP_INLINE __u32 dp_take_tag(const struct dp_frame* frame, __u32* offset, __u32* type) {
  const __u8* tag = frame->data + *offset;
  __u32 key;
  if (tag + DP_TAG > frame->end) {
    return 0;
  }
  key = (dp_get16(tag) & 0xfff) | DP_TAG_PRESENT | (*type == DP_TYPE_SERVICE_VLAN ? DP_TAG_SERVICE : 0);
  *type = dp_get16(tag + 2);
  *offset += DP_TAG;
  return key;
}

DP_INLINE int dp_is_vlan(__u32 type) {
  return type == DP_TYPE_VLAN || type == DP_TYPE_SERVICE_VLAN;
}

/* Ethernet and VLAN tags: sets type, network and returns the unit, or null with the reason set. */
DP_INLINE const struct dp_unit* dp_parse_link(const struct dp_frame* frame,
                                              const struct dp_port* port,
                                              struct dp_verdict* verdict) {
  const __u8* header = frame->data;
  const struct dp_unit* unit;
  __u32 number = port->unit;
  __u32 type, offset = DP_ETHERNET;
  if (header + DP_ETHERNET > frame->end) {
    verdict->reason = DP_MALFORMED;
    return NULL;
  }
  type = dp_get16(header + 12);
  if (frame->taken_tag || dp_is_vlan(type)) {
    __u64 key = (__u64)verdict->port << 32;
    key |= (__u64)(frame->taken_tag ? frame->taken_tag : dp_take_tag(frame, &offset, &type)) << 16;
    if (dp_is_vlan(type)) {
      key |= dp_take_tag(frame, &offset, &type);
    }
    number = dp_is_vlan(type) ? 0 : dp_unit_of_tags(key);
    if (!number) {
      verdict->reason = DP_UNKNOWN_VLAN;
      return NULL;
    }
  }
  verdict->type = type;
  verdict->network = offset;
  unit = number ? dp_units_at(number) : NULL;
  if (!unit) {
    verdict->reason = DP_PORT_OFF;
    return NULL;
  }
  if (DP_LOAD(32, header) != DP_LOAD(32, unit->address) ||
      DP_LOAD(16, header + 4) != DP_LOAD(16, unit->address + 4)) {
    verdict->reason = header[0] & 1 ? DP_GROUP_ADDRESS : DP_OTHER_STATION;
    return NULL;
  }
  return unit;
}

#endif
