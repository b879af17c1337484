# SPDX-License-Identifier: GPL-2.0-or-later
"""Real configurations as text, pasted at a terminal with `load override terminal`.

What is not known is refused statement by statement, with its place and a hint; the rest is loaded.
"""
import re

from ..terminal import Terminal
from .real_configurations import check_errors, folder

# Statements that hold others, and how many words name one of them: what turns set lines into text.
LEVELS = {"system": 0, "interfaces": 0, "routing-options": 0, "static": 0, "protocols": 0, "bgp": 0, "ospf": 0,
          "policy-options": 0, "policy-statement": 1, "term": 1, "from": 0, "then": 0, "route": 1, "unit": 1,
          "family": 1, "group": 1, "neighbor": 1, "area": 1, "interface": 1, "login": 0, "user": 1, "services": 0}


def words_of(line):
    return re.findall(r'"[^"]*"|\[[^]]*\]|\S+', line)


def as_text(lines):
    """The hierarchy of set lines as nested text."""
    tree = {}
    for line in lines:
        words, level = words_of(line)[1:], tree
        while words:
            keys = 1 if level is tree.get("interfaces") else LEVELS.get(words[0])
            name = " ".join(words[:1 + (keys or 0)]) if level is not tree.get("interfaces") else words[0]
            used = len(words_of(name))
            if keys is None or used == len(words):
                level.setdefault(" ".join(words), None)
                break
            if level.get(name) is None:
                level[name] = {}
            level, words = level[name], words[used:]
    return "".join(written(tree, ""))


def written(tree, indent):
    for name, inside in tree.items():
        if inside is None:
            yield f"{indent}{name};\n"
        else:
            yield f"{indent}{name} {{\n"
            yield from written(inside, indent + "    ")
            yield f"{indent}}}\n"


def paste(story, text):
    """What `load override terminal` says to it, and the candidate afterwards as set lines."""
    terminal = Terminal(story.lab["r1"].cli_argv(), 43, 132)
    terminal.see("> ")
    terminal.type("set cli screen-length 0\n")
    terminal.see("> ")
    terminal.type("configure\n")
    terminal.see("# ")
    terminal.type("load override terminal\n")
    terminal.see("[Type ^D at a new line to end input]")
    terminal.type(text + "\x04")
    said = terminal.see("load complete") + terminal.see("# ")
    terminal.type("show | display set | no-more\n")
    terminal.see("no-more")
    shown = terminal.see("# ")
    terminal.type("rollback 0\n")
    terminal.see("load complete")
    terminal.see("# ")
    terminal.type("exit\n")
    terminal.see("> ")
    terminal.close()
    return said.replace("\r", ""), [line for line in shown.replace("\r", "").splitlines() if line.startswith("set ")]


def scenario(story):
    files = sorted(folder().glob("*/*.set"))
    story.expect(files, f"{folder()}: found no */*.set")
    for path in files:
        story.reset()
        name = f"{path.parent.name}/{path.name}"
        text = as_text(line for line in path.read_text().splitlines() if line.startswith("set "))
        said, shown = paste(story, text)
        lines = text.splitlines()
        # The first one stands behind the echo of ^D.
        errors = check_errors(story, name, lines, said[said.find("terminal:"):] if "terminal:" in said else "")
        wanted = f"load complete ({errors} error" if errors else "load complete\n"
        story.expect(wanted in said, f"{name}: expected '{wanted}' in\n{said[-1500:]}")
        story.expect(shown, f"{name}: nothing of it is in the candidate")
        story.step(f"{name}: {len(lines)} lines pasted, {errors} refused with place and hint, {len(shown)} in the candidate")
    story.reset()
