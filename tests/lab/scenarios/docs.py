# SPDX-License-Identifier: GPL-2.0-or-later
"""The examples of docs/guide/*.md run and print what the pages show."""
from .. import walkthrough


def reset(story):
    """Pages configure other routers, too."""
    for router in story.lab.routers:
        story.reset(router.name)


def scenario(story):
    for page in sorted(walkthrough.GUIDE.glob("*.md")):
        if not any(walkthrough.runs(block) for block in walkthrough.blocks(page)):
            continue
        reset(story)
        count = walkthrough.walk(story.lab, page, lambda line: None)
        story.step(f"{page.name}: {count} examples")
    reset(story)
