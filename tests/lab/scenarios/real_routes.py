# SPDX-License-Identifier: GPL-2.0-or-later
"""Networks of real routers: each of ours computes the routes that the real one did, differences explained.

The folder of real configurations (real_configurations.py) says how the routers are wired (topology.json) and
what each of them computed (DEVICE.routes.json): prefix, protocol, next hop, AS path, local preference, MED.
"""
import ipaddress
import json
import re
import tempfile
from pathlib import Path

from support.run import Failure

from ..labs import Lab
from .real_configurations import check_errors, folder, load

# What a case shows that this release does not do, by the statement that makes the difference.
NEEDS_VRFS = "routing-instances"
PORT = re.compile(r"^set interfaces (eth\d+) ", re.M)


def topology(case, texts):
    """A topology file for the lab: devices as r1, r2, …, wired as topology.json says. Ports that are configured
    and have no link there end at a host, so that they are up."""
    names = {device: f"r{number}" for number, device in enumerate(texts, 1)}
    lines = []
    for name in names.values():
        lines += [f"router {name}", f"    set system host-name {name}"]
    lines.append("host h1")
    ends = [((names[a], a_port), (names[b], b_port))
            for (a, a_port), (b, b_port) in (link["ends"] for link in
                                             json.loads((case / "topology.json").read_text())["links"])]
    wired = {end for link in ends for end in link}
    free = sorted({(names[device], port) for device, text in texts.items() for port in PORT.findall(text)} - wired)
    ends += [(end, ("h1", f"eth{number}")) for number, end in enumerate(free)]
    lines += [f"link {a}:{a_port} {b}:{b_port}" for (a, a_port), (b, b_port) in ends]
    return "\n".join(lines) + "\n", names


def of_real_router(path):
    """The active routes of a device as they are compared: without its own addresses and its management."""
    routes = {}
    for route in json.loads(path.read_text()):
        prefix = ipaddress.ip_network(route["prefix"])
        if not route["active"] or route["table"] not in ("inet.0", "inet6.0"):
            continue
        if route["protocol"] not in ("Direct", "Static", "BGP"):
            continue
        if prefix.is_link_local or prefix.is_multicast:
            continue
        hops = sorted(hop["to"] or hop["via"] for hop in route.get("next-hops", []) if hop["to"] or hop["via"])
        routes[route["prefix"]] = (route["protocol"], hops, route.get("as-path", "").removesuffix(" I"),
                                   route.get("local-preference", ""), route.get("med", ""))
    return routes


def of_ours(router):
    """The same of one of our routers, by what FRR has."""
    routes = {}
    for family in ("ip", "ipv6"):
        table = json.loads(router.run("vtysh", "-c", f"show {family} route json").stdout)
        bgp = json.loads(router.run("vtysh", "-c", f"show bgp {'ipv4' if family == 'ip' else 'ipv6'} unicast json",
                                    check=False).stdout or "{}")
        for prefix, candidates in table.items():
            for route in candidates:
                kind = {"connected": "Direct", "static": "Static", "bgp": "BGP"}.get(route["protocol"])
                network = ipaddress.ip_network(prefix)
                if not route.get("selected") or kind is None or network.is_link_local:
                    continue
                # resolved hops; blackholes have none
                hops = sorted(hop.get("ip") or logical(hop.get("interfaceName")) for hop in route["nexthops"]
                              if hop.get("fib") and (hop.get("ip") or hop.get("interfaceName")) and not hop.get("blackhole"))
                path = next((one for one in bgp.get("routes", {}).get(prefix, []) if one.get("bestpath")), None) \
                    if kind == "BGP" else None
                routes[prefix] = (kind, hops, path["path"] if path else "",
                                  str(path.get("locPrf", "")) if path else "",
                                  str(path.get("metric", "")) if path else "")
    return routes


def logical(device):
    if device is None:
        return None
    return "lo0.0" if device == "lo" else f"{device}.0"


def explained(ours, real, case):
    """Why two entries may differ, or None when they must not."""
    if ours and real and ours[:4] == real[:4] and (ours[4], real[4]) == ("0", ""):
        return "FRR gives redistributed routes a MED of 0 where Junos sends none: the same in every comparison"
    if real and not ours and real[0] == "BGP" and case.alone:
        return "it came from a neighbor that is not in the case"
    if ours and not real and ours[0] == "Static" and "resolution" in case.refused:
        return "next hops are resolved without the policy of routing-options resolution, which is refused"
    return None


def compare(story, name, ours, real, case):
    notes = {}
    wrong = []
    for prefix in sorted(set(ours) | set(real)):
        a, b = ours.get(prefix), real.get(prefix)
        if a == b:
            continue
        why = explained(a, b, case)
        if why:
            notes.setdefault(why, []).append(prefix)
        else:
            wrong.append(f"{prefix}: ours {a}, real {b}")
    story.expect(not wrong, f"{name}: " + "; ".join(wrong))
    return notes


class Case:
    def __init__(self, path):
        self.path, self.name = path, path.name
        self.devices = json.loads((path / "topology.json").read_text())["devices"]
        self.texts = {device: (path / f"{device}.set").read_text() for device in self.devices}
        self.alone = len(self.devices) == 1
        self.refused = set()  # statements of routing-options that our routers refused

    def run(self, story):
        if any(NEEDS_VRFS in text for text in self.texts.values()):
            story.step(f"{self.name}: needs routing instances, which are not in this release")
            return
        text, names = topology(self.path, self.texts)
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(scratch, f"{self.name}.topo")
            path.write_text(text)
            lab = Lab(f"{story.lab.name[:6]}real")
            with lab.locked():
                try:
                    lab.up(str(path), story.lab.root)
                    self.check(story, lab, names)
                finally:
                    lab.down()

    def check(self, story, lab, names):
        for device, name in names.items():
            said = load_into(lab[name], self.path / f"{device}.set")
            lines = self.texts[device].splitlines()
            errors = check_errors(story, device, lines, said)
            self.refused |= set(re.findall(r"^    'set routing-options (\S+)", said, re.M))
            done = lab[name].cli("configure\ncommit\nexit", check=False)
            story.expect(done.returncode == 0, f"{device}: {done.stdout[-1500:]}")
            story.step(f"{self.name}/{device}: {len(lines)} lines, {errors} refused")
        for device, name in names.items():
            real = of_real_router(self.path / f"{device}.routes.json")
            ours = {}

            def same(name=name, real=real, ours=ours):
                ours.clear()
                ours.update(of_ours(lab[name]))
                return ours.keys() == real.keys()
            story.eventually(same, 5 if self.alone else 30)
            notes = compare(story, f"{self.name}/{device}", ours, real, self)
            story.step(f"{self.name}/{device}: {len(real)} active routes as on the real router"
                       + "".join(f"; but for {' '.join(prefixes)}: {why}" for why, prefixes in notes.items()))


def load_into(router, path):
    router.run("sh", "-c", "cat >/root/real.set", stdin=path.read_text())
    return router.cli("configure\nload set /root/real.set\nexit", check=False).stdout


def scenario(story):
    failures = []
    for case in sorted(path.parent for path in folder().glob("*/topology.json")):
        try:
            Case(case).run(story)
        except Failure as failure:
            story.step(f"FAILED {failure}")
            failures.append(case.name)
    story.expect(not failures, f"routes differ: {' '.join(failures)}")
