# SPDX-License-Identifier: GPL-2.0-or-later
"""What a scenario is told with: steps that print as a document, expectations, and the usual acts."""
import random
import time

from support.run import Failure

from . import walkthrough


class Skip(Exception):
    """A scenario's need is not there; the message says which."""


class Story:
    """One scenario's run on one lab. Everything random comes from .random, seeded and printed."""

    def __init__(self, lab, seed):
        self.lab = lab
        self.random = random.Random(seed)
        self._began = time.monotonic()

    def step(self, text):
        print(f"  {time.monotonic() - self._began:6.1f} s  {text}", flush=True)

    def expect(self, true, message):
        if not true:
            raise Failure(message)

    def expect_equal(self, found, wanted, what):
        """found and wanted: lists of lines; the message shows only what differs."""
        if found != wanted:
            lines = [f"    - {line}" for line in wanted if line not in found]
            lines += [f"    + {line}" for line in found if line not in wanted]
            raise Failure(f"{what} differs (- expected, + found), {len(lines)} lines:\n"
                          + "\n".join(lines[:40] or ["    the order only"]))

    def configure(self, name, lines, last="commit"):
        """One session in a router's CLI that must succeed as a whole; returns what it printed."""
        done = self.lab[name].cli("\n".join(["configure", *lines, last, "exit"]), check=False)
        self.expect(done.returncode == 0, f"{name}: exit status {done.returncode} for {len(lines)} lines\n"
                    f"{_tail(done.stdout)}")
        return done.stdout

    def refused(self, name, lines, last="commit"):
        """The opposite: the session must fail; what is left in the candidate is thrown away."""
        done = self.lab[name].cli("\n".join(["configure", *lines, last, "exit"]), check=False, timeout=180)
        self.expect(done.returncode == 1, f"{name}: expected exit status 1 for a commit that cannot succeed, found "
                    f"{done.returncode}\n{_tail(done.stdout)}")
        self.expect("commit complete" not in done.stdout, f"{name}: said commit complete\n{_tail(done.stdout)}")
        self.discard(name)
        return done.stdout

    def discard(self, name):
        """Throws the candidate away."""
        self.lab[name].cli("configure\nrollback 0\nexit")

    def running(self, name):
        """The committed configuration as set lines."""
        said = self.lab[name].run("cli", "-c", "show configuration | display set").stdout
        return [line for line in said.splitlines() if line.startswith(("set ", "deactivate "))]

    def revisions(self, name):
        """show system commit, a line a revision, the newest first; a comment's line is left out."""
        said = self.lab[name].run("cli", "-c", "show system commit").stdout
        return [line for line in said.splitlines() if line[:1].isdigit()]

    def reset(self, name="r1"):
        """Back to what the topology gave the router."""
        self.discard(name)
        wanted = self.lab[name].node.set_lines
        running = self.running(name)
        if sorted(running) == sorted(wanted):
            return
        tops = dict.fromkeys(line.split()[1] for line in running)
        self.configure(name, [*(f"delete {top}" for top in tops), *wanted])

    def make_forwarding(self):
        """r1 with what the first-steps page configures; returns the set lines."""
        self.reset()
        lines = first_steps()
        self.configure("r1", lines)
        return lines

    def eventually(self, question, seconds=30):
        """Whether question() is true at some time within the seconds; what it raises as Failure is a no."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if question():
                    return True
            except Failure:
                pass
            if time.monotonic() > deadline:
                return False
            time.sleep(0.2)

    def reaches(self, host, address, *arguments, seconds=30):
        """Whether a ping gets through within some seconds: neighbours and FRR take a moment."""
        return self.eventually(lambda: self.lab[host].run("ping", "-q", "-n", "-c", "1", "-W", "1", *arguments,
                                                          address, check=False).returncode == 0, seconds)


def first_steps():
    """The set lines of docs/guide/first-steps.md: what a newcomer configures on r1."""
    for block in walkthrough.blocks(walkthrough.GUIDE / "first-steps.md"):
        lines = [line.strip() for line in block.lines if line.strip().startswith("set ")]
        if block.words == ["cli", "r1"] and lines:
            return lines
    raise Failure("docs/guide/first-steps.md: found no ```cli r1 block with set lines")


def _tail(text, lines=25):
    return "\n".join(f"    | {line}" for line in text.rstrip().splitlines()[-lines:])
