# SPDX-License-Identifier: GPL-2.0-or-later
"""A lab: its folder under /run, its lock, coming up and going away.

A lab is up when its folder holds lab.json, which is written last. Everything else is swept by name
(kernel.py), so that a lab whose script was killed half way goes away as cleanly as any other.
"""
import concurrent.futures
import fcntl
import json
import os
import shutil
import time
from contextlib import contextmanager
from pathlib import Path

from support.run import Failure

from . import kernel, topology
from .nodes import Host, Router

FOLDER = Path(os.environ.get("MILLRACE_LAB_FOLDER", "/run/millrace-lab"))


class Lab:
    def __init__(self, name):
        if not topology.NAME.fullmatch(name):
            raise Failure(f"'{name}': a lab's name is up to 12 letters and digits, a letter first")
        self.name = name
        self.folder = FOLDER / name
        self.group = kernel.ControlGroup(name)
        self.topology = self.places = self.root = None
        self._began = time.monotonic()

    @contextmanager
    def locked(self):
        """One up, down or test at a time; others wait."""
        FOLDER.mkdir(parents=True, exist_ok=True)
        path = FOLDER / f"{self.name}.lock"
        while True:
            with open(path, "w", encoding="ascii") as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    self.say(f"waiting for another command on lab '{self.name}'")
                    fcntl.flock(lock, fcntl.LOCK_EX)
                if not path.exists() or not os.path.samestat(os.fstat(lock.fileno()), path.stat()):
                    continue  # who had it took the lab down, and the file with it
                try:
                    yield
                finally:
                    if not self.folder.exists():
                        path.unlink()
                return

    def say(self, text):
        print(f"{time.monotonic() - self._began:6.1f} s  {text}", flush=True)

    def record(self):
        try:
            return json.loads((self.folder / "lab.json").read_text())
        except (OSError, ValueError):
            return None

    def open(self):
        """Loads a lab that is up; the nodes can be used then."""
        record = self.record()
        if record is None:
            raise Failure(f"lab '{self.name}' is not up, expected one of: "
                          f"{' '.join(lab.name for lab in known()) or '(none)'}; start it with: mill lab up")
        self._arrange(topology.parse(record["text"], record["topology"]), record["root"])
        return self

    def _arrange(self, topo, root):
        self.topology, self.root = topo, root
        kinds = {"host": Host, "router": Router}
        self.places = {node.name: kinds[node.kind](self.name, node, self.folder / node.name, root, self.group)
                       for node in topo.nodes.values()}

    def __getitem__(self, name):
        self.topology.node(name)
        return self.places[name]

    @property
    def routers(self):
        return [place for place in self.places.values() if isinstance(place, Router)]

    def up(self, topo_name, root, owner=None):
        """Brings the lab up from nothing. owner: a process without which the lab has no reason."""
        self._began = time.monotonic()
        self.down()
        topo = topology.find(topo_name)
        self._arrange(topo, root)
        self.say(f"lab '{self.name}': topology '{topo.name}'")
        for place in self.places.values():
            place.make_folder()
        kernel.wire(self.name, topo)
        self.say(f"{len(topo.links)} links, {len(topo.nodes)} nodes")
        for router in self.routers:
            router.start()
        self.each(self.routers, self._make_ready)
        record = {"topology": topo.name, "text": topo.text, "root": root,
                  "since": time.time(), "owner": [owner, kernel.started_at(owner)] if owner else None}
        (self.folder / "lab.json").write_text(json.dumps(record))
        self.say("ready")
        return self

    def each(self, places, function):
        """function(place) for all at the same time; the first failure is raised when all are done."""
        with concurrent.futures.ThreadPoolExecutor(max(1, len(places))) as pool:
            for future in [pool.submit(function, place) for place in places]:
                future.result()

    def _make_ready(self, router):
        router.wait()
        lines = router.node.set_lines
        if lines:
            router.cli("\n".join(["configure", *lines, "commit", "exit"]))
        self.say(f"{router.name} is up, {len(lines)} set lines committed")

    def down(self):
        """Removes whatever there is of the lab, complete or not. Returns whether there was any."""
        names = kernel.namespaces_of(self.name)
        there = bool(names) or self.folder.exists() or self.group.path.exists()
        self.group.kill()
        for name in names:
            kernel.run(["ip", "netns", "del", name])
        for left in Path("/run/systemd/nspawn/propagate").glob(f"{kernel.PREFIX}{self.name}-*"):
            shutil.rmtree(left, ignore_errors=True)
        # No mount of ours is visible here: they were made in namespaces that went with their processes.
        shutil.rmtree(self.folder, ignore_errors=False) if self.folder.exists() else None
        return there

    def orphaned(self):
        """Whether the process for which the lab was brought up is gone."""
        owner = (self.record() or {}).get("owner")
        return owner is not None and kernel.started_at(owner[0]) != owner[1]


def known():
    """Every lab of which there is a trace."""
    names = set(kernel.labs_with_traces())
    if FOLDER.exists():
        names |= {p.name for p in FOLDER.iterdir() if p.is_dir()}
    return [Lab(name) for name in sorted(names)]
