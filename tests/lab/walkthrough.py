# SPDX-License-Identifier: GPL-2.0-or-later
"""Pages of docs/guide/ whose examples run: the demonstration and the test are the page itself.

A fenced block says in its info string who runs it:

    ```cli r1        lines for one session of r1's CLI
    ```sh lab        one command a line; `./mill lab` stands for this lab
    ```output        what the block before it must have printed: these lines in this order, blanks
                     do not count, three dots stand for any lines, or for anything in theirs

A block with the word `fails` in its info string must end with a non-zero status.
"""
import re
import shlex
import time
from dataclasses import dataclass

from support import roots
from support.run import Failure, run

GUIDE = roots.CHECKOUT / "docs/guide"
FENCE = re.compile(r"^```(.*)$")


@dataclass
class Block:
    where: str
    words: list[str]
    lines: list[str]

    @property
    def kind(self):
        return self.words[0] if self.words else ""


def blocks(path):
    """The fenced blocks of a page in their order."""
    found, current = [], None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        fence = FENCE.match(line)
        if fence and current is None:
            current = Block(f"{path.name}:{number}", fence[1].split(), [])
        elif fence:
            found.append(current)
            current = None
        elif current is not None:
            current.lines.append(line)
    return found


def runs(block):
    return block.kind == "cli" or block.words[:2] == ["sh", "lab"]


# A reader takes longer from a commit to the next command than zebra does; a program does not.
PATIENCE = 20


def walk(lab, path, show):
    """Runs a page. show(line) is called for everything a reader would see. Returns blocks run."""
    page, count = blocks(path), 0
    for block, following in zip(page, [*page[1:], None]):
        if not runs(block):
            continue
        output = following if following is not None and following.kind == "output" else None
        attempt(lab, block, output, show)
        count += 1
    return count


def attempt(lab, block, output, show):
    """Runs a block until it does what the page says. Only programs are repeated: they look, a CLI changes."""
    deadline = time.monotonic() + (PATIENCE if block.kind == "sh" else 0)
    while True:
        shown = []
        try:
            said = execute(lab, block, shown.append)
            if output is not None:
                expect(output, said)
        except Failure:
            if time.monotonic() < deadline:
                time.sleep(0.5)
                continue
            for line in shown:
                show(line)
            raise
        for line in shown:
            show(line)
        return


def execute(lab, block, show):
    if block.kind == "cli":
        show(f"--- {block.words[1]}, in its CLI:")
        for line in block.lines:
            show(f"    {line}")
        done = lab[block.words[1]].cli("\n".join(block.lines), check=False)
        status, said = done.returncode, done.stdout
        show(said.rstrip())
    else:
        status, said = 0, ""
        for line in filter(str.strip, block.lines):
            show(f"--- {line}")
            done = shell(lab, line)
            status, said = status or done.returncode, said + done.stdout
            show(done.stdout.rstrip())
    wanted = "fails" in block.words
    if (status != 0) != wanted:
        raise Failure(f"{block.where}: exit status {status}, expected "
                      f"{'a failure' if wanted else '0'}\n{said.rstrip()}")
    return said


def shell(lab, line):
    words = shlex.split(line)
    if words[:2] != ["./mill", "lab"]:
        raise Failure(f"'{line}': expected a line that starts with ./mill lab")
    return run([roots.CHECKOUT / "tests/lab/lab", "--lab", lab.name, *words[2:]], check=False)


def expect(block, said):
    rest = [" ".join(line.split()) for line in said.splitlines()]
    for line in block.lines:
        wanted = " ".join(line.split())
        if wanted in ("", "..."):
            continue
        pattern = re.compile(" *.*".join(re.escape(part.strip()) for part in wanted.split("...")))
        at = next((i for i, found in enumerate(rest) if pattern.fullmatch(found)), None)
        if at is None:
            raise Failure(f"{block.where}: the page shows '{wanted}', not found in:\n{said.rstrip()}")
        rest = rest[at + 1:]


def demonstrate(lab):
    walk(lab, GUIDE / "first-steps.md", lambda line: print(line, flush=True))
