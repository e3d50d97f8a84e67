"""Whatever the Makefile promises can be made."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "Makefile").read_text()


def targets() -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+):", TEXT, re.MULTILINE))


def test_every_phony_target_has_a_rule() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.*)$", TEXT, re.MULTILINE)
    assert set(phony.split()) - {"FORCE"} == targets()


def test_every_target_of_the_docs_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("design/*.md")]
    named = {name for page in pages for name in re.findall(r"`make ([a-z0-9-]+)", page.read_text())}
    assert {"demo", "test", "fuzz"} <= named <= targets()
