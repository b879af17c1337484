# SPDX-License-Identifier: GPL-2.0-or-later
"""What the scenarios of BGP start from: r1 in AS 65001 with three networks on eth0, and addresses for neighbours on h1.

    192.0.2.0/24, 2001:db8:1::/64        BIRD .20 in AS 65020, and neighbours of this process
    203.0.113.0/24, 2001:db8:30::/64     GoBGP .30 in AS 65030
    10.0.41.0/24, 2001:db8:41::/64       neighbours of this process in our AS

A network each, since r1 tells neighbours of one network each other's addresses, and all of these are h1's own.
"""
import ipaddress
import json

from support.run import run

from .speaker import Speaker

OWN_AS, BIRD_AS, GOBGP_AS = 65001, 65020, 65030
ROUTER, ROUTER6 = "192.0.2.1", "2001:db8:1::1"
BIRD, BIRD6 = "192.0.2.20", "2001:db8:1::20"
GOBGP_ROUTER, GOBGP_ROUTER6 = "203.0.113.1", "2001:db8:30::1"
INSIDE_ROUTER, INSIDE_ROUTER6 = "10.0.41.1", "2001:db8:41::1"
GOBGP, GOBGP6 = "203.0.113.30", "2001:db8:30::30"
BASE = f"""
set interfaces eth0 unit 0 family inet address {ROUTER}/24
set interfaces eth0 unit 0 family inet address {GOBGP_ROUTER}/24
set interfaces eth0 unit 0 family inet6 address {ROUTER6}/64
set interfaces eth0 unit 0 family inet6 address {GOBGP_ROUTER6}/64
set interfaces eth0 unit 0 family inet address {INSIDE_ROUTER}/24
set interfaces eth0 unit 0 family inet6 address {INSIDE_ROUTER6}/64
set routing-options autonomous-system {OWN_AS}
set routing-options router-id {ROUTER}
""".strip().splitlines()


class Network:
    """`with` leaves nothing behind: neither addresses nor neighbours nor configuration."""

    def __init__(self, story):
        self.story, self.r1, self.h1 = story, story.lab["r1"], story.lab["h1"]
        self._addresses, self._running = [], []

    def __enter__(self):
        self.story.reset()
        self.story.configure("r1", BASE)
        return self

    def __exit__(self, *failure):
        for each in self._running:
            each.stop()
        for address in self._addresses:
            run(["ip", "-n", self.h1.namespace, "address", "del", address, "dev", "eth0"])
        if failure[0] is None:
            self.story.reset()

    def address(self, *addresses):
        for one in addresses:
            prefix = f"{one}/{64 if ':' in one else 24}"
            run(["ip", "-n", self.h1.namespace, "address", "add", prefix, "dev", "eth0",
                 *(["nodad"] if ":" in one else [])])
            self._addresses.append(prefix)

    def start(self, kind, *arguments):
        """A daemon of peers.py on h1."""
        daemon = kind(self.h1, *arguments)
        self._running.append(daemon)
        return daemon

    def speaker(self, local, asn, **more):
        """A neighbour of this process; the router's address is the first one of its network."""
        self.address(local)
        network = ipaddress.ip_interface(f"{local}/{64 if ':' in local else 24}").network
        speaker = Speaker(self.h1, local, str(network[1]), asn, **more)
        self._running.append(speaker)
        return speaker

    # --- what r1 has ---

    def show(self, command):
        return self.r1.run("vtysh", "-c", command).stdout

    def neighbors(self):
        return json.loads(self.show("show bgp neighbors json"))

    def sessions(self):
        """{address: how many sessions there have been, and the time the present one has begun, to a second or two}."""
        return {address: (one["bgpState"], one["connectionsEstablished"], one.get("bgpTimerUpEstablishedEpoch", 0))
                for address, one in self.neighbors().items()}

    def expect_same_sessions(self, before, what):
        after = self.sessions()
        for address, (state, count, began) in before.items():
            now = after.get(address)
            same = now is not None and now[:2] == (state, count) and abs(now[2] - began) <= 2
            self.story.expect(same, f"{what}: the session with {address} was {(state, count, began)} and is {now}")

    def configuration(self):
        """All that FRR holds, as it prints it."""
        return [line for line in self.show("show running-config").splitlines()[3:] if not line.startswith("hostname")]

    def pid(self):
        return self.r1.run("systemctl", "show", "--value", "--property=MainPID", "bgpd").stdout.strip()
