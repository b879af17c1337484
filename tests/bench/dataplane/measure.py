#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What forwarding one packet costs: the kernel, xdp-forward of xdp-tools, a program that only redirects, and the
dataplane natively, generically and through queues.

    measure.py --build FOLDER [--routes N…] [--rounds N] [--seconds S] [--settings NAME…] [--destinations KIND…]

Three namespaces, sender - router - receiver, over veth. The sender is an XDP program with live frames; the
receiver counts in XDP. The router receives in a kernel thread (threaded NAPI) with a processor to itself, and the
figure is that thread's CPU time by frames that arrived: what other tenants of the machine take does not count.
They would cost it its caches and its batches, though; so for the seconds of a measurement all three have real-time
priority.
Ways take turns within each round; medians and ranges are shown, and ratios are the point: absolute figures say
little on a shared machine.
"""
import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[2] / "packet")]
sys.dont_write_bytecode = True

from router_test import Bed, Failed, sh  # noqa: E402

HOPS = 200
ROUTER, SENDER, HOP = "02:00:00:00:00:01", "02:00:00:00:02:01", "02:00:00:00:04:00"
SHAPED = ("tcx", "kernel-htb")
SETTINGS = ("kernel", "xdp-forward", "redirect", "native", "generic", "tcx", "kernel-htb")


def prefixes(count, seed):
    """Like the Internet's table: mostly /24, then /22 and /23, some shorter, none longer."""
    chance = random.Random(seed)
    lengths = chance.choices((24, 22, 23, 21, 20, 19, 18, 16, 17, 15, 14), (62, 11, 11, 5, 4, 2.5, 1.5, 1.2, 1, .5, .3), k=2 * count)
    seen = {}
    for length in lengths:
        address = chance.randrange(1 << 24, 223 << 24) & (0xffffffff << (32 - length)) & 0xffffffff
        if address >> 24 not in (10, 127, 198, 192):
            seen.setdefault((address, length))
        if len(seen) == count:
            break
    return list(seen)


def dotted(address):
    return ".".join(str(address >> shift & 255) for shift in (24, 16, 8, 0))


class Router(Bed):
    def __init__(self, build):
        super().__init__(f"{build}/dataplane/dataplaned")
        self.traffic = f"{build}/tests/bench/dataplane/dataplane_traffic"

    def in_net(self, name, *words, **options):
        return subprocess.Popen(["nsenter", f"--net=/run/netns/{self.names[name]}", *map(str, words)],
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, **options)

    def prepare(self, count):
        folder = Path(self.folder.name)
        self.ip("r", "address", "add", "10.20.0.1/16", "dev", "eth1")
        self.ip("r", "-batch", self.write("neighbours", (
            f"neigh replace 10.20.1.{i} lladdr {HOP[:-2]}{i:02x} dev eth1 nud permanent" for i in range(HOPS))))
        table = prefixes(count, 1) if count > 1 else [(20 << 24, 8)]
        began = time.monotonic()
        self.ip("r", "-batch", self.write("routes", (
            f"route add {dotted(a)}/{length} via 10.20.1.{i % HOPS}" for i, (a, length) in enumerate(table))))
        print(f"# {len(table)} routes in the kernel after {time.monotonic() - began:.0f} s", flush=True)
        chance = random.Random(2)
        self.write("destinations", (
            dotted(a | chance.randrange(1 << (32 - length))) for a, length in chance.choices(table, k=1 << 20)))
        self.destinations = folder / "destinations"

    def write(self, name, lines):
        path = Path(self.folder.name, name)
        path.write_text("\n".join(lines) + "\n")
        return path

    def threads(self, device, name):
        self.on(name, "sh", "-c", f"echo 1 > /sys/class/net/{device}/threaded")
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    if (entry / "comm").read_text().startswith(f"napi/{device}-"):
                        found.append(int(entry.name))
                except OSError:
                    pass
        return found

    def cpu(self, pid):
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0])

    def enter(self, setting):
        """Returns what has to be done to leave it."""
        if setting in SHAPED:
            self.on("r", "tc", "qdisc", "replace", "dev", "eth1", "root", "handle", "1:", "htb", "default", "1")
            self.on("r", "tc", "class", "replace", "dev", "eth1", "parent", "1:", "classid", "1:1", "htb", "rate", "40gbit",
                    "burst", "1m", "cburst", "1m")
        if setting == "redirect":
            program = self.in_net("r", self.traffic, "redirect", "eth0", "eth1", HOP, "02:00:00:00:00:02")
            program.stdout.readline()
            other = self.in_net("r", self.traffic, "sink", "eth1")
            other.stdout.readline()
            return lambda: [(p.stdin.close(), p.wait(5)) for p in (program, other)]
        if setting == "xdp-forward":
            self.in_net("r", "xdp-forward", "load", "eth0", "eth1").communicate()
            return lambda: self.in_net("r", "xdp-forward", "unload", "eth0", "eth1").communicate()
        if setting in ("native", "generic", "tcx"):
            lines = [f"interface eth{i} generic" for i in range(2)] if setting == "generic" else []
            self.start("table-size nodes 262144", "table-size entries 8388608", *lines)
            shown = self.interface("eth0")
            if shown["mode"] != ("generic" if setting == "generic" else "native"):
                raise Failed(f"{setting}: {shown}")
            if self.interface("eth1")["tier"] != ("tcx" if setting == "tcx" else "xdp"):
                raise Failed(f"{setting}: {self.interface('eth1')}")
            return self.stop
        return lambda: None

    def measure(self, setting, kinds, length, seconds):
        """Yields each kind of destinations with its figures."""
        leave = self.enter(setting)
        try:
            mine, theirs = self.threads("eth0", "r"), self.threads("s0", "s")
            if len(mine) != 1:
                raise Failed(f"{setting}: expected one NAPI thread of eth0, found {mine}")
            for pid, processor in ((mine[0], 1), *((pid, 0) for pid in theirs)):
                sh("taskset", "-p", "-c", processor, pid)
                sh("chrt", "-f", "-p", "2", pid)  # above the generator, whose processor the receiver shares
            for kind in kinds:
                yield kind, self.measure_one(mine[0], kind, length, seconds)
        finally:
            leave()
            self.on("r", "tc", "qdisc", "del", "dev", "eth1", "root", check=False)

    def measure_one(self, thread, kind, length, seconds):
        count = {"one": 1, "4k": 4096, "random": 1 << 20}[kind]

        def generate(how_long):
            sent, took = (self.in_net("g", "chrt", "-f", "1", "taskset", "-c", "0", self.traffic, "generate", "g0", ROUTER,
                                   SENDER, length, how_long, self.destinations,
                                   "random" if kind == "random" else "turn", count).communicate()[0].split())
            return int(sent), float(took)
        generate(0.1)
        arrived, before = self.sunk(), self.cpu(thread)
        sent, took = generate(seconds)
        time.sleep(0.05)
        spent, arrived = self.cpu(thread) - before, self.sunk() - arrived
        return {"ns": spent / max(arrived, 1), "arrived": arrived, "sent": sent, "share": spent / 1e9 / took,
                "load": os.getloadavg()[0]}

    def sunk(self):
        self.sink.stdin.write("\n")
        self.sink.stdin.flush()
        return int(self.sink.stdout.readline())


