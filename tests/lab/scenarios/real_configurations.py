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

BLOCK = re.compile(r"^(?:\S*real\.set|terminal):(\d+):\(\d+\) ", re.M)
REFUSED = re.compile(r"^\[edit (.*)\]\n  '(.*)'\n", re.M)  # the level and the statement of a check's message


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


def commit_rest(story, name):
    """Commits what was loaded. Statements that a check refuses by their path go first; returns how many."""
    said = story.lab["r1"].cli("configure\ncommit\nexit", check=False)
    if said.returncode == 0:
        return 0
    named = REFUSED.findall(said.stdout)
    story.expect(named, f"{name}: the rest does not commit, and no statement is named\n{said.stdout}")
    story.configure("r1", [f"delete {level} {statement}" for level, statement in dict.fromkeys(named)])
    return len(named)


def check_errors(story, name, lines, said):
    """Each refused line is named once, with a position in it and a hint."""
    blocks = BLOCK.split(said)[1:]
    for position, text in zip(blocks[::2], blocks[1::2]):
        number = int(position)
        story.expect(1 <= number <= len(lines), f"{name}: line {number} of {len(lines)}")
        story.expect(len(text.strip().splitlines()) >= 2, f"{name}: line {number}: no hint or context: {text}")
    return len(blocks) // 2


def scenario(story):
    files = sorted(folder().glob("*/*.set"))
    story.expect(files, f"{folder()}: found no */*.set")
    for path in files:
        story.reset()
        name = f"{path.parent.name}/{path.name}"
        lines = [line for line in path.read_text().splitlines() if line.strip()]
        said = load(story, path)
        story.expect("load complete" in said.stdout, f"{name}: no load complete\n{said.stdout[-1500:]}")
        errors = check_errors(story, name, lines, said.stdout)
        story.expect((said.returncode != 0) == (errors > 0), f"{name}: exit status {said.returncode} with {errors} "
                     f"errors\n{said.stdout[-1500:]}")
        checks = commit_rest(story, name)
        taken = len(story.running("r1"))
        story.expect(checks > 0 or taken + errors >= len(lines), f"{name}: {len(lines)} lines, {taken} committed, "
                     f"{errors} refused: the others were dropped without a word")
        story.step(f"{name}: {len(lines)} lines, {errors} refused with line and hint"
                   + (f", {checks} more by a check" if checks else "") + f", {taken} in force")
    story.reset()
