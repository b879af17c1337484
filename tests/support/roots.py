# SPDX-License-Identifier: GPL-2.0-or-later
"""Where things are: the checkout, the cache, the router root."""
import os
import subprocess
from pathlib import Path

from .run import Failure

CHECKOUT = Path(__file__).resolve().parents[2]
CACHE = Path(os.environ.get("MILLRACE_CACHE", "/var/cache/millrace"))


def router_root():
    """The router root as overlayfs wants its lowerdir=: "DIR[:DIR…]", topmost first.

    image/root makes it when it is not there yet, and shows its progress meanwhile. Another root can be
    named in MILLRACE_ROUTER_ROOT, and MILLRACE_LAB_OVER lays a folder over it: programs just built.
    """
    layers = os.environ.get("MILLRACE_ROUTER_ROOT")
    if not layers:
        made = subprocess.run([CHECKOUT / "image/root", "router"], stdout=subprocess.PIPE, text=True,
                              check=False)
        if made.returncode != 0:
            raise Failure("there is no router root; what image/root says is above")
        layers = made.stdout.strip()
    over = os.environ.get("MILLRACE_LAB_OVER")
    layers = f"{over}:{layers}" if over else layers
    if not any((Path(layer) / "usr/lib/systemd/systemd").exists() for layer in layers.split(":")):
        raise Failure(f"{layers}: expected the layers of the router root, found no systemd in them")
    return layers


def clients_root():
    """The layers of the root with programs of others (image/packages/clients.list), made when they are not there yet."""
    layers = os.environ.get("MILLRACE_CLIENTS_ROOT")
    if layers:
        return layers
    made = subprocess.run([CHECKOUT / "image/root", "clients"], stdout=subprocess.PIPE, text=True, check=False)
    if made.returncode != 0:
        raise Failure("there is no root with the clients; what image/root says is above")
    return made.stdout.strip()