def settle(results):
    values = sorted(r["ns"] for r in results)
    return {"ns": statistics.median(values), "low": values[0], "high": values[-1],
            "mpps": 1e3 / statistics.median(values)}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--routes", type=int, nargs="+", default=[1, 10_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--settings", nargs="+", default=list(SETTINGS), choices=SETTINGS)
    parser.add_argument("--destinations", nargs="+", default=["one", "4k", "random"])
    parser.add_argument("--lengths", type=int, nargs="+", default=[60], help="without the frame check sequence")
    options = parser.parse_args()
    report = []
    for routes in options.routes:
        with Router(options.build) as router:
            router.on("r", "ethtool", "-K", "eth0", "gro", "on")
            router.on("r", "ethtool", "-K", "eth1", "gro", "on")
            # names of their own, which the names of NAPI threads then have as well
            for end in "gs":
                router.ip(end, "link", "set", "eth0", "down")
                router.ip(end, "link", "set", "eth0", "name", f"{end}0")
                router.ip(end, "link", "set", f"{end}0", "up")
            router.prepare(routes)
            router.sink = router.in_net("s", router.traffic, "sink", "s0")
            router.sink.stdout.readline()
            kinds = options.destinations if routes > 1 else options.destinations[:1]
            for length in options.lengths:
                found = {}
                for _ in range(options.rounds):
                    for setting in options.settings:
                        for kind, one in router.measure(setting, kinds, length, options.seconds):
                            # what never arrived, or a thread that hardly ran, says nothing
                            if one["arrived"] > 10_000 and one["share"] > 0.3:
                                found.setdefault((setting, kind), []).append(one)
                            else:
                                print(f"# left out: {setting} {kind}: {one}", flush=True)
                for kind in kinds:
                    print(f"\n{routes} routes, {kind} destination{'s' * (kind != 'one')}, {length + 4} bytes\n"
                          f"{'way':<14}{'ns/packet':>10}{'range':>14}{'Mpps/core':>11}{'/kernel':>9}{'/xdp-forward':>14}{'/redirect':>11}")
                    medians = {s: settle(found[s, kind]) for s in options.settings if (s, kind) in found}
                    for setting, figure in medians.items():
                        ratios = [f"{medians[base]['ns'] / figure['ns']:.2f}" if base in medians else "-"
                                  for base in ("kernel-htb" if setting == "tcx" else "kernel", "xdp-forward", "redirect")]
                        print(f"{setting:<14}{figure['ns']:>10.0f}{figure['low']:>8.0f}-{figure['high']:<5.0f}"
                              f"{figure['mpps']:>11.2f}{ratios[0]:>9}{ratios[1]:>14}{ratios[2]:>11}", flush=True)
                        report.append({"routes": routes, "destinations": kind, "length": length, "way": setting, **figure,
                                       "rounds": found[setting, kind]})
            router.sink.stdin.close()
    Path(options.build, "dataplane.json").write_text(json.dumps(report, indent=1))
    print(f"\ntcx is compared with the kernel through the same HTB. Figures: {options.build}/dataplane.json")


if __name__ == "__main__":
    main()
