# SPDX-License-Identifier: GPL-2.0-or-later
"""The accelerated dataplane by its statements: it forwards, its death is not felt, and it goes without a trace."""
import json
import signal
import subprocess
import time

TARGET = "198.51.100.10"


def shown(story, what=""):
    return story.lab["r1"].run("cli", "-c", f"show forwarding dataplane {what}".strip()).stdout


def accelerated(story):
    """Packets that came in on eth0 and did not take the kernel's way."""
    words = [line.split() for line in shown(story, "counters").splitlines()]
    return sum(int(w[2]) for w in words if w[:1] == ["eth0"] and w[1] in ("forwarded", "forwarded-queued"))


def programs(story):
    links = json.loads(story.lab["r1"].run("ip", "-j", "link").stdout)
    return sorted(link["ifname"] for link in links if link.get("xdp"))


def scenario(story):
    r1 = story.lab["r1"]
    story.make_forwarding()
    story.expect("off" in shown(story), "the dataplane is on without its statement")
    story.expect(story.reaches("h1", TARGET), f"{TARGET} does not answer")

    story.step("r1 commits forwarding-options dataplane enable")
    story.configure("r1", ["set forwarding-options dataplane enable"])
    story.expect(story.eventually(lambda: len(programs(story)) == 3, 10), f"programs are on {programs(story)} only")
    ping = story.lab["h1"].spawn("ping", "-q", "-n", "-i", "0.01", TARGET, stdout=subprocess.PIPE, text=True)
    story.expect(story.eventually(lambda: accelerated(story) > 100, 20),
                 f"nothing is accelerated:\n{shown(story, 'interfaces')}{shown(story, 'counters')}")

    story.step("dataplaned is killed; systemd brings it back, and it takes over")
    r1.run("systemctl", "kill", "--signal=KILL", "dataplaned.service")
    time.sleep(0.5)
    story.expect(len(programs(story)) == 3, "the programs went with the daemon")
    story.expect(story.eventually(lambda: accelerated(story) > 100, 20), "the new daemon does not take over")

    story.step("eth0 is left to the kernel, the rest is not")
    story.configure("r1", ["set forwarding-options dataplane interface eth0 mode kernel"])
    story.expect(story.eventually(lambda: programs(story) == ["eth1", "eth2"], 10), f"programs: {programs(story)}")

    story.step("without its statements nothing of it is left")
    story.configure("r1", ["delete forwarding-options"])
    story.expect(story.eventually(lambda: programs(story) == [], 10), f"programs stay: {programs(story)}")
    ping.send_signal(signal.SIGINT)
    said = ping.communicate(timeout=10)[0].split()
    sent, received = int(said[said.index("packets") - 1]), int(said[said.index("received,") - 1])
    # taking programs off veth throws away what its ring holds
    story.expect(sent - received <= 8, f"{sent - received} of {sent} packets were lost")
    story.step(f"{sent} packets meanwhile, {sent - received} lost")
