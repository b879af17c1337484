# SPDX-License-Identifier: GPL-2.0-or-later
"""Import and export policies are swapped under churn: no neighbour ever receives a route that no policy let through.

Each policy is a generation: it lets some classes of routes pass and writes its number on them, as a community.
Whatever a neighbour ever receives must carry exactly one number of an import and one of an export policy, and
both must let the route's class pass. The class of routes that no policy lets pass must never be seen.
"""
import os
import threading
import time

from ..bgp_network import Network

FEED, WATCHED, OPEN = "192.0.2.50", "203.0.113.60", "10.0.41.70"
FEED_AS, WATCHED_AS, OPEN_AS = 65050, 65060, 65070
ROUTES = 300
SWAPS = 100 if os.environ.get("MILLRACE_RELEASE") else 24
CLASSES = 4  # 0 is the one that must never be seen


def prefix(number):
    return f"10.{100 + number // 250}.{number % 250}.0/24"


def class_of(text):
    _, high, low, _ = text.split(".")
    return ((int(high) - 100) * 250 + int(low)) % CLASSES


class Churn:
    """Announces and withdraws until it is told to stop."""

    def __init__(self, feed, random):
        self.feed, self.random = feed, random
        self.updates = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def announce(self, numbers, med):
        for one in range(CLASSES):
            chosen = [prefix(number) for number in numbers if number % CLASSES == one]
            if chosen:
                self.feed.announce(chosen, self.feed.attributes(med=med, communities=frozenset({f"{FEED_AS}:{one}"})))
                self.updates += 1

    def _run(self):
        while not self._stop.is_set():
            some = self.random.sample(range(ROUTES), 30)
            self.announce(some, self.random.randrange(1000))
            gone = [prefix(number) for number in self.random.sample(range(ROUTES), 10)]
            self.feed.withdraw(gone)
            self.updates += 1
            time.sleep(0.03)

    def stop(self):
        self._stop.set()
        self._thread.join()


class Swaps:
    """The generations, and the set lines that make them."""

    def __init__(self, random):
        self.random = random
        self.passes = {}  # number of a generation: the classes that it lets pass
        self.current = {}

    def policy(self, name, number):
        classes = self.random.sample(range(1, CLASSES), self.random.randint(1, CLASSES - 1))
        self.passes[number] = set(classes)
        base = f"set policy-options policy-statement {name}"
        lines = [f"set policy-options community number-{number} members 65001:{number}"]
        if self.random.random() < 0.5:  # by community, or by prefix
            lines += [f"{base} term some from community [ {' '.join(f'class-{one}' for one in classes)} ]"]
        else:
            filters = [f"{base} term some from route-filter {prefix(number)} exact"
                       for number in range(ROUTES) if number % CLASSES in classes]
            lines += filters
        return lines + [f"{base} term some then community add number-{number}", f"{base} term some then accept",
                        f"{base} term others then reject"]

    def start(self):
        lines = [f"set policy-options community class-{one} members {FEED_AS}:{one}" for one in range(CLASSES)]
        for direction, number in (("import", 1000), ("export", 2000)):
            self.current[direction] = f"{direction}-{number}"
            lines += self.policy(self.current[direction], number)
            lines += [f"set protocols bgp group {self.group(direction)} {direction} {self.current[direction]}"]
        return lines

    @staticmethod
    def group(direction):
        return "feed" if direction == "import" else "watched"

    def next(self, direction, number):
        """The lines of a swap, of a random kind."""
        old, group = self.current[direction], self.group(direction)
        place = f"protocols bgp group {group}"
        neighbor = f"{place} neighbor {FEED if group == 'feed' else WATCHED}"
        kind = self.random.choice(("in place", "another", "at the neighbor", "two"))
        if kind == "in place":
            return kind, [f"delete policy-options policy-statement {old}", *self.policy(old, number)]
        new = self.current[direction] = f"{direction}-{number}"
        lines = self.policy(new, number)
        if kind == "at the neighbor":
            return kind, [*lines, f"delete {place} {direction}", f"delete {neighbor} {direction}",
                          f"set {neighbor} {direction} {new}", f"delete policy-options policy-statement {old}"]
        chain = [new]
        if kind == "two":  # the first of the chain decides nothing
            lines += [f"set policy-options policy-statement silent-{number} then next policy"]
            chain = [f"silent-{number}", new]
        return kind, [*lines, f"delete {neighbor} {direction}", f"delete {place} {direction}",
                      *(f"set {place} {direction} {name}" for name in chain),
                      f"delete policy-options policy-statement {old}"]


