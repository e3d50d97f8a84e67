"""The one sheet of styles: readable in light and in dark, and still for whoever asks for it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludus.web

SHEET = (Path(ludus.web.__file__).parent / "static" / "style.css").read_text(encoding="utf-8")
PAIRS = [
    ("ink", "paper"),
    ("ink", "surface"),
    ("ink", "tint"),
    ("quiet", "paper"),
    ("quiet", "surface"),
    ("accent", "paper"),
    ("accent", "surface"),
    ("accent-ink", "accent"),
    *(("shade-ink", f"shade-{shade}") for shade in range(4)),
]
LEAST = 4.5


def tokens(scheme: str) -> dict[str, str]:
    light, dark = SHEET.split("@media (prefers-color-scheme: dark)", 1)
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", light))
    return found | (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", dark.split("}")[0]))
        if scheme == "dark"
        else {}
    )


def luminance(colour: str) -> float:
    """Return the relative luminance that WCAG defines."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_stands_out(scheme: str, text: str, ground: str) -> None:
    colours = tokens(scheme)
    low, high = sorted((luminance(colours[text]), luminance(colours[ground])))
    assert (high + 0.05) / (low + 0.05) >= LEAST


def test_nothing_moves_for_whoever_asks_for_less_motion() -> None:
    moving = SHEET.split("@media (prefers-reduced-motion: no-preference)")
    assert "animation:" not in moving[0]
    assert "animation:" in moving[1]
    assert ":focus-visible" in SHEET
