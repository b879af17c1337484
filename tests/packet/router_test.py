#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""dataplaned between namespaces, beside the kernel's own forwarding.

    router_test.py --daemon DATAPLANED --vectors PACKET_VECTORS SCENARIO…

Namespaces g (sender), r (the router, devices eth0 and eth1) and s (receiver) are this test's own and go with it.
Exit status 77: not root.
"""
import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

ETH_P_ALL = 3


class Failed(Exception):
    pass


def sh(*words, check=True, **options):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, **options)
    if check and done.returncode != 0:
        raise Failed(f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done.stdout


class Bed:
    """The namespaces, and the daemon in r."""

    def __init__(self, daemon):
        self.daemon, self.process = daemon, None
        self.folder = tempfile.TemporaryDirectory()
        self.names = {n: f"dataplane-{os.getpid()}-{n}" for n in "grs"}
        self.bpf = f"/sys/fs/bpf/{self.names['r']}"
        if subprocess.run(["mountpoint", "-q", "/sys/fs/bpf"]).returncode != 0:
            sh("mount", "-t", "bpf", "bpf", "/sys/fs/bpf")

    def __enter__(self):
        try:
            self.build()
        except Failed:
            self.__exit__()
            raise
        return self

    def build(self):
        for name in self.names.values():
            sh("ip", "netns", "add", name)
            sh("ip", "-n", name, "link", "set", "lo", "up")
        for index, end in enumerate("gs"):
            self.ip("r", "link", "add", f"eth{index}", "address", f"02:00:00:00:00:0{index + 1}", "type", "veth",
                    "peer", "name", "eth0", "netns", self.names[end])
            self.ip(end, "link", "set", "eth0", "address", f"02:00:00:00:02:0{index + 1}")
        self.on("r", "sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv6.conf.all.forwarding=1",
                "net.ipv6.conf.eth0.accept_dad=0", "net.ipv6.conf.eth1.accept_dad=0")
        for name in "gr":  # so that frames can come in that are too big to leave
            self.ip(name, "link", "set", "eth0", "mtu", "2000")
        self.on("s", "ethtool", "-K", "eth0", "gro", "on")
        self.on("g", "ethtool", "-K", "eth0", "gro", "on")
        for name, device in (("g", "eth0"), ("s", "eth0"), ("r", "eth0"), ("r", "eth1")):
            self.on(name, "sysctl", "-qw", f"net.ipv6.conf.{device}.accept_dad=0")
            self.ip(name, "link", "set", device, "up")
        for family, addresses in (("-4", ("198.51.100.1/24", "10.5.0.1/24")),
                                  ("-6", ("2001:db8:ff::1/64", "2001:db8:5::1/64"))):
            for device, address in zip(("eth0", "eth1"), addresses):
                self.ip("r", family, "address", "add", address, "dev", device)
        self.ip("r", "address", "add", "192.0.2.1/32", "dev", "lo")
        self.ip("r", "address", "add", "2001:db8::1/128", "dev", "lo")
        for to, mac in (("10.5.0.9", "09"), ("2001:db8:5::9", "09"), ("10.5.0.200", "01"), ("2001:db8:5::200", "01"),
                        ("10.5.0.207", "07")):
            self.ip("r", "neigh", "add", to, "lladdr", f"02:00:00:00:01:{mac}", "dev", "eth1", "nud", "permanent")
        for to, mac in (("198.51.100.7", "02:00:00:00:02:01"), ("2001:db8:ff::7", "02:00:00:00:02:01")):
            self.ip("r", "neigh", "add", to, "lladdr", mac, "dev", "eth0", "nud", "permanent")
        self.ip("r", "route", "add", "10.1.0.0/24", "via", "10.5.0.200")
        self.ip("r", "-6", "route", "add", "2001:db8:1::/48", "via", "2001:db8:5::200")
        self.ip("r", "route", "add", "blackhole", "10.6.0.0/24")
        self.ip("r", "route", "add", "unreachable", "10.7.0.0/24")
        self.ip("r", "route", "add", "10.10.0.0/24", "via", "10.5.0.207", "mtu", "1400")

    def __exit__(self, *_):
        self.stop()
        for name in self.names.values():
            for pid in sh("ip", "netns", "pids", name, check=False).split():
                os.kill(int(pid), signal.SIGKILL)
            sh("ip", "netns", "del", name, check=False)

    def on(self, name, *words, **options):
        return sh("ip", "netns", "exec", self.names[name], *words, **options)

    def ip(self, name, *words):
        return sh("ip", "-n", self.names[name], *words)

    def start(self, *lines):
        file = Path(self.folder.name, "dataplane.conf")
        file.write_text("\n".join(("enable", *lines)) + "\n")
        # nsenter keeps this mount namespace, where the pins are; `ip netns exec` would hide them in its own
        self.process = subprocess.Popen(
            ["nsenter", f"--net=/run/netns/{self.names['r']}", self.daemon, "--configuration", file,
             "--socket", f"{self.folder.name}/control", "--pins", self.bpf], stderr=subprocess.PIPE, text=True)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise Failed(f"dataplaned ended: {self.process.stderr.read()}")
            try:
                shown = self.ask("show")
                if shown.get("interfaces"):
                    return shown
            except OSError:
                pass
            time.sleep(0.05)
        raise Failed("dataplaned did not answer in 10 s")

    def ask(self, request):
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(f"{self.folder.name}/control")
            client.sendall(json.dumps({"request": request}).encode())
            client.shutdown(socket.SHUT_WR)
            return json.loads(b"".join(iter(lambda: client.recv(65536), b"")))

    def interface(self, name):
        return next(i for i in self.ask("show")["interfaces"] if i["name"] == name)

    def counted(self, name, reason):
        return self.interface(name)["counters"].get(reason, {}).get("packets", 0)

    def stop(self, how=signal.SIGTERM):
        if self.process:
            self.process.send_signal(how)
            self.process.wait(10)
            self.process.stderr.close()
            self.process = None

    def packet_socket(self, name):
        """A raw socket in a namespace: sockets stay where they were made."""
        made = []

        def make():
            with open(f"/run/netns/{self.names[name]}") as namespace:
                os.setns(namespace.fileno(), os.CLONE_NEWNET)
            made.append(socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL)))
            made[0].bind(("eth0", 0))
        thread = threading.Thread(target=make)
        thread.start()
        thread.join()
        made[0].settimeout(0.2)
        return made[0]


def want(condition, what):
    if not condition:
        raise Failed(what)


def pass_through(bed, frames):
    """What arrives at s for each frame that g sends: frames from the router that carry forwarded packets."""
    out, back = bed.packet_socket("g"), bed.packet_socket("s")
    results = []
    for frame in frames:
        out.send(frame)
        arrived, until = [], time.monotonic() + 0.03  # a moment, not a silence: other traffic may never pause
        try:
            while (left := until - time.monotonic()) > 0:
                back.settimeout(left)
                data, address = back.recvfrom(65536)
                # not what s itself sends, nor the router's own questions for neighbours and groups
                if address[2] == socket.PACKET_OUTGOING or data[12:14] == b"\x08\x06" or data[0] & 1:
                    continue
                if data[12:14] == b"\x86\xdd" and data[20] == 58 and data[54] >= 130:
                    continue
                # Ethernet's padding is no part of the packet: the kernel cuts it off, the fast path keeps it
                arrived.append(data[:14 + int.from_bytes(data[16:18], "big")] if data[12:14] == b"\x08\0" else data)
                until = min(until, time.monotonic() + 0.005)
        except TimeoutError:
            pass
        results.append(arrived)
    out.close()
    back.close()
    return results


def scenario_vectors(bed, tools):
    vectors = [line.split(" ", 4) for line in sh(tools.vectors).splitlines()]
    # untagged ones: what the test world has beyond this bed makes no difference to them. Not the unfinished
    # ones, which a raw socket cannot send as hardware's work.
    vectors = [v for v in vectors if v[2][24:28] not in ("8100", "88a8") and "unfinished" not in v[4]
               and not v[4].startswith(("to a VLAN", "to QinQ"))]
    frames = [bytes.fromhex(v[2]) for v in vectors]
    kernel = pass_through(bed, frames)
    wrong = []
    for setting, lines, prepare in (("native", (), None), ("generic", ("interface eth0 generic", "interface eth1 generic"), None),
                                    ("tcx", (), "htb")):
        if prepare == "htb":
            bed.on("r", "tc", "qdisc", "add", "dev", "eth1", "root", "handle", "1:", "htb", "default", "1")
            bed.on("r", "tc", "class", "add", "dev", "eth1", "parent", "1:", "classid", "1:1", "htb", "rate", "10gbit")
        bed.start(*lines)
        mode = bed.interface("eth0")
        want(mode["mode"] == ("generic" if setting == "generic" else "native"), f"{setting}: eth0 is {mode}")
        want(bed.interface("eth1")["tier"] == ("tcx" if setting == "tcx" else "xdp"), bed.interface("eth1"))
        fast = pass_through(bed, frames)
        for vector, before, after in zip(vectors, kernel, fast):
            if before != after:
                wrong.append(f"{setting}: {vector[4]}: the kernel sent {[f.hex() for f in before]}, "
                             f"now {[f.hex() for f in after]}")
            if vector[0] == "plain" and not (len(after) == 1 and bytes.fromhex(vector[3]).startswith(after[0])):
                wrong.append(f"{setting}: {vector[4]}: expected {vector[3]}, found {[f.hex() for f in after]}")
        plain = sum(v[0] == "plain" for v in vectors)
        counted = bed.counted("eth0", "forwarded-queued" if setting == "tcx" else "forwarded")
        want(counted >= plain, f"{setting}: {counted} of {plain} plain packets were accelerated: {bed.interface('eth0')}")
        bed.stop()
    want(not wrong, "\n".join(wrong))
    print(f"{len(vectors)} frames, of which {plain} accelerated, leave as the kernel sends them")


def make_hosts(bed):
    bed.ip("g", "address", "add", "198.51.100.7/24", "dev", "eth0")
    bed.ip("g", "route", "add", "default", "via", "198.51.100.1")
    bed.ip("s", "address", "add", "10.5.0.8/24", "dev", "eth0")
    bed.ip("s", "route", "add", "default", "via", "10.5.0.1")
    bed.on("g", "ping", "-c", "3", "-i", "0.1", "-w", "5", "10.5.0.8")


class Ping:
    """Echo requests from g to s through r, with numbers; says how many were answered."""

    def __init__(self, bed, interval=0.002):
        make_hosts(bed)
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", bed.names["g"], "ping", "-q", "-i", str(interval), "10.5.0.8"],
            stdout=subprocess.PIPE, text=True)

    def lost(self):
        self.process.send_signal(signal.SIGINT)
        words = self.process.communicate()[0].split()
        sent, received = int(words[words.index("packets") - 1]), int(words[words.index("received,") - 1])
        want(sent > 500, f"only {sent} packets in all that time")
        return sent, sent - received


def scenario_kill_safety(bed, _):
    links = lambda: [json.loads(bed.on("r", "ip", "-j", "-s", "link", "show", "dev", d))[0] for d in ("eth0", "eth1")]
    bed.on("r", "ethtool", "-K", "eth0", "gro", "on")
    bed.start()
    ping = Ping(bed)
    time.sleep(1)
    want(bed.counted("eth0", "forwarded") > 100, f"the fast path does nothing: {bed.interface('eth0')}")
    carrier = [l.get("carrier_changes", l["ifindex"]) for l in links()]
    bed.stop(signal.SIGKILL)
    time.sleep(1)
    for device in ("eth0", "eth1"):
        want("xdp" in bed.ip("r", "link", "show", "dev", device), f"{device} lost its program with the daemon")
    bed.start()
    time.sleep(1)
    want(bed.counted("eth0", "forwarded") > 100, f"a new daemon does not take over: {bed.interface('eth0')}")
    bed.stop(signal.SIGTERM)
    time.sleep(0.5)
    for device in ("eth0", "eth1"):
        want("xdp" not in bed.ip("r", "link", "show", "dev", device), f"{device} keeps a program after a stop")
    want([l.get("carrier_changes", l["ifindex"]) for l in links()] == carrier, "a link flapped")
    sent, lost = ping.lost()
    # the stop takes programs from veth, whose rings then hold a handful of frames that are thrown away
    want(lost <= 8, f"{lost} of {sent} packets were lost")
    print(f"{sent} packets over kill -9, restart and stop: {lost} lost")


def scenario_routes(bed, _):
    """Routes change under traffic: what leaves follows, and what is not touched loses nothing."""
    bed.start()
    ping = Ping(bed, 0.005)
    for number in range(64):
        bed.ip("r", "neigh", "add", f"10.5.0.{100 + number}", "lladdr", f"02:00:00:00:03:{number:02x}", "dev", "eth1",
               "nud", "permanent")
    batch = Path(bed.folder.name, "batch")

    def routes(hop):
        batch.write_text("".join(f"route replace 10.{64 + i // 250}.{i % 250}.0/24 via 10.5.0.{100 + (i + hop) % 64}\n"
                                 for i in range(5000)))
        bed.ip("r", "-batch", batch)

    def check(hop):
        sample = range(0, 5000, 499)
        frames = [udp_frame(f"10.{64 + i // 250}.{i % 250}.9") for i in sample]
        deadline = time.monotonic() + 3
        while True:  # the kernel tells of its routes as fast as they come, and we follow
            results = [[f[5] for f in arrived if f[23] == 17] for arrived in pass_through(bed, frames)]
            expected = [[(i + hop) % 64] for i in sample]
            if results == expected:
                return
            want(time.monotonic() < deadline, f"hops {expected}, packets went to {results}")

    routes(0)
    check(0)
    for hop in range(1, 4):
        routes(hop)
        check(hop)
    bed.process.send_signal(signal.SIGSTOP)  # messages wait while routes change, then all are followed
    routes(9)
    bed.process.send_signal(signal.SIGCONT)
    check(9)
    bed.ip("r", "route", "del", "10.64.0.0/24")
    time.sleep(0.3)
    shown = bed.ask("show")
    want(shown["alarms"] == [], shown["alarms"])
    # a neighbour that gets another address is followed without a route changing
    bed.ip("r", "neigh", "replace", "10.5.0.110", "lladdr", "02:00:00:00:03:77", "dev", "eth1", "nud", "permanent")
    time.sleep(0.3)
    index = next(i for i in range(5000) if (i + 9) % 64 == 10)
    arrived = [f for f in pass_through(bed, [udp_frame(f"10.{64 + index // 250}.{index % 250}.9")])[0] if f[23] == 17]
    want(len(arrived) == 1 and arrived[0][5] == 0x77, f"the old address is used: {[f.hex() for f in arrived]}")
    # the link goes and comes back; the kernel dropped its routes without saying so
    bed.ip("r", "link", "set", "eth1", "down")
    time.sleep(0.5)
    want(bed.ask("show")["routes"]["inet"] < 100, "routes of a link that is down are still there")
    bed.ip("r", "link", "set", "eth1", "up")
    ping.process.kill()
    ping.process.wait()
    print("5000 routes replaced five times, a neighbour and a link changed: each packet by the route of the moment")


def scenario_tcp(bed, _):
    """Real TCP with checksums left to hardware, in each mode.

    A generic program meets what the sender leaves to its hardware to cut, too: more than fits the way out is the
    kernel's, and how much of it there is depends on the speed of the machine. So the sender cuts by itself there.
    """
    make_hosts(bed)
    for name in "gs":
        bed.on(name, "ethtool", "-K", "eth0", "tx-checksum-ip-generic", "on")
    for setting, lines in (("native", ()), ("generic", ("interface eth0 generic", "interface eth1 generic"))):
        if setting == "generic":
            bed.on("g", "ethtool", "-K", "eth0", "tso", "off", "gso", "off")
        bed.start(*lines)
        server = subprocess.Popen(["ip", "netns", "exec", bed.names["s"], "iperf3", "-s", "-1"], stdout=subprocess.DEVNULL)
        time.sleep(0.5)
        report = json.loads(bed.on("g", "iperf3", "-c", "10.5.0.8", "-t", "2", "-J"))
        server.wait(10)
        rate = report["end"]["sum_received"]["bits_per_second"] / 1e9
        counters = bed.interface("eth0")["counters"]
        want(rate > 0.1, f"{setting}: {rate:.3f} Gbit/s; {counters}")
        fast = sum(counters.get(r, {}).get("packets", 0) for r in ("forwarded", "forwarded-queued"))
        want(fast > 500, f"{setting}: hardly anything was accelerated: {counters}")
        print(f"{setting}: TCP at {rate:.2f} Gbit/s, {fast} packets accelerated, "
              f"{counters.get('unfinished', {}).get('packets', 0)} of them by buffer for their checksums")
        bed.stop()


def udp_frame(to, source="198.51.100.7"):
    payload = b"x" * 32
    head = bytearray(bytes.fromhex("4500003c0007000040110000") + socket.inet_aton(source) + socket.inet_aton(to))
    head[2:4] = (20 + 8 + len(payload)).to_bytes(2, "big")
    total = sum(int.from_bytes(head[i:i + 2], "big") for i in range(0, 20, 2))
    total = (total & 0xffff) + (total >> 16)
    head[10:12] = (0xffff - ((total & 0xffff) + (total >> 16))).to_bytes(2, "big")
    udp = (1000).to_bytes(2, "big") + (53).to_bytes(2, "big") + (8 + len(payload)).to_bytes(2, "big") + b"\0\0"
    return bytes.fromhex("020000000001020000000201" + "0800") + bytes(head) + udp + payload


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--vectors", required=True)
    parser.add_argument("scenarios", nargs="+")
    tools = parser.parse_args()
    if os.geteuid() != 0:
        print("needs root")
        return 77
    failed = 0
    for name in tools.scenarios:
        try:
            with Bed(tools.daemon) as bed:
                globals()[f"scenario_{name}"](bed, tools)
        except Failed as failure:
            print(f"FAILED {name}: {failure}")
            failed = 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
