# SPDX-License-Identifier: GPL-2.0-or-later
"""BGP with BIRD, GoBGP and a speaker of our own: attributes as in Junos, and sessions that nothing disturbs.

Routes of both families go between all of them; then keys change, commits that do not concern BGP are made, one
on trial is taken back, bgpd is killed, and everything is configured and taken back again.
"""
import time

from support import bgp_message

from .. import snapshot
from ..bgp_network import BIRD, BIRD6, BIRD_AS, GOBGP, GOBGP6, GOBGP_AS, GOBGP_ROUTER, GOBGP_ROUTER6, OWN_AS, ROUTER, \
    ROUTER6, Network
from ..peers import Bird, Gobgp

INTERNAL, INTERNAL6 = "10.0.41.41", "2001:db8:41::41"
KEY, OTHER_KEY = "a-Key.17", "another-Key/18"

GROUPS = f"""
set protocols bgp group bird peer-as {BIRD_AS}
set protocols bgp group bird authentication-key "{KEY}"
set protocols bgp group bird neighbor {BIRD}
set protocols bgp group bird neighbor {BIRD6}
set protocols bgp group gobgp type external
set protocols bgp group gobgp peer-as {GOBGP_AS}
set protocols bgp group gobgp neighbor {GOBGP}
set protocols bgp group gobgp neighbor {GOBGP6}
set protocols bgp group inside type internal
set protocols bgp group inside neighbor {INTERNAL}
set protocols bgp group inside neighbor {INTERNAL6}
""".strip().splitlines()
POLICIES = """
set routing-options static route 10.70.0.0/24 discard
set routing-options rib inet6.0 static route 2001:db8:70::/48 discard
set policy-options community from-bird members 65001:20
set policy-options policy-statement from-bird term all then local-preference 200
set policy-options policy-statement from-bird term all then community add from-bird
set policy-options policy-statement statics term ours from protocol static
set policy-options policy-statement statics term ours from route-filter 10.70.0.0/16 orlonger
set policy-options policy-statement statics term ours from route-filter 2001:db8:70::/48 exact
set policy-options policy-statement statics term ours then metric 30
set policy-options policy-statement statics term ours then as-path-prepend "65001 65001"
set policy-options policy-statement statics term ours then accept
set protocols bgp group bird import from-bird
set protocols bgp group gobgp export statics
""".strip().splitlines()


def bird_configuration(key):
    sessions = "".join(f"""
protocol bgp {name} {{
  local {local} as {BIRD_AS}; neighbor {remote} as {OWN_AS}; strict bind yes; password "{key}";
  connect delay time 1; connect retry time 2; error wait time 1, 2;
  {family} {{ import all; export filter sent; }};
}}""" for name, family, local, remote in (("four", "ipv4", BIRD, ROUTER), ("six", "ipv6", BIRD6, ROUTER6)))
    communities = f"bgp_community.add(({BIRD_AS},100)); bgp_large_community.add(({BIRD_AS},1,2));"
    return f"""
router id {BIRD};
filter sent {{
  if source != RTS_STATIC then reject;
  if ({BIRD_AS},100) ~ bgp_community then bgp_med = 50;
  accept;
}}
protocol device {{}}
protocol static static4 {{
  ipv4;
  route 10.20.1.0/24 blackhole {{ {communities} }};
  route 10.50.0.0/24 blackhole {{ bgp_path.prepend({BIRD_AS}); }};
  route 10.60.0.0/24 blackhole;
}}
protocol static static6 {{
  ipv6;
  route 2001:db8:2020::/48 blackhole {{ {communities} }};
}}{sessions}
"""


def gobgp_configuration():
    text = f"""
[global.config]
  as = {GOBGP_AS}
  router-id = "{GOBGP}"
  local-address-list = ["{GOBGP}", "{GOBGP6}"]
"""
    for remote, local, family in ((GOBGP_ROUTER, GOBGP, "ipv4"), (GOBGP_ROUTER6, GOBGP6, "ipv6")):
        text += f"""
[[neighbors]]
  [neighbors.config]
    neighbor-address = "{remote}"
    peer-as = {OWN_AS}
  [neighbors.timers.config]
    connect-retry = 5
    idle-hold-time-after-reset = 5
  [neighbors.transport.config]
    local-address = "{local}"
  [[neighbors.afi-safis]]
    [neighbors.afi-safis.config]
      afi-safi-name = "{family}-unicast"
"""
    return text


