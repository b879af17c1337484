# SPDX-License-Identifier: GPL-2.0-or-later
"""Where things are: the checkout, the front door, the router root."""
import os
from pathlib import Path

from .run import Failure, run

CHECKOUT = Path(__file__).resolve().parents[2]
MILL = CHECKOUT / "mill"


def router_root():
    """The router root's folder. MILLRACE_ROUTER_ROOT names another one; else image/root knows."""
    named = os.environ.get("MILLRACE_ROUTER_ROOT")
    if named:
        root = Path(named)
    else:
        said = run([CHECKOUT / "image/root", "router"], timeout=3600).stdout.split("\n")
        root = Path([line for line in said if line][-1])
    if not (root / "usr/lib/systemd/systemd").exists():
        raise Failure(f"{root}: expected the router root, found no systemd in it")
    return root
