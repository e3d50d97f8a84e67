"""Plays random levels at random under the address and undefined-behaviour sanitizers.

This is the short run of every test; `make sanitize` plays fifty million ticks.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.native.building import SANITIZED, build_soup, run

TICKS = 300_000


@pytest.fixture(scope="module")
def soup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_soup("gcc", SANITIZED, tmp_path_factory.mktemp("soup") / "soup")


@pytest.mark.parametrize("seed", [1, 1_000_000])
def test_random_play_breaks_no_promise(soup: Path, seed: int) -> None:
    report = run(soup, str(TICKS // 2), str(seed))
    found = re.search(r"ticks (\d+), soups (\d+), worlds (\d+), most sprites (\d+)", report)
    assert found, report
    ticks, soups, worlds, most_sprites = map(int, found.groups())
    assert ticks >= TICKS // 2
    assert worlds > soups > 10
    assert most_sprites > 64, "the first room must have been too small once"
