# SPDX-License-Identifier: GPL-2.0-or-later
"""Malformed updates, floods and flaps harm nobody: not bgpd, not other sessions, not the routes of others.

What becomes of a malformed update is decided by RFC 7606 (and 4271, where the message itself cannot be read):
its routes are withdrawn, the attribute is left out, or the session ends with the notification that is expected.
Then updates that were right are damaged at random, and sent by the hundred.
"""
import os
import struct
import time

from support import bgp_message as bgp

from ..bgp_network import Network

VICTIM, OTHER, WATCHER = "192.0.2.50", "203.0.113.60", "10.0.41.70"
VICTIM_AS, OTHER_AS, WATCHER_AS = 65050, 65060, 65070
GOOD, TRIED = "10.110.0.0/24", "10.111.0.0/24"
DAMAGED = 2000 if os.environ.get("MILLRACE_RELEASE") else 300
FLAPS = 10_000
ROUNDS = 20

ORIGIN = bgp.attribute(bgp.ORIGIN, b"\0")
PATH = bgp.attribute(bgp.AS_PATH, bgp.as_path([VICTIM_AS]))
HOP = bgp.attribute(bgp.NEXT_HOP, bytes([192, 0, 2, 50]))


def tried(*attributes, prefix=TRIED):
    return bgp.update(b"".join(attributes), bgp.nlri([prefix]))


# Attributes; each is sent with a prefix of its own.
WITHDRAWN = {
    "ORIGIN of value 7": (bgp.attribute(bgp.ORIGIN, b"\7"), PATH, HOP),
    "ORIGIN of two octets": (bgp.attribute(bgp.ORIGIN, b"\0\0"), PATH, HOP),
    "ORIGIN marked optional": (bgp.attribute(bgp.ORIGIN, b"\0", flags=bgp.OPTIONAL | bgp.TRANSITIVE), PATH, HOP),
    "no ORIGIN": (PATH, HOP),
    "no AS_PATH": (ORIGIN, HOP),
    "no NEXT_HOP": (ORIGIN, PATH),
    "NEXT_HOP of three octets": (ORIGIN, PATH, bgp.attribute(bgp.NEXT_HOP, b"\1\2\3")),
    "AS_PATH with a segment of type 9": (ORIGIN, bgp.attribute(bgp.AS_PATH, bgp.as_path([VICTIM_AS], 9)), HOP),
    "AS_PATH that promises 200 ASs": (ORIGIN, bgp.attribute(bgp.AS_PATH, b"\2\xc8\0\0\xfe\x1a"), HOP),
    "AS_PATH with an empty segment": (ORIGIN, bgp.attribute(bgp.AS_PATH, b"\2\0"), HOP),
    "AS_PATH with AS 0": (ORIGIN, bgp.attribute(bgp.AS_PATH, bgp.as_path([VICTIM_AS, 0])), HOP),
    "MED of three octets": (ORIGIN, PATH, HOP, bgp.attribute(bgp.MED, b"\0\0\1")),
    "COMMUNITIES of five octets": (ORIGIN, PATH, HOP, bgp.attribute(bgp.COMMUNITIES, b"\0\1\0\1\0")),
    "COMMUNITIES of none": (ORIGIN, PATH, HOP, bgp.attribute(bgp.COMMUNITIES, b"")),
    "LARGE_COMMUNITIES of 11 octets": (ORIGIN, PATH, HOP, bgp.attribute(bgp.LARGE_COMMUNITIES, bytes(11))),
    "an attribute longer than all attributes": (ORIGIN, PATH, HOP, b"\x40\x05\xf0\0\0\0\1"),
}
KEPT = {
    "LOCAL_PREF from another AS": (ORIGIN, PATH, HOP, bgp.attribute(bgp.LOCAL_PREF, struct.pack("!I", 999))),
    "ATOMIC_AGGREGATE of one octet": (ORIGIN, PATH, HOP, bgp.attribute(6, b"\1", flags=bgp.TRANSITIVE)),
    "AGGREGATOR of five octets": (ORIGIN, PATH, HOP, bgp.attribute(7, b"\1\2\3\4\5")),
    "ORIGIN twice": (ORIGIN, PATH, HOP, bgp.attribute(bgp.ORIGIN, b"\2")),
    "an unknown optional attribute": (ORIGIN, PATH, HOP, bgp.attribute(250, b"anything")),
    "900 communities": (ORIGIN, PATH, HOP, bgp.attribute(bgp.COMMUNITIES, b"".join(
        struct.pack("!HH", VICTIM_AS, one) for one in range(900)))),
    "a path of 250 ASs": (ORIGIN, bgp.attribute(bgp.AS_PATH, bgp.as_path([VICTIM_AS] * 250)), HOP),
}
ENDS = {  # what the notification must say
    "a prefix of 33 bits": (bgp.update(ORIGIN + PATH + HOP, b"\x21\x0a\x6f\0\0\0"), (3, 10)),
    "attributes longer than the message": (bgp.message(bgp.UPDATE, b"\0\0\xff\xff" + ORIGIN), (3, 1)),
    "withdrawn routes longer than the message": (bgp.message(bgp.UPDATE, b"\xff\xff\0\0"), (3, 1)),
    "a wrong marker": (b"\0" * 16 + struct.pack("!HB", 19, bgp.KEEPALIVE), (1, 1)),
    "a message of 18 octets": (bgp.MARKER + struct.pack("!HB", 18, bgp.KEEPALIVE), (1, 2)),
    "an update of 20 octets": (bgp.MARKER + struct.pack("!HBB", 20, bgp.UPDATE, 0), (1, 2)),
    "a message of type 9": (bgp.message(9), (1, 3)),
}