def judge(story, swaps, who, routes, exported):
    """Every route that was ever received carries the numbers of policies that let it pass."""
    for text, attributes in routes:
        numbers = sorted(int(one.split(":")[1]) for one in attributes.communities if one.startswith("65001:"))
        wanted = 2 if exported else 1
        fine = (len(numbers) == wanted and 1000 <= numbers[0] < 2000 and (not exported or numbers[1] >= 2000)
                and all(class_of(text) in swaps.passes[number] for number in numbers))
        story.expect(fine, f"{who} received {text} of class {class_of(text)} with {attributes}; the policies of "
                     f"those numbers pass {[swaps.passes.get(number) for number in numbers]}")


def expected(swaps, last, exported):
    """The routes that have to be there in the end."""
    passed = swaps.passes[last["import"]] & (swaps.passes[last["export"]] if exported else set(range(CLASSES)))
    return {prefix(number) for number in range(ROUTES) if number % CLASSES in passed}


def scenario(story):
    with Network(story) as network:
        swaps = Swaps(story.random)
        story.configure("r1", [*swaps.start(),
                               f"set protocols bgp group feed neighbor {FEED} peer-as {FEED_AS}",
                               f"set protocols bgp group watched neighbor {WATCHED} peer-as {WATCHED_AS}",
                               f"set protocols bgp group open neighbor {OPEN} peer-as {OPEN_AS}"])
        feed = network.speaker(FEED, FEED_AS)
        watched, unfiltered = network.speaker(WATCHED, WATCHED_AS), network.speaker(OPEN, OPEN_AS)
        story.expect(story.eventually(lambda: feed.up and watched.up and unfiltered.up, 60), "the sessions do not come up")
        churn = Churn(feed, story.random)
        last, kinds = {"import": 1000, "export": 2000}, {}
        try:
            for number in range(1, SWAPS + 1):
                direction = story.random.choice(("import", "export"))
                last[direction] = (1000 if direction == "import" else 2000) + number
                kind, lines = swaps.next(direction, last[direction])
                story.configure("r1", lines)
                kinds[kind] = kinds.get(kind, 0) + 1
        finally:
            churn.stop()
        for speaker in (feed, watched, unfiltered):
            story.expect(speaker.sessions == 1, f"the session with {speaker.local} did not stay")
        seen, open_seen = watched.ever(), unfiltered.ever()
        judge(story, swaps, "the neighbor with an export policy", seen, True)
        judge(story, swaps, "the neighbor without one", open_seen, False)
        story.step(f"{SWAPS} swaps ({', '.join(f'{count} {kind}' for kind, count in sorted(kinds.items()))}) under "
                   f"{churn.updates} updates; {len(seen)} and {len(open_seen)} routes received, none that it should not")
        churn.announce(range(ROUTES), 7)
        for speaker, exported in ((watched, True), (unfiltered, False)):
            wanted = expected(swaps, last, exported)
            story.expect(story.eventually(lambda: set(speaker.routes()) == wanted, 30),
                         f"{speaker.local} has {len(speaker.routes())} routes in the end, expected {len(wanted)}")
        numbers = {f"65001:{number}" for number in last.values()}
        story.expect(story.eventually(lambda: all(
            numbers == {one for one in each.communities if one.startswith("65001:")}
            for each in watched.routes().values())), "routes of older policies are still there")
        judge(story, swaps, "the neighbor with an export policy", watched.ever(), True)
        maps = [line for line in network.configuration() if line.startswith("route-map ")]
        story.expect(len(maps) < 40, f"policies of old generations are left in FRR: {len(maps)} entries")
        story.step(f"the last policies hold: {len(watched.routes())} and {len(unfiltered.routes())} routes")
