# SPDX-License-Identifier: GPL-2.0-or-later
"""A lab whose `up` is killed at any moment goes away without a trace, and its neighbour lives on."""
import os
import subprocess
import time
from pathlib import Path

from support import roots
from support.run import run

from .. import kernel, labs

LAB = roots.CHECKOUT / "tests/lab/lab"
ROUNDS = 3


def processes_of(name):
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if any(word.endswith(f"/{name}") or f"{kernel.PREFIX}{name}-" in word for word in words):
            found.append(f"{folder.name} {' '.join(words)}")
    return found


def children_of(parent):
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(stat.parent.name))
    return found


def traces(name):
    left = [name] if name in kernel.labs_with_traces() else []
    left += [str(path) for path in (labs.FOLDER / name, kernel.cgroup_mount() / f"{kernel.PREFIX}{name}")
             if path.exists()]
    left += [str(path) for path in Path("/run/systemd/nspawn").glob(f"*/{kernel.PREFIX}{name}-*")]
    return left + processes_of(name)


class Other:
    """The lab that suffers, reached as a user reaches it."""

    def __init__(self, story):
        self.story, self.name = story, f"c{os.getpid()}"
        # the same root as the lab beside it, whatever image/root would make of the checkout by now
        self.environment = {**os.environ, "MILLRACE_ROUTER_ROOT": story.lab.root, "MILLRACE_LAB_OVER": ""}

    def command(self, *words):
        return run([LAB, "--lab", self.name, *words], env=self.environment)

    def killed_up(self, after):
        up = subprocess.Popen([LAB, "--lab", self.name, "up", "pair"], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=self.environment)
        time.sleep(after)
        # A program that it was running, such as ip, goes on for some milliseconds without it, and might make
        # what `down` has looked for already. The routers have sessions of their own and stay.
        helpers = children_of(up.pid)
        up.kill()
        up.wait()
        for pid in helpers:
            self.story.eventually(lambda pid=pid: not Path(f"/proc/{pid}").exists() or os.getsid(pid) == pid)

    def gone(self):
        self.command("down")
        self.story.eventually(lambda: not processes_of(self.name))  # what was killed takes a moment to be reaped
        self.story.expect_equal(traces(self.name), [], "what is left of the lab")


def scenario(story):
    other = Other(story)
    try:
        for round_ in range(1, ROUNDS + 1):
            after = story.random.uniform(0.1, 2.5)
            other.killed_up(after)
            count = len(traces(other.name))
            other.gone()
            story.step(f"round {round_}: killed after {after:.1f} s with {count} traces, none after down")
        story.step("a lab comes up in place of one that was killed half way")
        other.killed_up(story.random.uniform(0.3, 1.0))
        other.command("up", "pair")
        done = other.command("exec", "h1", "--", "ping", "-c", "3", "-i", "0.5", "192.0.2.1")
        story.expect(" 0 received" not in done.stdout, done.stdout)
    finally:
        other.gone()
    story.expect(all(router.answers() for router in story.lab.routers), "the other lab was harmed")