class Peers:
    def __init__(self, network):
        self.network, self.story = network, network.story
        network.address(BIRD, BIRD6, GOBGP, GOBGP6)
        self.bird = network.start(Bird, bird_configuration(KEY))
        self.gobgp = network.start(Gobgp, gobgp_configuration())
        self.internal = internal(network, INTERNAL, "10.41.1.0/24")
        self.internal6 = internal(network, INTERNAL6, "2001:db8:4141::/48")
        for words in ("10.30.1.0/24 med 77 community 65030:1 large-community 65030:1:2", "10.50.0.0/24",
                      f"-a ipv6 2001:db8:3030::/48 nexthop {GOBGP6} med 77 community 65030:1"):
            self.gobgp.control("global", "rib", "add", *words.split())

    def up(self):
        return (self.bird.is_up("four") and self.bird.is_up("six") and set(self.gobgp.neighbors().values()) == {6}
                and self.internal.up and self.internal6.up)

    def received(self):
        """Everything that neighbours have from r1, in one form that can be compared."""
        said = {"bird": self.bird.routes("four"), "bird6": self.bird.routes("six"),
                "gobgp": self.gobgp.routes(GOBGP_ROUTER), "gobgp6": self.gobgp.routes(GOBGP_ROUTER6, "ipv6"),
                "internal": self.internal.routes(), "internal6": self.internal6.routes()}
        for routes in (said["bird"], said["bird6"]):
            for route in routes.values():
                route.pop("Internal route handling values", None)
        return sorted(f"{who} {prefix} {route}" for who, routes in said.items() for prefix, route in routes.items())

    def settled(self, what, wanted=None):
        """received() once all sessions are up, and it is as wanted or the same for two seconds."""
        self.story.expect(self.story.eventually(self.up, 60), f"{what}: not all sessions come up: "
                          f"{self.network.sessions()}")
        if wanted is not None:
            self.story.eventually(lambda: self.received() == wanted, 45)
            self.story.expect_equal(self.received(), wanted, f"what the neighbors have {what}")
            return wanted
        last = []

        def same():
            last.append((time.monotonic(), self.received()))
            since = [said for at, said in last if at >= last[-1][0] - 2.5]
            return last[0][0] < last[-1][0] - 2.5 and all(said == since[-1] for said in since)
        self.story.expect(self.story.eventually(same, 45), f"{what}: what the neighbors receive does not settle")
        return last[-1][1]


def internal(network, local, prefix):
    """A neighbor in the own AS with one route."""
    attributes = bgp_message.Attributes(next_hop=local, local_preference=150, med=5)
    return network.speaker(local, OWN_AS, on_session=bgp_message.announce([prefix], attributes))


