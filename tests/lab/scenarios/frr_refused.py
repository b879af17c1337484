# SPDX-License-Identifier: GPL-2.0-or-later
"""A commit whose FRR part is refused, or not answered, changes nothing.

Two faults that no check of the configuration can foresee: somebody holds the lock of FRR's
configuration in vtysh, so that every line is refused; and FRR's daemons hang. The change has parts in
the kernel, files and the host name as well, and none of them may stay. When the hanging daemon goes
on, it must not carry out late what was given up.
"""
import subprocess
import time

from .. import snapshot

CHANGE = """
set system host-name refused
set interfaces eth0 mtu 1400
set interfaces eth0 unit 0 family inet address 192.0.2.129/25
set interfaces lo0 unit 0 family inet address 10.255.0.1/32
set routing-options static route 203.0.113.0/24 next-hop 10.0.12.2
set routing-options rib inet6.0 static route 2001:db8:9::/48 next-hop 2001:db8:12::2
""".strip().splitlines()


class Before:
    def __init__(self, story):
        self.story = story
        self.state, self.running, self.revisions = self._take()

    def _take(self):
        return snapshot.settled(self.story.lab["r1"]), self.story.running("r1"), self.story.revisions("r1")

    def unchanged(self, what):
        # revisions first: a transaction that was made and taken back would show there
        state, running, revisions = self._take()
        self.story.expect_equal(revisions, self.revisions, f"{what}: show system commit")
        self.story.expect_equal(running, self.running, f"{what}: the configuration")
        self.story.expect_equal(state, self.state, f"{what}: the state")


def locked(story, before):
    story.step("somebody holds the lock of FRR's configuration; the commit must fail")
    holder = story.lab["r1"].spawn("vtysh", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
    try:
        # The answer to the second line comes when the first has been carried out.
        holder.stdin.write("configure terminal file-lock\ndo show version\n")
        holder.stdin.flush()
        story.expect(any("FRRouting" in line for line in holder.stdout), "vtysh ended before it had the lock")
        said = story.refused("r1", CHANGE)
    finally:
        holder.stdin.close()
        holder.wait()
    story.step(f"refused: {reason(said)}")
    before.unchanged("after the refusal")


def stopped(story, before, daemon):
    story.step(f"{daemon} hangs; the commit must fail")
    r1 = story.lab["r1"]
    r1.run("pkill", "-STOP", "-x", daemon)
    try:
        said = story.refused("r1", CHANGE)
        story.step(f"refused: {reason(said)}")
    finally:
        r1.run("pkill", "-CONT", "-x", daemon)
    time.sleep(2)  # for it to do what it must not do
    before.unchanged(f"after {daemon} went on")


def reason(said):
    return next((line.strip() for line in said.splitlines() if "error" in line or "FRR" in line), "(no reason given)")


def scenario(story):
    story.make_forwarding()
    before = Before(story)
    locked(story, before)
    stopped(story, before, "mgmtd")
    story.step("without the fault the same statements commit")
    story.configure("r1", CHANGE)
    story.configure("r1", ["rollback 1"])
    story.expect_equal(snapshot.settled(story.lab["r1"]), before.state, "the state after rollback 1")
