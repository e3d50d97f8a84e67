"""The page on trust lists the limits that the code has."""

from __future__ import annotations

from pathlib import Path

from ludus.foreign_files import LIMITS

PAGE = Path(__file__).parents[2] / "docs" / "trust.md"


def test_the_page_lists_every_limit() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    for limit in LIMITS:
        assert f"| {limit.what} | {limit} |" in rows