def exchanged(story, peers):
    """Without a policy: who gets what, and with which attributes."""
    story.expect(story.eventually(lambda: len(peers.received()) >= 16, 60), f"{peers.received()}")
    peers.settled("at the start")
    bird, bird6, gobgp = peers.bird.routes("four"), peers.bird.routes("six"), peers.gobgp.routes(GOBGP_ROUTER)
    gobgp6 = peers.gobgp.routes(GOBGP_ROUTER6, "ipv6")
    inside, inside6 = peers.internal.routes(), peers.internal6.routes()
    story.expect_equal(sorted(bird), ["10.30.1.0/24", "10.41.1.0/24", "10.50.0.0/24"], "what BIRD gets")
    story.expect_equal(sorted(bird6), ["2001:db8:3030::/48", "2001:db8:4141::/48"], "what BIRD gets of IPv6")
    story.expect_equal(sorted(gobgp), ["10.20.1.0/24", "10.41.1.0/24", "10.60.0.0/24"], "what GoBGP gets")
    story.expect_equal(sorted(gobgp6), ["2001:db8:2020::/48", "2001:db8:4141::/48"], "what GoBGP gets of IPv6")
    story.expect_equal(sorted(inside), ["10.20.1.0/24", "10.30.1.0/24", "10.50.0.0/24", "10.60.0.0/24"],
                       "what the internal neighbor gets")
    # From one foreign AS to another: own AS in front, own next hop, no MED, communities as they were.
    for route, hop in ((bird["10.30.1.0/24"], ROUTER), (bird6["2001:db8:3030::/48"], ROUTER6)):
        story.expect(route["bgp_path"] == "65001 65030" and "bgp_med" not in route
                     and route["bgp_community"] == "(65030,1)" and route["bgp_next_hop"].split()[0] == hop,
                     f"BIRD has {route}")
    story.expect(bird["10.30.1.0/24"]["bgp_large_community"] == "(65030, 1, 2)", f"{bird['10.30.1.0/24']}")
    for route in (gobgp["10.20.1.0/24"], gobgp6["2001:db8:2020::/48"]):
        story.expect(route[2]["as_paths"][0]["asns"] == [OWN_AS, BIRD_AS] and 4 not in route
                     and route[8]["communities"] == [BIRD_AS << 16 | 100]
                     and route[32]["value"] == [{"ASN": BIRD_AS, "LocalData1": 1, "LocalData2": 2}], f"GoBGP has {route}")
    story.expect(bird["10.41.1.0/24"]["bgp_path"] == "65001" and "bgp_med" not in bird["10.41.1.0/24"],
                 f"of an internal route BIRD has {bird['10.41.1.0/24']}")
    # To the own AS: path, next hop and MED as received, local preference 100.
    for routes, prefix, hop in ((inside, "10.20.1.0/24", BIRD), (inside6, "2001:db8:2020::/48", BIRD6)):
        one = routes[prefix]
        found = (one.path, one.next_hop, one.med, one.local_preference, set(one.communities), set(one.large))
        wanted = ((BIRD_AS,), hop, 50, 100, {f"{BIRD_AS}:100"}, {f"{BIRD_AS}:1:2"})
        story.expect(found == wanted, f"the internal neighbor has {found} for {prefix}, expected {wanted}")
    story.expect(inside["10.50.0.0/24"].path == (GOBGP_AS,), "of two paths the longer one was sent on")
    story.step(f"{len(bird) + len(bird6) + len(gobgp) + len(gobgp6) + len(inside) + len(inside6)} routes with their "
               "attributes as in Junos")


def inactive(story, peers):
    """A static route is better than BIRD's."""
    story.configure("r1", ["set routing-options static route 10.60.0.0/24 discard"])
    story.expect(story.eventually(lambda: "10.60.0.0/24" not in peers.gobgp.routes(GOBGP_ROUTER)
                                  and "10.60.0.0/24" not in peers.internal.routes()),
                 "a route of BGP is advertised although a static one is in use")
    said = story.configure("r1", ["set protocols bgp advertise-inactive", "show | plan"])
    story.expect("! change BGP router (disruptive)" in said, f"the plan does not say that sessions end:\n{said}")
    story.expect(story.eventually(lambda: "10.60.0.0/24" in peers.gobgp.routes(GOBGP_ROUTER), 60),
                 "advertise-inactive: the route that is not in use is not sent")
    story.configure("r1", ["delete protocols bgp advertise-inactive"])
    story.expect(story.eventually(lambda: peers.up() and "10.60.0.0/24" not in peers.gobgp.routes(GOBGP_ROUTER), 60),
                 "without advertise-inactive the route that is not in use is still there")
    story.step("a route that lost against a static one is sent with advertise-inactive and not without")


def with_policies(story, network, peers):
    before = network.sessions()
    story.configure("r1", POLICIES)
    network.expect_same_sessions(before, "policies were added")
    peers.settled("with policies")
    bird, gobgp, inside = peers.bird.routes("four"), peers.gobgp.routes(GOBGP_ROUTER), peers.internal.routes()
    gobgp6 = peers.gobgp.routes(GOBGP_ROUTER6, "ipv6")
    story.expect(inside["10.20.1.0/24"].local_preference == 200 and "65001:20" in inside["10.20.1.0/24"].communities,
                 f"import of local preference and community: {inside['10.20.1.0/24']}")
    story.expect(inside["10.50.0.0/24"].path == (BIRD_AS, BIRD_AS), "local preference comes before path length")
    story.expect("10.50.0.0/24" not in bird and "10.50.0.0/24" in gobgp, "the route that is not best was sent")
    story.expect("10.60.0.0/24" not in gobgp and "10.60.0.0/24" not in inside,
                 "a route of BGP is advertised although a static one is in use")
    for routes, prefix in ((gobgp, "10.70.0.0/24"), (gobgp6, "2001:db8:70::/48")):
        route = routes.get(prefix) or {}
        story.expect(route and route[2]["as_paths"][0]["asns"] == [OWN_AS] * 3 and route[4]["metric"] == 30
                     and route[1].get("value", 0) == 0, f"GoBGP has {route} for the static {prefix}")
    story.expect("10.70.0.0/24" not in bird and "10.70.0.0/24" not in inside, "static routes went where no policy is")
    network.expect_same_sessions(before, "policies")
    story.step("policies: local preference decides, statics are exported with MED and prepended AS; sessions stayed")


