# SPDX-License-Identifier: GPL-2.0-or-later
"""Topology files (*.topo): which nodes, how they are wired, what they know when they come up.

    # a comment
    host h1                           a bare network namespace with the router root's tools
        address eth0 192.0.2.10/24
        default 192.0.2.1             both families may have one
    router r1                         a whole router; the set lines are its start configuration
        set system host-name r1
    link h1:eth0 r1:eth0              a cable; MAC addresses follow from the file's order

Indentation is for the reader; a statement belongs to the node above it.
"""
import ipaddress
import re
from dataclasses import dataclass, field
from pathlib import Path

from support.run import Failure

FOLDER = Path(__file__).parent / "topologies"
# No dash: a dash separates the lab's name from the node's in everything we create.
NAME = re.compile(r"[a-z][a-z0-9]{0,11}")
INTERFACE = re.compile(r"eth[0-9]{1,2}")


@dataclass
class Node:
    name: str
    kind: str  # "router" or "host"
    number: int
    set_lines: list[str] = field(default_factory=list)
    addresses: list[tuple[str, str]] = field(default_factory=list)  # (interface, prefix)
    defaults: list[str] = field(default_factory=list)
    interfaces: list[str] = field(default_factory=list)

    def mac(self, interface):
        """Locally administered; the same in every run, so that captures can be compared."""
        return f"02:00:00:00:{self.number:02x}:{int(interface[3:]):02x}"


@dataclass
class Topology:
    name: str
    text: str
    nodes: dict[str, Node] = field(default_factory=dict)
    links: list[tuple[str, str, str, str]] = field(default_factory=list)  # node, if, node, if

    def of_kind(self, kind):
        return [node for node in self.nodes.values() if node.kind == kind]

    def node(self, name):
        if name not in self.nodes:
            raise Failure(f"no node '{name}' in topology '{self.name}', "
                          f"expected one of: {' '.join(self.nodes)}")
        return self.nodes[name]


def find(name):
    """A topology by its name in the folder, or by the path of a file."""
    path = Path(name) if name.endswith(".topo") else FOLDER / f"{name}.topo"
    if not path.exists():
        known = " ".join(sorted(p.stem for p in FOLDER.glob("*.topo")))
        raise Failure(f"no topology '{name}' ({path}), expected a .topo file or one of: {known}")
    return parse(path.read_text(), path.stem, str(path))


def parse(text, name, where="topology"):
    topology = Topology(name, text)
    node = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#", 1)[0].split() if not line.strip().startswith("set ") else line.split()
        if not words:
            continue
        try:
            node = _statement(topology, node, words, line.strip())
        except (ValueError, IndexError) as wrong:
            raise Failure(f"{where}:{number}: '{line.strip()}': {wrong}") from None
    return topology


def _statement(topology, node, words, line):
    match words:
        case [("router" | "host") as kind, name]:
            if not NAME.fullmatch(name) or name in topology.nodes:
                raise ValueError(f"'{name}' is taken, or no name: expected up to 12 letters and digits")
            node = topology.nodes[name] = Node(name, kind, len(topology.nodes) + 1)
        case ["link", one, other]:
            topology.links.append((*_end(topology, one), *_end(topology, other)))
            node = None
        case ["set", *_] if node and node.kind == "router":
            node.set_lines.append(line)
        case ["address", interface, prefix] if node and node.kind == "host":
            node.addresses.append((interface, str(ipaddress.ip_interface(prefix))))
        case ["default", gateway] if node and node.kind == "host":
            node.defaults.append(str(ipaddress.ip_address(gateway)))
        case _:
            raise ValueError("expected router, host, link; set below a router; address or default below a host")
    return node


def _end(topology, text):
    name, _, interface = text.partition(":")
    if name not in topology.nodes or not INTERFACE.fullmatch(interface):
        raise ValueError(f"'{text}': expected NODE:ethN with a node named above")
    node = topology.nodes[name]
    if interface in node.interfaces:
        raise ValueError(f"'{text}' has a cable already")
    node.interfaces.append(interface)
    return name, interface
