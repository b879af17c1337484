# SPDX-License-Identifier: GPL-2.0-or-later
"""BGP messages as bytes and back: RFC 4271, four-octet AS numbers (6793), MP-BGP (4760), communities (1997, 8092).

Written for tests: what a neighbour receives is decoded in full, what it sends may be as wrong as one likes.
"""
import ipaddress
import struct
from dataclasses import dataclass, field

MARKER = b"\xff" * 16
OPEN, UPDATE, NOTIFICATION, KEEPALIVE = 1, 2, 3, 4
ORIGIN, AS_PATH, NEXT_HOP, MED, LOCAL_PREF = 1, 2, 3, 4, 5
COMMUNITIES, MP_REACH, MP_UNREACH, LARGE_COMMUNITIES = 8, 14, 15, 32
AS_TRANS = 23456
OPTIONAL, TRANSITIVE, EXTENDED = 0x80, 0x40, 0x10


def message(kind, body=b""):
    return MARKER + struct.pack("!HB", 19 + len(body), kind) + body


def open_message(asn, hold, router_id):
    capabilities = b"".join(struct.pack("!BBHBB", 1, 4, family, 0, 1) for family in (1, 2))
    capabilities += struct.pack("!BB", 2, 0) + struct.pack("!BBI", 65, 4, asn)  # route refresh, four-octet AS
    parameters = struct.pack("!BB", 2, len(capabilities)) + capabilities
    return message(OPEN, struct.pack("!BHH4sB", 4, asn if asn < 65536 else AS_TRANS, hold,
                                     ipaddress.ip_address(router_id).packed, len(parameters)) + parameters)


def attribute(kind, value, flags=None):
    if flags is None:
        flags = TRANSITIVE if kind in (ORIGIN, AS_PATH, NEXT_HOP, LOCAL_PREF) else \
            OPTIONAL if kind in (MED, MP_REACH, MP_UNREACH) else OPTIONAL | TRANSITIVE
    if len(value) > 255:
        return struct.pack("!BBH", flags | EXTENDED, kind, len(value)) + value
    return struct.pack("!BBB", flags, kind, len(value)) + value


def as_path(numbers, segment=2):
    return struct.pack("!BB", segment, len(numbers)) + b"".join(struct.pack("!I", n) for n in numbers) if numbers else b""


def nlri(prefixes):
    text = b""
    for prefix in map(ipaddress.ip_network, prefixes):
        text += bytes([prefix.prefixlen]) + prefix.network_address.packed[:(prefix.prefixlen + 7) // 8]
    return text


@dataclass(frozen=True)
class Attributes:
    path: tuple = ()
    next_hop: str = ""
    origin: int = 0
    med: int | None = None
    local_preference: int | None = None
    communities: frozenset = frozenset()
    large: frozenset = frozenset()

    def packed(self):
        """All of them but next hops, in the order of their numbers."""
        out = attribute(ORIGIN, bytes([self.origin])) + attribute(AS_PATH, as_path(self.path))
        if self.next_hop and ":" not in self.next_hop:
            out += attribute(NEXT_HOP, ipaddress.ip_address(self.next_hop).packed)
        if self.med is not None:
            out += attribute(MED, struct.pack("!I", self.med))
        if self.local_preference is not None:
            out += attribute(LOCAL_PREF, struct.pack("!I", self.local_preference))
        if self.communities:
            out += attribute(COMMUNITIES, b"".join(struct.pack("!HH", *map(int, one.split(":")))
                                                   for one in sorted(self.communities)))
        if self.large:
            out += attribute(LARGE_COMMUNITIES, b"".join(struct.pack("!III", *map(int, one.split(":")))
                                                         for one in sorted(self.large)))
        return out


def update(attributes=b"", announced=b"", withdrawn=b""):
    return message(UPDATE, struct.pack("!H", len(withdrawn)) + withdrawn
                   + struct.pack("!H", len(attributes)) + attributes + announced)


def announce(prefixes, attributes):
    """Prefixes of one family, few enough for one message."""
    packed = attributes.packed()
    if ":" not in prefixes[0]:
        return update(packed, nlri(prefixes))
    hop = ipaddress.ip_address(attributes.next_hop).packed
    reach = struct.pack("!HBB", 2, 1, len(hop)) + hop + b"\0" + nlri(prefixes)
    return update(attribute(MP_REACH, reach) + packed)


def withdraw(prefixes):
    if ":" not in prefixes[0]:
        return update(withdrawn=nlri(prefixes))
    return update(attribute(MP_UNREACH, struct.pack("!HB", 2, 1) + nlri(prefixes)))


@dataclass
class Update:
    announced: list = field(default_factory=list)
    withdrawn: list = field(default_factory=list)
    attributes: Attributes = Attributes()


def prefixes_of(data, size):
    """size: octets of an address."""
    found = []
    while data:
        octets = (data[0] + 7) // 8
        found.append(f"{ipaddress.ip_address(data[1:1 + octets].ljust(size, bytes(1)))}/{data[0]}")
        data = data[1 + octets:]
    return found


def decode(body):
    """The Update in a body as a well-behaved neighbour with four-octet AS numbers sends it."""
    length, = struct.unpack_from("!H", body)
    result = Update(withdrawn=prefixes_of(body[2:2 + length], 4))
    rest = body[2 + length:]
    length, = struct.unpack_from("!H", rest)
    attributes, rest = rest[2:2 + length], rest[2 + length:]
    result.announced = prefixes_of(rest, 4)
    known = {}
    while attributes:
        flags, kind = attributes[:2]
        if flags & EXTENDED:
            length, at = struct.unpack_from("!H", attributes, 2)[0], 4
        else:
            length, at = attributes[2], 3
        _decode_attribute(kind, attributes[at:at + length], known, result)
        attributes = attributes[at + length:]
    result.attributes = Attributes(**known)
    return result


def _decode_attribute(kind, value, known, result):
    match kind:
        case 1:
            known["origin"] = value[0]
        case 2:
            path = []
            while value:
                count = value[1]
                path += struct.unpack_from(f"!{count}I", value, 2)
                value = value[2 + 4 * count:]
            known["path"] = tuple(path)
        case 3:
            known["next_hop"] = str(ipaddress.ip_address(value))
        case 4:
            known["med"], = struct.unpack("!I", value)
        case 5:
            known["local_preference"], = struct.unpack("!I", value)
        case 8:
            words = struct.unpack(f"!{len(value) // 2}H", value)
            known["communities"] = frozenset(f"{a}:{b}" for a, b in zip(words[::2], words[1::2]))
        case 32:
            words = struct.unpack(f"!{len(value) // 4}I", value)
            known["large"] = frozenset(f"{a}:{b}:{c}" for a, b, c in zip(words[::3], words[1::3], words[2::3]))
        case 14:
            size = value[3]
            if struct.unpack_from("!HB", value) == (2, 1):
                known["next_hop"] = str(ipaddress.ip_address(value[4:20]))
                result.announced += prefixes_of(value[5 + size:], 16)
        case 15:
            if struct.unpack_from("!HB", value) == (2, 1):
                result.withdrawn += prefixes_of(value[3:], 16)
