# SPDX-License-Identifier: GPL-2.0-or-later
"""OSPF between three routers: routes with their preferences, a link that breaks, a daemon that dies, and no trace."""
import json
import time

TARGET = "198.51.100.10"
LINES = {
    "r1": """set interfaces eth0 unit 0 family inet address 192.0.2.1/24
set interfaces eth1 unit 0 family inet address 10.0.12.1/30
set interfaces eth2 unit 0 family inet address 10.0.13.1/30
set interfaces lo0 unit 0 family inet address 10.255.0.1/32
set routing-options router-id 10.255.0.1
set protocols ospf area 0 interface eth0.0 passive
set protocols ospf area 0 interface eth1.0 interface-type p2p
set protocols ospf area 0 interface eth1.0 hello-interval 1
set protocols ospf area 0 interface eth1.0 authentication md5 1 key sekret
set protocols ospf area 0 interface eth2.0 interface-type p2p
set protocols ospf area 0 interface eth2.0 metric 20
set protocols ospf area 0 interface lo0.0""",
    "r2": """delete routing-options
set routing-options static route 203.0.113.0/24 discard
set policy-options policy-statement statics from protocol static
set policy-options policy-statement statics then metric 7
set policy-options policy-statement statics then accept
set protocols ospf export statics
set protocols ospf area 0 interface eth0.0 passive
set protocols ospf area 0 interface eth1.0 interface-type p2p
set protocols ospf area 0 interface eth1.0 hello-interval 1
set protocols ospf area 0 interface eth1.0 authentication md5 1 key sekret
set protocols ospf area 0 interface eth2.0 interface-type p2p""",
    "r3": """delete routing-options
set protocols ospf area 0 interface eth0.0 interface-type p2p
set protocols ospf area 0 interface eth1.0 interface-type p2p""",
}


def routes(router):
    """{prefix: (preference, metric, next hops)} of what OSPF has brought into the forwarding table."""
    table = json.loads(router.run("vtysh", "-c", "show ip route ospf json").stdout)
    return {prefix: (route["distance"], route["metric"], sorted(hop["ip"] for hop in route["nexthops"] if "ip" in hop))
            for prefix, found in table.items() for route in found if route.get("selected")}


def settled(story, wanted, seconds):
    return story.eventually(lambda: routes(story.lab["r1"]) == wanted, seconds)


def scenario(story):
    for name in LINES:
        story.reset(name)
    before = {name: story.running(name) for name in LINES}
    for name, lines in LINES.items():
        story.configure(name, lines.splitlines())
    near = {"10.0.23.0/30": (10, 20, ["10.0.12.2"]), "198.51.100.0/24": (10, 20, ["10.0.12.2"]),
            "203.0.113.0/24": (150, 7, ["10.0.12.2"])}
    story.expect(settled(story, near, 90), f"r1 has {routes(story.lab['r1'])}, expected {near}")
    story.expect(story.reaches("h1", TARGET), f"h1 does not reach {TARGET}")
    story.step("r1 has r2's networks at preference 10, what r2 exports at 150, and h1 reaches h2")

    story.lab["r2"].run("ip", "link", "set", "eth1", "down")
    began = time.monotonic()
    far = {"10.0.23.0/30": (10, 30, ["10.0.13.2"]), "198.51.100.0/24": (10, 40, ["10.0.13.2"]),
           "203.0.113.0/24": (150, 7, ["10.0.13.2"])}
    story.expect(story.eventually(lambda: routes(story.lab["r1"]).get("198.51.100.0/24") == far["198.51.100.0/24"], 30),
                 f"r1 has {routes(story.lab['r1'])}, expected {far}")
    story.step(f"the link between r1 and r2 breaks: the way over r3 after {time.monotonic() - began:.1f} s")
    story.expect(story.reaches("h1", TARGET), f"h1 does not reach {TARGET} over r3")
    story.lab["r2"].run("ip", "link", "set", "eth1", "up")
    story.expect(settled(story, near, 60), f"the link is back, and r1 has {routes(story.lab['r1'])}")

    story.lab["r1"].run("sh", "-c", "kill -9 $(pidof ospfd)")
    story.expect(story.eventually(lambda: "10.0.12.2" in str(neighbors(story)), 30), f"neighbors: {neighbors(story)}")
    story.expect(settled(story, near, 90), f"ospfd came back, and r1 has {routes(story.lab['r1'])}")
    story.step("ospfd is killed and comes back with everything")

    up = neighbors(story)
    story.configure("r1", ["set protocols ospf area 0 interface eth2.0 metric 30",
                           "set routing-options static route 198.18.0.0/15 discard"])
    story.expect({n: v["nbrState"] for n, v in neighbors(story).items()} == {n: v["nbrState"] for n, v in up.items()},
                 "a metric and a static route end an adjacency")
    story.step("a metric changes, and no adjacency ends")

    for name in LINES:
        story.reset(name)
        story.expect_equal(sorted(story.running(name)), sorted(before[name]), f"{name}'s configuration")
        story.expect(story.lab[name].run("pidof", "ospfd", check=False).returncode != 0, f"{name}: ospfd still runs")
    story.step("without its statements ospfd does not run")


def neighbors(story):
    said = json.loads(story.lab["r1"].run("vtysh", "-c", "show ip ospf neighbor json").stdout)
    return {one["ifaceAddress"]: one for found in said.get("neighbors", {}).values() for one in found}
