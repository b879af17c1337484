# SPDX-License-Identifier: GPL-2.0-or-later
"""Network namespaces, cables and control groups: everything of a lab that the kernel holds.

All of it is named mrl-LAB… and found again by that name, so that nothing has to be remembered: what
a crash leaves behind is listed by the kernel itself. Each process of a lab lives below the control
group mrl-LAB, whose cgroup.kill ends all of them and nobody else.
"""
import os
import time
from pathlib import Path

from support.run import Failure, run

PREFIX = "mrl-"
NAMESPACES = Path("/run/netns")


def cgroup_mount():
    """Where version 2 of the control groups is mounted."""
    for line in Path("/proc/self/mountinfo").read_text().splitlines():
        mount, _, rest = line.partition(" - ")
        if rest.split()[0] == "cgroup2":
            return Path(mount.split()[4])
    raise Failure("no cgroup2 mount: the lab's routers run systemd and need control groups version 2")


def started_at(pid):
    """When a process started, in clock ticks since the boot: pid and this name it for good."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])
    except (OSError, IndexError):
        return None


class ControlGroup:
    """The control group of one lab; a node's processes are in a child of it."""

    def __init__(self, lab):
        self.path = cgroup_mount() / f"{PREFIX}{lab}"

    def node(self, name):
        return self.path / name

    def make(self, name):
        """A fresh place for a process to enter by writing its number into the returned file."""
        path = self.path / name
        path.mkdir(parents=True, exist_ok=True)
        return path / "cgroup.procs"

    def leader(self, node):
        """The process number of a router's systemd, or None while there is none."""
        for part in ("payload/init.scope", "payload"):
            try:
                pids = (self.path / node / part / "cgroup.procs").read_text().split()
            except OSError:
                continue
            # the oldest one: systemd's children pass through, and numbers begin again at the end of their range
            ages = {began: int(pid) for pid in pids if (began := started_at(pid)) is not None}
            if ages:
                return ages[min(ages)]
        return None

    def kill(self, node=""):
        """SIGKILL to every process below, then removes the groups. Nothing there is success."""
        path = self.path / node
        if not path.exists():
            return
        (path / "cgroup.kill").write_text("1")
        groups = [Path(folder) for folder, _, _ in os.walk(path, topdown=False)]
        deadline = time.monotonic() + 10
        for group in groups:
            while group.exists():
                try:
                    group.rmdir()
                except OSError as busy:  # a dying process counts until it is reaped
                    if time.monotonic() > deadline:
                        raise Failure(f"{group}: its processes do not end: {busy}") from None
                    time.sleep(0.02)


def labs_with_traces():
    """The names of all labs of which the kernel holds anything."""
    names = [p.name for p in NAMESPACES.glob(f"{PREFIX}*")]
    names += [p.name for p in cgroup_mount().glob(f"{PREFIX}*")]
    return sorted({name.removeprefix(PREFIX).split("-")[0] for name in names})


def namespace(lab, node):
    return f"{PREFIX}{lab}-{node}"


def namespaces_of(lab):
    return sorted(p.name for p in NAMESPACES.glob(f"{PREFIX}{lab}-*"))


def in_namespace(name, *argv):
    return ["nsenter", f"--net={NAMESPACES / name}", *argv]


def wire(lab, topology):
    """Makes the namespaces, the cables between them and what the hosts know."""
    for node in topology.nodes.values():
        run(["ip", "netns", "add", namespace(lab, node.name)])
    for one, one_if, other, other_if in topology.links:
        run(["ip", "-n", namespace(lab, one),
             "link", "add", one_if, "address", topology.nodes[one].mac(one_if), "type", "veth",
             "peer", "name", other_if, "address", topology.nodes[other].mac(other_if),
             "netns", namespace(lab, other)])
    for node in topology.of_kind("host"):
        lines = ["link set dev lo up"]
        lines += [f"link set dev {interface} up" for interface in node.interfaces]
        # nodad: a host that waits for its own address to be free fails the first ping
        lines += [f"address add {prefix} dev {interface}{' nodad' if ':' in prefix else ''}"
                  for interface, prefix in node.addresses]
        lines += [f"route add default via {gateway}" for gateway in node.defaults]
        run(["ip", "-n", namespace(lab, node.name), "-batch", "-"], stdin="\n".join(lines) + "\n")


def replace_namespace(lab, node):
    """What a power cycle does to a router's network: a new namespace with the same cables in it.

    The far ends keep their addresses; they see the carrier go and come back.
    """
    name, spare = namespace(lab, node.name), namespace(lab, f"{node.name}-spare")
    run(["ip", "netns", "add", spare])
    for interface in node.interfaces:
        run(["ip", "-n", name, "link", "set", "dev", interface, "down", "alias", "", "group", "default",
             "mtu", "1500"])
        run(["ip", "-n", name, "link", "set", "dev", interface, "netns", spare])
    run(["ip", "netns", "del", name])
    run(["ip", "netns", "add", name])
    for interface in node.interfaces:
        run(["ip", "-n", spare, "link", "set", "dev", interface, "netns", name])
    run(["ip", "netns", "del", spare])