class Trial:
    def __init__(self, story, network):
        self.story, self.network = story, network
        good = bgp.announce([GOOD], bgp.Attributes(path=(VICTIM_AS,), next_hop=VICTIM))
        self.victim = network.speaker(VICTIM, VICTIM_AS, on_session=good)
        self.other = network.speaker(OTHER, OTHER_AS, on_session=bgp.announce(
            ["10.120.0.0/24", "10.121.0.0/24"], bgp.Attributes(path=(OTHER_AS,), next_hop=OTHER)))
        self.watcher = network.speaker(WATCHER, WATCHER_AS)
        story.expect(story.eventually(lambda: len(self.watcher.routes()) == 3, 60), "the routes do not arrive")
        self.pid = network.pid()

    def watched(self):
        return self.watcher.routes()

    def harmless(self, what):
        self.story.expect(self.network.pid() == self.pid, f"{what}: bgpd has died")
        self.story.expect((self.other.sessions, self.watcher.sessions) == (1, 1), f"{what}: another session ended")
        gone = [prefix for prefix in ("10.120.0.0/24", "10.121.0.0/24") if prefix not in self.watched()]
        self.story.expect(not gone, f"{what}: the routes {gone} of another neighbor are gone")

    def begin(self, what):
        """The victim's session stands, and its tried route is there."""
        def ready():
            if not self.victim.up:
                return False
            self.victim.send(tried(ORIGIN, PATH, HOP))
            return self.story.eventually(lambda: {GOOD, TRIED} <= self.watched().keys(), 5)
        self.story.expect(self.story.eventually(ready, 60), f"before {what}: a route that is right does not arrive, "
                          f"up: {self.victim.up}, {self.victim.ended}, {self.network.neighbors()[VICTIM].get('bgpState')}")

    def withdrawn(self, messages):
        """Each takes back the route that it is about, and that is all."""
        self.begin("malformed attributes")
        prefixes = {what: f"10.112.{number}.0/24" for number, what in enumerate(messages)}
        self.victim.announce(list(prefixes.values()), self.victim.attributes())
        self.story.expect(self.story.eventually(lambda: set(prefixes.values()) <= self.watched().keys()),
                          "routes that are right do not arrive")
        sessions = self.victim.sessions
        for what, attributes in messages.items():
            self.victim.send(tried(*attributes, prefix=prefixes[what]))
        self.story.eventually(lambda: not set(prefixes.values()) & self.watched().keys(), 10)
        stays = [what for what, prefix in prefixes.items() if prefix in self.watched()]
        self.story.expect(self.victim.sessions == sessions and self.victim.up and GOOD in self.watched(),
                          f"the session ended: {self.victim.notifications[-1:]}")
        self.story.expect(not stays, f"the route stays although there was {', '.join(stays)}")
        self.harmless("malformed attributes")

    def kept(self, messages):
        """Each brings its route."""
        self.begin("unusual updates")
        prefixes = {what: f"10.113.{number}.0/24" for number, what in enumerate(messages)}
        sessions = self.victim.sessions
        for what, attributes in messages.items():
            self.victim.send(tried(*attributes, prefix=prefixes[what]))
        self.story.eventually(lambda: set(prefixes.values()) <= self.watched().keys(), 10)
        missing = [what for what, prefix in prefixes.items() if prefix not in self.watched()]
        self.story.expect(self.victim.sessions == sessions and not missing,
                          f"no route with {', '.join(missing)}; notifications: {self.victim.notifications[-1:]}")
        self.harmless("unusual updates")

    def ends(self, what, message, wanted):
        self.begin(what)
        sessions, count = self.victim.sessions, len(self.victim.notifications)
        self.victim.send(message)
        self.story.expect(self.story.eventually(lambda: len(self.victim.notifications) > count, 10),
                          f"{what}: no notification came, expected {wanted}")
        self.story.expect(self.victim.notifications[count] == wanted,
                          f"{what}: notification {self.victim.notifications[count]}, expected {wanted}")
        self.story.expect(self.story.eventually(lambda: self.victim.sessions > sessions, 30), f"{what}: it stays away")
        self.harmless(what)


