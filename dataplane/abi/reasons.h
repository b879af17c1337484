/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Why a frame took the way it took. Each received frame counts under exactly one reason of its port, so
 * that a frame which quietly takes the slow way is seen (`show forwarding dataplane exceptions`).
 *
 * X(ENUMERATOR, "word of show", "what it means"). New ones go at the end of their block; the numbers
 * are no contract, since the daemon and its programs are loaded together.
 */
#ifndef MILLRACE_ABI_REASONS_H
#define MILLRACE_ABI_REASONS_H

/* clang-format off */
#define DP_REASONS(X) \
  X(FORWARDED,        "forwarded",         "sent from the driver of its port to that of the next") \
  X(FORWARDED_QUEUED, "forwarded-queued",  "sent through the queues of the outgoing interface") \
  X(DISCARD_ROUTE,    "discard-route",     "its route discards") \
  X(PORT_OFF,         "port-off",          "the port or unit is not accelerated") \
  X(PASS_ALL,         "pass-all",          "all traffic goes through the kernel at the moment") \
  X(FAMILY_OFF,       "family-off",        "forwarding of its family is off here") \
  X(NOT_IP,           "not-ip",            "neither IPv4 nor IPv6") \
  X(UNKNOWN_VLAN,     "unknown-vlan",      "a VLAN that no unit has") \
  X(GROUP_ADDRESS,    "group-address",     "broadcast or multicast of Ethernet") \
  X(OTHER_STATION,    "other-station",     "sent to another station") \
  X(MALFORMED,        "malformed",         "a header that is cut short or contradicts itself") \
  X(BAD_CHECKSUM,     "bad-checksum",      "the checksum of its IPv4 header is wrong") \
  X(OPTIONS,          "options",           "IPv4 options or IPv6 extension headers for routers") \
  X(TTL_EXPIRED,      "ttl-expired",       "its time to live ends here") \
  X(ODD_SOURCE,       "odd-source",        "a source that the kernel must judge") \
  X(ODD_DESTINATION,  "odd-destination",   "multicast, link-local and other special destinations") \
  X(RPF,              "reverse-path",      "its source is not reached through this unit") \
  X(LOCAL,            "local",             "for the router itself") \
  X(NO_ROUTE,         "no-route",          "no route") \
  X(REJECT_ROUTE,     "reject-route",      "its route rejects, and the kernel must say so") \
  X(SLOW_ROUTE,       "slow-route",        "a kind of route that only the kernel follows") \
  X(UNRESOLVED,       "unresolved",        "the link-layer address of the next hop is not known") \
  X(TOO_BIG,          "too-big",           "larger than the MTU") \
  X(HAIRPIN,          "hairpin",           "out where it came in, and the kernel must redirect") \
  X(EGRESS_KERNEL,    "egress-kernel",     "the outgoing interface is served by the kernel") \
  X(EGRESS_QUEUED,    "egress-queued",     "handed on to be sent through the queues") \
  X(EGRESS_FAILED,    "egress-failed",     "the driver of the outgoing interface lost frames") \
  X(UNFINISHED,       "unfinished",        "its TCP or UDP checksum is left to the hardware") \
  X(NO_HEADROOM,      "no-headroom",       "no room for a longer header") \
  X(TABLE,            "table",             "an entry of a table is missing")
/* clang-format on */

enum dp_reason {
#define DP_REASON_ENUM(name, word, text) DP_##name,
  DP_REASONS(DP_REASON_ENUM)
#undef DP_REASON_ENUM
      DP_REASON_COUNT
};

#endif