def keys(story, network, peers):
    before = {address: one for address, one in network.sessions().items() if address not in (BIRD, BIRD6)}
    story.configure("r1", [f'set protocols bgp group bird authentication-key "{OTHER_KEY}"'])
    story.expect(story.eventually(lambda: not peers.bird.is_up("four") and not peers.bird.is_up("six")),
                 "the sessions stay although the keys differ")
    peers.bird.reconfigure(bird_configuration(OTHER_KEY))
    story.expect(story.eventually(peers.up, 60), "no session with the new key")
    network.expect_same_sessions(before, "the key of others changed")
    story.step("TCP-MD5: another key ends the session, the same one on both sides brings it back; others stayed")


def hold_time(story, network, peers):
    """What is negotiated counts at once: the sessions begin anew, and the plan says so."""
    said = story.configure("r1", ["set protocols bgp group inside hold-time 30", "show | plan"])
    story.expect(f"! change BGP neighbor {INTERNAL} (disruptive)" in said, f"the plan does not say so:\n{said}")

    def negotiated(milliseconds):
        return story.eventually(lambda: peers.internal.up and network.neighbors()[INTERNAL].get("bgpTimerHoldTimeMsecs")
                                == milliseconds)
    story.expect(negotiated(30_000), "hold-time has no effect on the session")
    story.configure("r1", ["rollback 1"])
    story.expect(negotiated(90_000), "the old hold-time is not back")
    story.step("another hold-time is in force at once")


def back_to_its_as(story, peers):
    """A path with the neighbor's AS in it is sent with advertise-peer-as or as-override, and not without."""
    story.expect("10.20.1.0/24" not in peers.bird.routes("four"), "a route went back to the AS that it came from")
    attributes = bgp_message.Attributes(path=(BIRD_AS,), next_hop=INTERNAL, local_preference=90)
    peers.internal.announce(["10.42.1.0/24"], attributes)
    for statement in ("as-override", "advertise-peer-as"):  # BIRD takes the former only: its own AS is a loop
        story.configure("r1", [f"set protocols bgp group bird {statement}"])
        story.expect(story.eventually(lambda: "10.42.1.0/24" in peers.network.show(
            f"show bgp ipv4 unicast neighbors {BIRD} advertised-routes"), 60), f"{statement} has no effect")
        story.configure("r1", ["rollback 1"])
        story.expect(story.eventually(lambda: peers.bird.is_up("four") and "10.42.1.0/24" not in peers.network.show(
            f"show bgp ipv4 unicast neighbors {BIRD} advertised-routes"), 60), f"{statement} stays in effect")
    peers.internal.withdraw(["10.42.1.0/24"])
    story.step("as-override and advertise-peer-as are in force at once, both ways")


def unrelated(story, network, peers):
    routes, sessions = peers.settled("before unrelated commits"), network.sessions()
    for speaker in (peers.internal, peers.internal6):
        speaker.forget()
    tables = network.show("show bgp ipv4 unicast json") + network.show("show bgp ipv6 unicast json")
    for lines in (["set system host-name other"], ['set interfaces eth2 description "changed"'],
                  ["set interfaces eth2 unit 0 family inet address 10.0.13.1/30"],
                  ["set policy-options policy-statement unused term one then reject"],
                  ["set system ntp server 192.0.2.123"], ["rollback 5"]):
        story.configure("r1", lines)
    network.expect_same_sessions(sessions, "commits that do not concern BGP")
    peers.settled("after unrelated commits", routes)
    story.expect(tables == network.show("show bgp ipv4 unicast json") + network.show("show bgp ipv6 unicast json"),
                 "commits that do not concern BGP changed its tables, or their versions")
    heard = peers.internal.ever() + peers.internal6.ever()
    story.expect(not heard, f"the neighbors heard of {heard}")
    story.step("6 commits that do not concern BGP: sessions, tables and their versions stayed; no update was sent")


