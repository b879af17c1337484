# SPDX-License-Identifier: GPL-2.0-or-later
"""Real configurations load: what is not known is refused line by line with a hint, the rest commits.

They belong to others and are read where they lie: in ../shared/real/*/*.set beside the checkout, or in
the folder that MILLRACE_REAL names.
"""
import os
import re
from pathlib import Path

from support import roots

from ..story import Skip

POSITION = re.compile(r"^(?:\S+:)?(\d+):\(?(\d+)\)?:? ")


def folder():
    named = os.environ.get("MILLRACE_REAL")
    candidates = [Path(named)] if named else [roots.CHECKOUT.parent / "shared/real", roots.CHECKOUT / "../shared/real"]
    found = next((path for path in candidates if path.is_dir()), None)
    if found is None:
        raise Skip(f"no real configurations in {candidates[0]}; MILLRACE_REAL names another folder")
    return found


def load(story, path):
    """Loads one file into r1's candidate; returns what the CLI said."""
    r1 = story.lab["r1"]
    target = "/root/real.set"
    r1.run("sh", "-c", f"cat >{target}", stdin=path.read_text())
    return r1.cli(f"configure\nload set {target}\nexit", check=False)


def scenario(story):
    files = sorted(folder().glob("*/*.set"))
    story.expect(files, f"{folder()}: found no */*.set")
    for path in files:
        story.reset()
        name = f"{path.parent.name}/{path.name}"
        lines = [line for line in path.read_text().splitlines() if line.strip()]
        said = load(story, path)
        errors = [line for line in said.stdout.splitlines() if POSITION.match(line)]
        story.expect("load complete" in said.stdout, f"{name}: no load complete\n{said.stdout[-1500:]}")
        story.expect((said.returncode != 0) == bool(errors), f"{name}: exit status {said.returncode} with "
                     f"{len(errors)} errors\n{said.stdout[-1500:]}")
        for error in errors:
            number = int(POSITION.match(error)[1])
            story.expect(1 <= number <= len(lines), f"{name}: line {number} of {len(lines)}: {error}")
        story.configure("r1", [])
        taken = len(story.running("r1"))
        story.expect(taken + len(errors) >= len(lines), f"{name}: {len(lines)} lines, {taken} committed, {len(errors)} "
                     "refused: the others were dropped without a word")
        story.step(f"{name}: {len(lines)} lines, {len(errors)} refused, {taken} in force")
    story.reset()
