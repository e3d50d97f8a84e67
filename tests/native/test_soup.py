"""Plays random worlds at random under the address and undefined-behaviour sanitizers.

This is the short run of every test; `make sanitize` plays fifty million ticks of each rule set.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.native.building import (
    DIPLOMACY,
    PLATFORMER,
    ROOT,
    SANITIZED,
    SANITIZER,
    TRAINING,
    WORM,
    build_soup,
    run,
)

from ludus.games.platformer import rule_sets

TICKS = 50_000
STEPS = 160_000
PHASES = 6_000
DECISIONS = 500


@pytest.fixture(scope="module")
def soup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_soup(PLATFORMER, SANITIZER, SANITIZED, tmp_path_factory.mktemp("soup") / "soup")


@pytest.fixture(scope="module")
def worm_soup(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_soup(WORM, SANITIZER, SANITIZED, tmp_path_factory.mktemp("worm") / "soup")


def check_forgeries(report: str) -> None:
    """Some forgeries must get in, to do no harm."""
    forged = re.search(r"forged states refused (\d+), accepted (\d+)", report)
    assert forged, report
    assert min(map(int, forged.groups())) > 100


@pytest.mark.parametrize("rules", rule_sets())
def test_random_play_breaks_no_promise(soup: Path, rules: str) -> None:
    report = run(soup, str(TICKS), "1", rules)
    found = re.search(r"ticks (\d+), soups (\d+), worlds (\d+), most sprites (\d+)", report)
    assert found, report
    ticks, soups, worlds, most_sprites = map(int, found.groups())
    assert ticks >= TICKS
    assert worlds > soups > 10
    assert most_sprites > 64, "the first room must have been too small once"
    check_forgeries(report)


@pytest.mark.parametrize("seed", [1, 1_000_000])
def test_random_worms_break_no_promise(worm_soup: Path, seed: int) -> None:
    report = run(worm_soup, str(STEPS // 2), str(seed))
    found = re.search(r"steps (\d+), soups (\d+), episodes (\d+)", report)
    assert found, report
    steps, soups, episodes = map(int, found.groups())
    assert steps >= STEPS // 2
    assert soups > 25  # a colony takes as many steps as its worms
    assert episodes > 500
    check_forgeries(report)


def test_random_games_of_diplomacy_break_no_promise(tmp_path: Path) -> None:
    soup = build_soup(DIPLOMACY, SANITIZER, SANITIZED, tmp_path / "soup")
    report = run(soup, str(PHASES), "1")
    found = re.search(r"phases (\d+), games (\d+)", report)
    assert found, report
    phases, games = map(int, found.groups())
    assert phases >= PHASES
    assert games > 50
    check_forgeries(report)


def test_random_trainings_break_no_promise(tmp_path: Path) -> None:
    soup = build_soup(TRAINING, SANITIZER, SANITIZED, tmp_path / "soup")
    report = run(soup, str(DECISIONS), "1")
    found = re.search(r"decisions (\d+), soups (\d+)", report)
    assert found, report
    decisions, soups = map(int, found.groups())
    assert decisions >= DECISIONS
    assert soups > 4, "several networks, with the kernels of every processor"


def test_make_sanitize_plays_every_rule_set() -> None:
    makefile = (ROOT / "Makefile").read_text()
    named = re.search(r"^RULE_SETS := (.*)$", makefile, re.MULTILINE)
    assert named
    assert set(named[1].split()) == set(rule_sets())
