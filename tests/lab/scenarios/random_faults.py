# SPDX-License-Identifier: GPL-2.0-or-later
"""A random fault of the real world during a commit: the old or the new state, exactly, and then it goes through.

Two faults a run, chosen by the seed, each at a random moment of the same commit: a daemon dies or hangs,
the disk is full, somebody works by hand on what is being configured. When the fault is over the router
is all of the old or all of the new configuration, and the new one when the client was told `commit
complete`; then the same commit succeeds. All of them with MILLRACE_RELEASE=1.
"""
import os
import time

from support.run import Failure

from .. import snapshot
from . import kill

CHANGE = [*kill.CHANGE, "set system ntp server 10.0.12.2"]
STATE = "/var/lib/millrace"


# Each fault is a generator: it strikes up to its yield and is over when it ends.

def killed(daemon):
    def fault(story):
        r1 = story.lab["r1"]
        struck = r1.run("pkill", "-KILL", "-x", daemon, check=False).returncode == 0
        yield struck
    return f"{daemon} is killed", fault


def hanging(daemon):
    def fault(story):
        r1 = story.lab["r1"]
        r1.run("pkill", "-STOP", "-x", daemon)
        try:
            time.sleep(story.random.uniform(0.5, 4))
        finally:
            r1.run("pkill", "-CONT", "-x", daemon)
        yield True
    return f"{daemon} hangs for some seconds", fault


def full_disk(story):
    r1 = story.lab["r1"]
    room = story.random.randrange(12)  # kilobytes that are left
    r1.run("sh", "-c", f"head -c {room}k /dev/zero >{STATE}/room; cat /dev/zero >{STATE}/filler; rm {STATE}/room",
           check=False)
    yield True
    r1.run("rm", "-f", f"{STATE}/filler")


def taken_address(story):
    r1 = story.lab["r1"]
    taken = r1.run("ip", "address", "add", "10.255.0.1/32", "dev", "lo", check=False).returncode == 0
    yield taken
    if taken:
        r1.run("ip", "address", "delete", "10.255.0.1/32", "dev", "lo")


def pulled_link(story):
    r1 = story.lab["r1"]
    r1.run("ip", "link", "set", "dev", "eth2", "down")
    yield True
    r1.run("ip", "link", "set", "dev", "eth2", "up")


def renamed_link(story):
    r1 = story.lab["r1"]
    r1.run("ip", "link", "set", "dev", "eth2", "down")
    r1.run("ip", "link", "set", "dev", "eth2", "name", "eth9")
    yield True
    r1.run("ip", "link", "set", "dev", "eth9", "down")
    r1.run("ip", "link", "set", "dev", "eth9", "name", "eth2")
    r1.run("ip", "link", "set", "dev", "eth2", "up")


FAULTS = dict([killed("configd"), killed("mgmtd"), killed("staticd"), killed("zebra"), killed("chronyd"),
               hanging("configd"), hanging("mgmtd"), hanging("staticd"), hanging("zebra"),
               ("the disk of the revision log is full", full_disk),
               ("somebody takes an address that is being configured", taken_address),
               ("somebody takes an interface down and up", pulled_link),
               ("somebody renames an interface and back", renamed_link)])


def small_disk(story, on):
    """The log on a disk of its own of 256 KB, or back where it was."""
    r1 = story.lab["r1"]
    copy = f"cp -a {STATE}/. /tmp/state"
    back = f"cp -a /tmp/state/. {STATE} && rm -rf /tmp/state"
    mount = f"mount -t tmpfs -o size=256k,mode=700 tmpfs {STATE}" if on else f"umount {STATE} && rm -rf {STATE}/log-* {STATE}/snapshot-*"
    r1.run("sh", "-c", f"systemctl stop configd && mkdir /tmp/state && {copy} && {mount} && {back} && systemctl start configd")
    r1.wait()


def settled_in(story, known):
    """Whether the router comes to a state. Whoever worked by hand tells it to look at everything."""
    def there():
        if story.lab["r1"].cli("configure\ncommit full\nexit", check=False).returncode != 0:
            return False
        return snapshot.settled(story.lab["r1"]) == known.state
    if not story.eventually(there, 60):
        story.expect_equal(snapshot.settled(story.lab["r1"]), known.state, f"the state after the fault; to the {known.name} one it")


def which(story, old, new):
    if not story.eventually(story.lab["r1"].answers, 180):
        raise Failure(f"r1 does not answer after the fault\n{story.lab['r1'].why()}")
    story.discard("r1")
    running = story.running("r1")
    known = next((each for each in (old, new) if each.running == running), None)
    if known is None:
        story.expect_equal(running, old.running, "the configuration is neither the old nor the new one; to the old it")
    settled_in(story, known)
    return known


def back_to_old(story, old, new):
    """Not by `rollback 1`: the commit that finds work after a fault by hand is a revision, and equals the last."""
    story.discard("r1")
    story.configure("r1", ["rollback rescue"])
    story.expect(which(story, old, new) is old, "rollback rescue does not lead back")


def commit_under(story, name, longest, old, new):
    process = kill.session(story, CHANGE)
    after = story.random.uniform(0, longest)
    time.sleep(after)
    story.step(f"{name}, {after * 1000:.0f} ms after the beginning")
    fault = FAULTS[name](story)
    struck = next(fault)
    said = process.stdout.read()
    process.wait()
    for _ in fault:
        pass
    found = which(story, old, new)
    complete = "commit complete" in said
    if complete and found is not new:
        raise Failure("the client was told commit complete, the router has the old state")
    story.step(f"{'' if struck else 'not possible at that moment; '}{'complete' if complete else 'not complete'}, "
               f"the {found.name} state")
    if found is old:
        story.configure("r1", CHANGE)
        story.expect(which(story, old, new) is new, "the same commit does not lead to the new state after the fault")
    back_to_old(story, old, new)


def scenario(story):
    story.make_forwarding()
    old = kill.Known(story, "old")
    story.lab["r1"].cli("request system configuration rescue save")
    began = time.monotonic()
    story.configure("r1", CHANGE)
    longest = time.monotonic() - began
    new = kill.Known(story, "new")
    back_to_old(story, old, new)
    names = sorted(FAULTS)
    story.random.shuffle(names)
    only = os.environ.get("MILLRACE_FAULT")
    names = [name for name in names if only in name] if only else names
    story.step(f"both states recorded, {len(CHANGE)} lines between them, a session takes {longest * 1000:.0f} ms")
    for name in names if only or os.environ.get("MILLRACE_RELEASE") else names[:2]:
        disk = FAULTS[name] is full_disk
        if disk:
            small_disk(story, True)
        try:
            commit_under(story, name, longest, old, new)
        finally:
            if disk:
                small_disk(story, False)
