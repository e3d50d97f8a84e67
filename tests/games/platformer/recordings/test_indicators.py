"""The indicators of human-likeness, worked out by hand on tiny levels."""

from __future__ import annotations

from math import log2

import pytest
from tests.games.platformer.recordings.scripts import record_play

from ludus.errors import OptionError
from ludus.games.platformer.recordings import compare_with_humans, measure_indicators
from ludus.games.platformer.recordings.jumps import find_jumps
from ludus.games.platformer.recordings.recording import play_life

FLAT = "--M---------------------\n" + "X" * 24
GAP = "--M---------------------\nXXXXXXXXXX--XXXXXXXXXXXX"
DANGER = "--M-----g---------------\n" + "X" * 24


def test_standing_for_ten_seconds() -> None:
    """150 ticks without a key; the first ones he falls, so he stands less than all the time."""
    found = measure_indicators(record_play(FLAT, "-150"))
    assert 0.85 < (found.standing or 0) < 1
    assert found.running == found.moving_left == found.direction_changes == found.jumps == 0
    assert (found.key_changes, found.key_entropy) == (0, 0)
    assert found.pauses == 1
    assert found.jump_hold is found.edge_distance is found.coins_taken is found.blocks_taken is None
    assert found.stomps_per_enemy is None


def test_keys() -> None:
    """Four keys down and up in 60 ticks, of which the last stays down: 7 changes in 4 seconds."""
    found = measure_indicators(record_play(FLAT, "-15 J6 -9 J12 R9 L9"))
    assert found.jump_hold == pytest.approx(9 / 15)
    assert found.jump_hold_spread == pytest.approx((2 * 3**2) ** 0.5 / 15)
    assert found.direction_hold == pytest.approx(9 / 15)
    assert found.key_changes == 7 / 4
    shares = [24 / 60, 18 / 60, 9 / 60, 9 / 60]
    assert found.key_entropy == pytest.approx(-sum(p * log2(p) for p in shares))
    assert found.jumps == pytest.approx(1 / 0.4)  # the second J falls into the first flight


def test_direction_changes_and_running() -> None:
    found = measure_indicators(record_play(FLAT, "-15 R30 L45 RS30 -30"))
    assert found.direction_changes == pytest.approx(2 / 1)
    assert 0.15 < (found.moving_left or 0) < 0.35
    assert 0.1 < (found.running or 0) <= 30 / 150


@pytest.mark.parametrize("rules", ["2009", "framework"])
def test_pushing_against_a_wall_is_standing(rules: str) -> None:
    wall = "-------#----------------\n--M----#----------------\n" + "X" * 24
    found = measure_indicators(record_play(wall, "-40 R60", rules=rules))
    assert found.moving_left == found.direction_changes == 0
    assert found.pauses == pytest.approx(2 / (100 / 150)), "before he starts, and at the wall"


def test_the_distance_from_the_edge_at_take_off() -> None:
    """The gap begins at pixel 160; he takes off where the tick before has him."""
    recording = record_play(GAP, "-20 RS18 RSJ14 -10")
    ticks = list(play_life(recording, recording.lives[0]))
    (jump,) = find_jumps(ticks)
    before = ticks[38].before.x
    assert jump.start == before < 160 < 192 < jump.end
    assert jump.edge == pytest.approx(160 - before)
    assert measure_indicators(recording).edge_distance == jump.edge


def test_pauses_before_danger() -> None:
    """A goomba near ahead makes the pause one before danger, an empty level does not."""
    calm = measure_indicators(record_play(FLAT, "-40"))
    danger = measure_indicators(record_play(DANGER, "-40"))
    assert calm.pauses == danger.pauses == pytest.approx(10 / (40 / 15))
    assert calm.pauses_before_danger == 0
    assert danger.pauses_before_danger == danger.pauses


def test_gains_and_deaths() -> None:
    level = "------o-o---------------\n--M-----k---------------\nXXXXXXXXXXXXXX----XXXXXX"
    found = measure_indicators(record_play(level, "-20 RSJ6 -20 R200", "-200"))
    assert found.deaths_by_gap == found.deaths_by_creature == 0.5
    assert found.deaths_by_time == 0
    assert found.stomps_per_enemy == 1  # one stomp; the second life got past nobody


def test_differences_from_people() -> None:
    """People pressed one key for 30, 40 and 50 of 100 ticks: means and spreads by hand."""
    people = [record_play(FLAT, f"-20 L{n} -{80 - n}") for n in (30, 40, 50)]
    program = record_play(FLAT, "-20 L70 -10")
    found = compare_with_humans(program, people)["direction_hold"]
    assert found.mean == pytest.approx(40 / 15)
    assert found.spread == pytest.approx(10 / 15)
    assert found.standardised == pytest.approx(3)
    assert found.people == 3
    same = compare_with_humans(program, people)["jumps"]
    assert (same.value, same.mean, same.spread, same.standardised) == (0, 0, 0, None)
    with pytest.raises(OptionError, match="1 recordings of people are too few"):
        compare_with_humans(program, people[:1])
