"""The pages of the docs, and what is in them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
GUIDES = [ROOT / "README.md", *sorted(DOCS.glob("**/*.md"))]
"""What users read; its examples run."""
PAGES = [
    *GUIDES,
    *(ROOT / name for name in ("CONTRIBUTING.md", "SECURITY.md", "examples/README.md")),
    *sorted((ROOT / "design").glob("*.md")),
]
FENCE = re.compile(r'^```(\w*)(?: title="([^"]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)


class Block(NamedTuple):
    """A fenced block: its language, the file that it is to be saved as, its text."""

    language: str
    file: str
    text: str


def blocks(page: Path) -> list[Block]:
    """Return the fenced blocks of a page, in their order."""
    return [Block(*found) for found in FENCE.findall(page.read_text(encoding="utf-8"))]


def commands(page: Path) -> list[str]:
    """Return the commands of a page's console blocks, those of several lines in one."""
    text = "\n".join(block.text for block in blocks(page) if block.language == "console")
    lines = text.replace("\\\n", " ").splitlines()
    return [line[2:].split(" #")[0].strip() for line in lines if line.startswith("$ ludus ")]


def name(page: Path) -> str:
    """Return a page's path, to name a test by it."""
    return str(page.relative_to(ROOT))
