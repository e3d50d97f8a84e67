from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from ludus.errors import OptionError
from ludus.games.platformer import Level, Status, replay
from ludus.games.platformer.levels.bundled import BUNDLED, bundled_level, bundled_levels

WINS = Path(__file__).with_name("wins.txt").read_text(encoding="utf-8").splitlines()
"""For each level a way through it: buttons, × and the ticks they are held."""


def winning_actions(name: str) -> bytes:
    line = next(line for line in WINS if line.startswith(name))
    holds = (hold.split("x") for hold in line.split()[1:])
    return b"".join(bytes([int(buttons)]) * int(ticks) for buttons, ticks in holds)


def test_there_are_ten_different_levels_in_order() -> None:
    levels = bundled_levels()
    assert len(set(levels)) == 10
    assert levels[2] == bundled_level("sprint-03")


@pytest.mark.parametrize("name", BUNDLED)
def test_every_level_can_be_finished(name: str) -> None:
    actions = winning_actions(name)
    world = replay(bundled_level(name), actions)
    assert world.status == Status.WIN
    assert world.result().ticks == len(actions)


@pytest.mark.parametrize("name", BUNDLED)
def test_every_level_is_well_formed(name: str) -> None:
    level = bundled_level(name)
    rows = level.text.split("\n")
    assert level.height == 16
    assert 120 <= level.width <= 220
    assert level.text.count("M") == 1
    assert level.text.count("F") == 1
    for column, row in (level.start, level.exit):
        assert rows[row + 1][column] in "X#", f"nothing to stand on at {column}, {row}"


@pytest.mark.parametrize("name", BUNDLED)
def test_nothing_that_needs_support_floats(name: str) -> None:
    rows = bundled_level(name).text.split("\n")
    for above, below in pairwise(rows):
        for thing, support in zip(above, below, strict=True):
            assert thing not in "tT*gkry" or support in "X#%tT*SCQ?UL"


def test_the_levels_show_everything_the_game_has() -> None:
    shown = set("".join(level.text for level in bundled_levels()))
    assert set("X#%|*tTSCUL?Qo12gGkKrRyY") <= shown


def test_an_unknown_name_lists_those_there_are() -> None:
    with pytest.raises(
        OptionError, match=r"no bundled level 'sprint-11'; .*sprint-01, .*sprint-10"
    ):
        bundled_level("sprint-11")


def test_a_level_is_read_once() -> None:
    assert isinstance(bundled_level("sprint-01"), Level)
    assert bundled_level("sprint-01") is bundled_level("sprint-01")
