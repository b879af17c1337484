# SPDX-License-Identifier: GPL-2.0-or-later
"""h1 reaches h2 over both families through what was just configured on r1.

The path is told by the hop limit: h1 - r1 - r2 - h2 needs 3, the way around through r3 needs 4.
"""
TARGETS = {"198.51.100.10": ("198.51.100.0/24", "10.0.12.2", "10.0.13.2", ""),
           "2001:db8:2::10": ("2001:db8:2::/64", "2001:db8:12::2", "2001:db8:13::2", "rib inet6.0 ")}


def scenario(story):
    story.reset()
    for address in TARGETS:
        story.step(f"nothing is configured yet: h1 does not reach {address}")
        story.expect(not story.reaches("h1", address, seconds=0), f"{address} answers before r1 was configured")
    story.step("r1 commits the statements of first-steps.md")
    story.make_forwarding()
    for address in TARGETS:
        story.step(f"h1 reaches {address} with three hops")
        story.expect(story.reaches("h1", address, "-t", "3"), f"{address} does not answer")
    story.step("r1 commits r3 as the next hop of both static routes")
    story.configure("r1", [line for prefix, direct, around, rib in TARGETS.values() for line in (
        f"delete routing-options {rib}static route {prefix} next-hop {direct}",
        f"set routing-options {rib}static route {prefix} next-hop {around}")])
    for address in TARGETS:
        story.step(f"h1 reaches {address} with four hops, no longer with three")
        # In this order: four hops are enough for the old path too, and zebra takes a moment after the commit.
        story.expect(story.eventually(lambda: not story.reaches("h1", address, "-t", "3", seconds=0)),
                     f"the path to {address} did not change")
        story.expect(story.reaches("h1", address, "-t", "4"), f"{address} does not answer by way of r3")
    story.step("rollback 1, commit: three hops again")
    story.configure("r1", ["rollback 1"])
    for address in TARGETS:
        story.expect(story.reaches("h1", address, "-t", "3"), f"{address} does not answer after the rollback")
