# SPDX-License-Identifier: GPL-2.0-or-later
"""The examples of docs/guide/*.md run and print what the pages show."""
from .. import walkthrough


def scenario(story):
    for page in sorted(walkthrough.GUIDE.glob("*.md")):
        if not any(walkthrough.runs(block) for block in walkthrough.blocks(page)):
            continue
        story.reset()
        count = walkthrough.walk(story.lab, page, lambda line: None)
        story.step(f"{page.name}: {count} examples")
    story.reset()
