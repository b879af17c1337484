# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the scenarios: every module of this folder, in one lab, one after the other.

A module holds one scenario: a docstring that says what must hold, and `scenario(story)`. It begins by
bringing r1 where it wants it (story.reset), so that each can run alone and after any other.
"""
import importlib
import os
import pkgutil
import secrets
import time

from support import roots
from support.run import Failure

from .. import labs
from ..story import Skip, Story


def modules():
    return {info.name.replace("_", "-"): info.name for info in pkgutil.iter_modules(__path__)}


def run_all(wanted, seed, keep):
    """Returns the exit status; the last line counts."""
    named = [name for name in sorted(modules()) if wanted in name]
    if not named:
        raise Failure(f"no scenario matches '{wanted}', expected a part of one of: {' '.join(sorted(modules()))}")
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    for old in labs.known():  # of runs that were killed
        if old.orphaned():
            with old.locked():
                old.down()
    lab = labs.Lab(f"t{os.getpid()}")
    passed, failed, skipped = 0, 0, 0
    with lab.locked():
        try:
            lab.up("default", roots.router_root(), owner=os.getpid())
            print(f"seed {seed}; the same choices again: tests/lab/lab test --seed {seed} {wanted}".rstrip(), flush=True)
            for name in named:
                result = _run(lab, name, f"{seed} {name}")
                passed, failed, skipped = passed + (result == "passed"), failed + (result == "failed"), \
                    skipped + (result == "skipped")
        finally:
            if keep:
                print(f"the lab stays up: tests/lab/lab --lab {lab.name} cli r1")
            else:
                lab.down()
    print(f"{passed} passed, {failed} failed, {skipped} skipped", flush=True)
    return 1 if failed else 0


def _run(lab, name, seed):
    module = importlib.import_module(f"{__name__}.{modules()[name]}")
    began = time.monotonic()
    print(f"\n{name}: {module.__doc__.strip().splitlines()[0]}", flush=True)
    try:
        module.scenario(Story(lab, seed))
        result = "passed"
    except Skip as reason:
        result = "skipped"
        print(f"  {reason}")
    except Failure as failure:
        result = "failed"
        print(f"  FAILED: {failure}")
        for router in lab.routers:
            if not _alive(router):
                print(f"  {router.name} does not answer:\n{router.why()}")
    print(f"{name}: {result}, {time.monotonic() - began:.1f} s", flush=True)
    return result


def _alive(router):
    try:
        return router.answers()
    except Failure:
        return False
