# SPDX-License-Identifier: GPL-2.0-or-later
"""2,000 set lines piped into `lab cli r1` commit as one transaction."""
import json
import time

from support import roots
from support.run import run

COUNT = 2000
WANTED = {f"10.{128 + i // 250}.{i % 250}.0/24" for i in range(COUNT)}


def lines():
    return [f"set routing-options static route {prefix} next-hop 10.0.12.2" for prefix in sorted(WANTED)]


def kernel_routes(story):
    routes = json.loads(story.lab["r1"].run("ip", "-j", "route", "show").stdout or "[]")
    return sum(route["dst"] in WANTED for route in routes)


def scenario(story):
    story.make_forwarding()
    before = story.revisions("r1")
    script = "\n".join(["configure", *lines(), "commit", "exit"]) + "\n"
    story.step(f"{COUNT} set lines into: lab cli r1")
    began = time.monotonic()
    done = run([roots.CHECKOUT / "tests/lab/lab", "--lab", story.lab.name, "cli", "r1"], stdin=script, check=False,
               timeout=180)
    took = time.monotonic() - began
    story.expect(done.returncode == 0, f"exit status {done.returncode}\n{done.stdout[-2000:]}")
    story.expect(done.stdout.count("commit complete") == 1, f"expected one commit complete\n{done.stdout[-2000:]}")
    after = story.revisions("r1")
    story.expect(len(after) == min(len(before) + 1, 50), f"expected one revision more than {len(before)}, found "
                 f"{len(after)}")
    story.step(f"one revision, {took:.1f} s from the first line to the end of the session")
    story.expect(story.eventually(lambda: kernel_routes(story) == COUNT), f"expected {COUNT} routes in the kernel, found {kernel_routes(story)}")
    story.step(f"all {COUNT} routes are in the kernel")
    story.configure("r1", ["rollback 1"])
    story.expect(story.eventually(lambda: kernel_routes(story) == 0), f"{kernel_routes(story)} routes are left after rollback 1")
    story.step("rollback 1, commit: none is left")