def damage(random, message):
    """A few octets of the body changed, taken out or put in; the length in the header stays right."""
    body = bytearray(message[19:])
    for _ in range(random.randint(1, 4)):
        at = random.randrange(len(body)) if body else 0
        match random.randrange(3):
            case 0 if body:
                body[at] = random.choice((0, 1, 0x7f, 0x80, 0xff, random.randrange(256)))
            case 1 if len(body) > 4:
                del body[at:at + random.randint(1, 3)]
            case _:
                body[at:at] = random.randbytes(random.randint(1, 6))
    return bgp.message(bgp.UPDATE, bytes(body[:4000]))


def damaged(story, trial):
    sent = 0
    seeds = [*(tried(*attributes) for attributes in [*WITHDRAWN.values(), *KEPT.values()]), bgp.announce(["2001:db8:110::/48"], bgp.Attributes(
        path=(VICTIM_AS,), next_hop="2001:db8:1::50")), bgp.withdraw(["2001:db8:110::/48"])]
    sessions = trial.victim.sessions
    deadline = time.monotonic() + 300
    while sent < DAMAGED and time.monotonic() < deadline:
        try:
            trial.victim.send(damage(story.random, story.random.choice(seeds)))
            sent += 1
        except Exception:  # the session ended; the next one comes by itself
            time.sleep(0.05)
    story.expect(sent == DAMAGED, f"only {sent} damaged updates could be sent in time")
    trial.harmless(f"{sent} damaged updates")
    trial.begin("the end of damaged updates")
    story.step(f"{sent} updates damaged at random: the sender had {trial.victim.sessions - sessions} more sessions, the "
               "others the one they had")


def floods(story, trial):
    trial.begin("the flood")
    path = trial.victim.attributes(path=tuple([VICTIM_AS, *range(1, 200)]), communities=frozenset(
        f"{VICTIM_AS}:{one}" for one in range(500)), large=frozenset(f"{VICTIM_AS}:{one}:1" for one in range(40)))
    began = time.monotonic()
    for number in range(2000):  # each with attributes of its own
        attributes = bgp.Attributes(**{**vars(path), "med": number})
        trial.victim.send(bgp.announce([f"10.{130 + number // 250}.{number % 250}.0/24"], attributes))
    story.expect(story.eventually(lambda: len(trial.watched()) >= 2000, 90), "the flood does not arrive")
    trial.harmless("2,000 large attributes")
    story.step(f"2,000 routes with attributes of 3,300 octets each, all different, passed on in "
               f"{time.monotonic() - began:.1f} s")
    began = time.monotonic()
    for number in range(FLAPS // 2):
        trial.victim.send(bgp.withdraw([TRIED]) + bgp.announce([TRIED], trial.victim.attributes(med=number)))
    trial.victim.send(bgp.announce([TRIED], trial.victim.attributes(communities=frozenset({f"{VICTIM_AS}:77"}))))
    story.expect(story.eventually(lambda: TRIED in trial.watched() and f"{VICTIM_AS}:77" in
                                  trial.watched()[TRIED].communities, 90), "the end of the flaps does not arrive")
    trial.harmless(f"{FLAPS} flaps")
    story.step(f"{FLAPS} flaps of a route: the last state is passed on after {time.monotonic() - began:.1f} s")


def come_back(story, trial):
    """A session ends and comes back at once, with the same routes: others have them in the end (bgp_lines.cpp)."""
    prefixes = {f"10.114.{number}.0/24" for number in range(40)} | {GOOD}
    trial.victim.on_session = bgp.announce(sorted(prefixes), trial.victim.attributes())
    for round_ in range(ROUNDS):
        sessions = trial.victim.sessions
        trial.victim.close()
        story.expect(story.eventually(lambda: trial.victim.sessions > sessions, 30), "the session does not come back")
        arrived = story.eventually(lambda: prefixes <= trial.watched().keys(), 15)
        lost = sorted(prefixes - trial.watched().keys())
        story.expect(arrived, f"round {round_}: {len(lost)} routes that came back were never sent: {lost[:5]}")
    story.step(f"{ROUNDS} times a session with {len(prefixes)} routes ended and came back: others have all of them")


def scenario(story):
    with Network(story) as network:
        story.configure("r1", [f"set protocols bgp group g{asn} neighbor {address} peer-as {asn}"
                               for address, asn in ((VICTIM, VICTIM_AS), (OTHER, OTHER_AS), (WATCHER, WATCHER_AS))])
        trial = Trial(story, network)
        trial.withdrawn(WITHDRAWN)
        story.step(f"{len(WITHDRAWN)} malformed attributes withdrew their route and nothing else")
        trial.kept(KEPT)
        story.step(f"{len(KEPT)} unusual updates were taken without what is wrong with them")
        for what, (message, wanted) in ENDS.items():
            trial.ends(what, message, wanted)
        story.step(f"{len(ENDS)} unreadable messages ended the session of who sent them")
        damaged(story, trial)
        come_back(story, trial)
        floods(story, trial)
        story.expect(network.r1.answers(), "configd does not answer")
