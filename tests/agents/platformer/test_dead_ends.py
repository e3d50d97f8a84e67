"""Dead ends: the plain planner stays in them, the other one notices, goes back and remembers."""

from __future__ import annotations

from tests.agents.platformer.players import Played, play

from ludus.agents import load
from ludus.games.platformer import Status
from ludus.games.platformer.levels.level import Level
from ludus.games.platformer.levels.reference import Reference
from ludus.games.platformer.scenario import Scenario

BLOCK = 0x09
FIRE = 2
SKY = 6

CORRIDORS = (
    "-" * 70,
    "-" * 16 + "#" * 30 + "-" * 24,
    "-" * 16 + "#" * 30 + "-" * 24,
    "-" * 10 + "###" + "-" * 30 + "###" + "-" * 24,
    "-" * 43 + "###" + "-" * 24,
    "-" * 43 + "###" + "-" * 24,
    "#" * 70,
    "#" * 70,
    "#" * 70,
)
"""Two corridors, one above the other; the lower one is closed, 27 columns from where it begins."""

CLOSED_AT, BEGINS_AT = 16 * 43, 16 * 16


def dead_end(rules: str = "2010") -> Scenario:
    rows = ["-" * 70] * SKY + list(CORRIDORS)
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    cells = bytes(BLOCK * (cell == "#") for column in columns for cell in column)
    reference = Reference(rules, len(rows), cells, (68, 11), ())
    return Scenario("dead end", Level.from_reference(reference), FIRE, 25)


def play_dead_end(spec: str, rules: str = "2010") -> Played:
    return play(load(spec, "platformer"), dead_end(rules))


def test_the_plain_planner_stays_in_a_dead_end() -> None:
    played = play_dead_end("astar#plain")
    assert played.result.status != Status.WIN
    assert CLOSED_AT - 100 < played.path[-1, 0] < CLOSED_AT


def test_the_greedy_planner_stays_there_too() -> None:
    assert play_dead_end("best-first").result.status != Status.WIN


def test_the_planner_goes_into_a_dead_end_once_and_comes_back() -> None:
    played = play_dead_end("astar")
    assert played.result.status == Status.WIN
    x, y = played.path[:, 0], played.path[:, 1]
    inside = (x > BEGINS_AT + 160) & (x < CLOSED_AT) & (y > 16 * 9)
    entered = [tick for tick in range(1, len(x)) if inside[tick] and not inside[tick - 1]]
    assert len(entered) == 1
    assert x[entered[0] :].min() < BEGINS_AT


def test_a_dead_end_of_2009_is_no_other() -> None:
    assert play_dead_end("astar", "2009").result.status == Status.WIN


def test_a_planner_in_a_level_without_a_way_goes_as_far_as_it_can() -> None:
    rows = ["-" * 30 + "###" + "-" * 7] * 12 + ["#" * 40] * 3
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    cells = bytes(BLOCK * (cell == "#") for column in columns for cell in column)
    level = Level.from_reference(Reference("2010", 15, cells, (38, 11), ()))
    played = play(load("astar", "platformer"), Scenario("closed", level, FIRE, 20))
    assert played.result.status != Status.WIN
    assert played.path[-1, 0] > 16 * 30 - 40