def on_trial(story, network, peers):
    """A commit confirmed that nobody confirms; a minute is the shortest."""
    routes, sessions, configuration = peers.settled("before the trial"), network.sessions(), network.configuration()
    running = story.running("r1")
    said = story.configure("r1", ["delete protocols bgp group gobgp", "set protocols bgp group bird import statics",
                                  "set policy-options policy-statement none then reject",
                                  "set protocols bgp group inside export none"], last="commit confirmed 1")
    story.expect("automatically rolled back" in said, said)
    others = {address: one for address, one in sessions.items() if address not in (GOBGP, GOBGP6)}
    network.expect_same_sessions(others, "the trial")
    story.expect(story.eventually(lambda: not peers.internal.routes() and not peers.internal6.routes()),
                 "the trial has no effect on the internal neighbors")
    story.expect(set(peers.gobgp.neighbors().values()) != {6}, "the deleted group still has sessions")
    story.expect(story.eventually(lambda: story.running("r1") == running, 90), "the trial is not taken back")
    peers.settled("after the trial", routes)
    network.expect_same_sessions(others, "taking the trial back")
    story.expect_equal(network.configuration(), configuration, "the configuration of FRR after the trial")
    story.step("commit confirmed, not confirmed: everything is back, and sessions that it did not concern stayed")


def killed(story, network, peers):
    routes, configuration = peers.settled("before bgpd is killed"), network.configuration()
    pid = network.pid()
    network.r1.run("kill", "-KILL", pid)
    story.expect(story.eventually(lambda: network.pid() not in ("0", pid), 30), "bgpd does not come back")
    peers.settled("after bgpd was killed", routes)
    story.expect_equal(network.configuration(), configuration, "the configuration of FRR after kill -9")
    # A daemon that is killed while a commit changes it.
    for _ in range(3):
        before = story.running("r1")
        process = network.r1.spawn("sh", "-c", f"sleep {story.random.uniform(0, 0.6):.3f}; kill -KILL {network.pid()}")
        done = network.r1.cli("configure\ndelete protocols bgp group gobgp export\n"
                              "set protocols bgp group bird export statics\ncommit\nexit", check=False)
        process.wait()
        whole = story.running("r1") != before
        story.expect(whole == ("commit complete" in done.stdout), f"said\n{done.stdout}\nand it is not so")
        story.discard("r1")
        if whole:
            story.configure("r1", ["rollback 1"])
        peers.settled("after a commit with bgpd killed", routes)
        story.expect_equal(network.configuration(), configuration, "the configuration of FRR")
    story.step("kill -9 of bgpd, also during commits: sessions and routes come back, FRR has what it had")


def there_and_back(story, network, peers):
    """Commits and rollbacks leave FRR, and all state of the router, exactly as it was."""
    routes = peers.settled("before cycles")
    state = snapshot.settled(network.r1)
    changes = [["delete protocols bgp"], ["delete protocols bgp group inside", "delete policy-options policy-statement "
                                          "statics term ours then metric"],
               ["set protocols bgp group bird family inet unicast", "set protocols bgp group bird family inet6 unicast",
                "set protocols bgp multipath multiple-as", "set protocols bgp hold-time 30"],
               ["set routing-options autonomous-system 65099"]]
    for lines in changes:
        story.configure("r1", lines)
        story.expect(snapshot.settled(network.r1) != state, f"{lines} changes nothing")
        story.configure("r1", ["rollback 1"])
        peers.settled(f"after {lines[0]} and back", routes)
        story.expect_equal(snapshot.settled(network.r1), state, f"the state after {lines} and back")
    story.step(f"{len(changes)} changes and their rollbacks, BGP as a whole among them: FRR is exactly as it was")


def scenario(story):
    with Network(story) as network:
        empty = network.configuration()
        story.configure("r1", GROUPS)
        peers = Peers(network)
        exchanged(story, peers)
        inactive(story, peers)
        with_policies(story, network, peers)
        keys(story, network, peers)
        hold_time(story, network, peers)
        back_to_its_as(story, peers)
        unrelated(story, network, peers)
        on_trial(story, network, peers)
        killed(story, network, peers)
        there_and_back(story, network, peers)
        story.configure("r1", ["delete protocols", "delete policy-options", "delete routing-options static",
                               "delete routing-options rib"])
        story.expect_equal(network.configuration(), empty, "the configuration of FRR without BGP")
        story.expect(network.r1.run("systemctl", "is-active", "bgpd", check=False).stdout.strip() == "inactive",
                     "bgpd runs although no BGP is configured")
