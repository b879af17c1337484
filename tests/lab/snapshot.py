# SPDX-License-Identifier: GPL-2.0-or-later
"""All state of a router that its configuration decides, as sorted lines that can be compared.

Left out is what time or the kernel decides: counters, ages, timers and interface indexes. Everything
else stays, above all what nobody thought of.
"""
import json
import re
import time

from support.run import Failure

VOLATILE = {"ifindex", "link_index", "link_netnsid", "iif_index", "stats", "stats64", "valid_life_time",
            "preferred_life_time", "expires", "age", "hello_timer", "tcn_timer", "topology_change_timer", "gc_timer",
            "handle", "packets", "bytes", "metainfo",
            "nhid", "id"}  # zebra numbers next hops in the order of their appearance
COMMANDS = {
    "link": ["ip", "-j", "-d", "link", "show"],
    "address": ["ip", "-j", "-d", "address", "show"],
    "route4": ["ip", "-j", "-d", "-4", "route", "show", "table", "all"],
    "route6": ["ip", "-j", "-d", "-6", "route", "show", "table", "all"],
    "rule4": ["ip", "-j", "-d", "-4", "rule", "show"],
    "rule6": ["ip", "-j", "-d", "-6", "rule", "show"],
    "nft": ["nft", "-j", "list", "ruleset"],
}
# Owner, mode and content of every file below /etc. frr's own .sav copies are not read by anything. A file
# that is being replaced may go between being found and being read: the next look tells.
FILES = r"""cd /etc && find . -xdev ! -name '*.sav' -printf 'file %p %M %u:%g %l\n'
find . -xdev -type f ! -name '*.sav' -print0 | xargs -0 sha256sum 2>&1 | sed 's/^/file /'"""
SYSCTL = r"""sysctl -a 2>/dev/null --pattern '^net\.' | grep -vE 'conntrack_count|stable_secret|\.neigh\.default\.'"""
# What ran once and ended belongs to the boot, not to the configuration.
SERVICES = "systemctl list-units --type=service --state=running,failed --no-legend --plain | awk '{ print $1, $3, $4 }'"
# Started by asking for them, they leave by themselves.
PASSING = re.compile(r"^service (systemd-(hostnamed|timedated|localed|tmpfiles-clean)|dpkg-db-backup|logrotate|"
                     r"apt-daily|man-db)")


def take(router):
    """Takes the state of a router; it costs half a second."""
    lines = []
    for name, argv in COMMANDS.items():
        said = router.run(*argv).stdout
        found = json.loads(said or "[]")
        lines += [f"{name} {line}" for line in _flat(found["nftables"] if name == "nft" else found)]
    frr = router.run("vtysh", "-c", "show running-config").stdout
    # Each daemon keeps the host name that it found when it started, and shows it; nothing depends on it.
    lines += [f"frr {line}" for line in frr.splitlines()[3:]
              if line.strip() not in ("", "!") and not line.startswith("hostname ")]
    lines += router.run("sh", "-c", FILES).stdout.splitlines()
    lines += [f"sysctl {line}" for line in router.run("sh", "-c", SYSCTL).stdout.splitlines()]
    lines += [line for unit in router.run("sh", "-c", SERVICES).stdout.splitlines()
              if not PASSING.match(line := f"service {unit}")]
    lines.append(f"hostname {router.run('hostname').stdout.strip()}")
    return sorted(lines)


def settled(router, seconds=45):
    """The state once it stays: duplicate address detection and zebra take a moment after a commit.

    What cannot be read at one time, because a link goes while it is listed or a daemon restarts, is no
    state yet. The seconds are many for a machine that does much else; they pass only when all is lost.
    """
    deadline = time.monotonic() + seconds
    before = now = why = None
    while now is None or now != before or any('"tentative"' in line and '"LOWER_UP"' in line for line in now):
        if time.monotonic() > deadline:
            moving = sorted(set(before or []) ^ set(now or []))[:20]
            raise Failure(f"{router.name}: its state does not settle within {seconds} s\n"
                          + "\n".join(f"    {line}" for line in [*moving, *([str(why)] if why else [])]))
        if before is not None or now is not None:
            time.sleep(0.3)
        before = now
        try:
            now, why = take(router), None
        except Failure as failure:
            now, why = None, failure
            time.sleep(0.3)
    return now


def _flat(objects):
    """One line an object, its keys sorted, volatile ones gone."""
    return [json.dumps(kept, sort_keys=True) for kept in map(_kept, objects) if kept]


def _kept(value):
    if isinstance(value, dict):
        kept = {key: _kept(each) for key, each in value.items() if key not in VOLATILE}
        if kept.get("qdisc") == "noop":  # a port that was never up; the kernel attaches its default when it is
            kept["qdisc"] = "noqueue"
        return kept
    if isinstance(value, list):
        return [_kept(each) for each in value]
    return value
