# SPDX-License-Identifier: GPL-2.0-or-later
"""kill -9 of configd during commits, and of the whole router after one: the old or the new state, exactly.

Both states are first reached by undisturbed commits and recorded. Then configd is killed at random
moments of the same commit. Whatever comes back must be all of one of them: configuration and system
alike, and the new one when the client was told `commit complete`. The router says which in the
remarks of `show system commit`.
"""
import os
import subprocess
import time

from support.run import Failure

from .. import snapshot

ROUNDS = 12 if os.environ.get("MILLRACE_RELEASE") else 5
CHANGE = """
set system host-name trial
set interfaces eth0 mtu 1400
set interfaces eth0 unit 0 family inet address 192.0.2.129/25
set interfaces lo0 unit 0 family inet address 10.255.0.1/32
set interfaces lo0 unit 0 family inet6 address 2001:db8:ff::1/128
set routing-options rib inet6.0 static route 2001:db8:9::/48 next-hop 2001:db8:12::2
""".strip().splitlines() + [f"set routing-options static route 10.200.{i}.0/24 next-hop 10.0.12.2" for i in range(100)]


class Known:
    """One of the two states, as an undisturbed commit leaves it."""

    def __init__(self, story, name):
        self.name = name
        self.running, self.state = story.running("r1"), snapshot.settled(story.lab["r1"])


def session(story, change=None):
    """The commit of CHANGE, started; its lines are on their way."""
    process = story.lab["r1"].spawn("cli", stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                    text=True)
    process.stdin.write("\n".join(["configure", *(change or CHANGE), "commit", "exit"]) + "\n")
    process.stdin.close()
    return process


def which(story, old, new):
    """The state that the router is in; Failure when it is neither."""
    running = story.running("r1")
    known = next((each for each in (old, new) if each.running == running), None)
    if known is None:
        story.expect_equal(running, old.running, "the configuration is neither the old nor the new one; to the old it")
    state = snapshot.settled(story.lab["r1"])
    story.expect_equal(state, known.state, f"the configuration is the {known.name} one; the system to it")
    return known


def remark(story):
    said = story.lab["r1"].run("cli", "-c", "show system commit").stdout.splitlines()
    return next((line.strip() for line in said if line.startswith("remark:")), None)


def back_to_old(story, old):
    story.discard("r1")
    if story.running("r1") != old.running:
        story.configure("r1", ["rollback 1"])


def kill_configd(story, round_, longest, old, new):
    r1 = story.lab["r1"]
    pid = r1.run("systemctl", "show", "--value", "--property=MainPID", "configd").stdout.strip()
    process = session(story)
    after = story.random.uniform(0, longest)
    time.sleep(after)
    r1.run("kill", "-KILL", pid)
    said = process.stdout.read()
    process.wait()
    r1.wait()
    found = which(story, old, new)
    if "commit complete" in said and found is not new:
        raise Failure("the client was told commit complete, the router came back with the old state")
    story.step(f"round {round_}: configd killed after {after * 1000:.0f} ms, the {found.name} state; "
               f"it says: {remark(story) or 'no commit was interrupted'}")
    back_to_old(story, old)


def kill_router(story, old, new):
    r1 = story.lab["r1"]
    process = session(story)
    for line in process.stdout:
        if "commit complete" in line:
            break
    else:
        raise Failure("the commit did not complete")
    r1.kill()
    process.kill()
    process.wait()
    r1.start()
    r1.wait()
    found = which(story, old, new)
    story.expect(found is new, "the router lost a commit that was complete")
    story.step("the whole router killed right after commit complete: the new state")


def scenario(story):
    r1 = story.lab["r1"]
    story.make_forwarding()
    old = Known(story, "old")
    began = time.monotonic()
    story.expect(session(story).wait() == 0, "the undisturbed commit fails")
    longest = time.monotonic() - began
    new = Known(story, "new")
    story.expect(old.running != new.running and old.state != new.state, "the change changes nothing")
    story.step(f"both states recorded, {len(CHANGE)} lines between them, a session takes {longest * 1000:.0f} ms")
    back_to_old(story, old)
    story.expect(which(story, old, new) is old, "rollback 1 does not lead back")
    for round_ in range(1, ROUNDS + 1):
        kill_configd(story, round_, longest, old, new)
    kill_router(story, old, new)
    back_to_old(story, old)
    story.expect(which(story, old, new) is old, "rollback 1 does not lead back after the restart")
    story.expect(r1.answers(), "configd does not answer at the end")
