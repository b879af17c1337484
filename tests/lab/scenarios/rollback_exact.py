# SPDX-License-Identifier: GPL-2.0-or-later
"""rollback 1, commit leaves kernel, nftables, FRR, files and services exactly as they were."""
from .. import snapshot
from ..story import first_steps

MORE = """
set system host-name elsewhere
set system ntp server 10.0.12.2
set interfaces eth0 mtu 1400
set interfaces eth0 description "changed"
set interfaces eth0 unit 0 family inet address 192.0.2.129/25
set interfaces eth1 unit 0 family inet6 address 2001:db8:12:1::1/64
set interfaces eth2 disable
set interfaces lo0 unit 0 family inet address 10.255.0.1/32
set interfaces lo0 unit 0 family inet6 address 2001:db8:ff::1/128
set routing-options static route 203.0.113.0/24 next-hop 10.0.12.2
set routing-options static route 203.0.113.128/25 discard
delete routing-options static route 198.51.100.0/24
set routing-options rib inet6.0 static route 2001:db8:9::/48 next-hop 2001:db8:12::2
""".strip().splitlines()


def there_and_back(story, what, lines):
    r1 = story.lab["r1"]
    before, running = snapshot.settled(r1), story.running("r1")
    story.step(f"{what}: {len(lines)} statements committed, {len(before)} lines of state before")
    story.configure("r1", lines)
    during = snapshot.settled(r1)
    changed = set(before) ^ set(during)
    story.expect(len(changed) >= len(lines), f"{len(lines)} statements changed only {len(changed)} lines of state: "
                 "this comparison would not notice a loss")
    story.step(f"{what}: {len(changed)} lines changed; rollback 1, commit")
    story.configure("r1", ["rollback 1"])
    story.expect_equal(story.running("r1"), running, "the configuration")
    story.expect_equal(snapshot.settled(r1), before, "the state after rollback 1")


def scenario(story):
    story.reset()
    there_and_back(story, "from a router that knows its name only", first_steps())
    story.make_forwarding()
    there_and_back(story, "from a router that forwards", MORE)
    story.step("both ways were exact")
