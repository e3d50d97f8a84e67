"""What the solver says is so: proofs win, and what is called impossible was never won."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conformance.traces import load, names

from ludus.errors import OptionError
from ludus.games.platformer import Level, Status, replay
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.bundled import BUNDLED, bundled_level
from ludus.games.platformer.levels.solver import solve


def level(*rows: str, rules: str = "framework") -> Level:
    return Level.parse("\n".join(rows), rules=rules)


def air(rows: int, width: int) -> list[str]:
    return ["-" * width] * rows


SOLVABLE = {
    "gap": level(*air(9, 20), "-M---------------F--", "XXXXXX-----XXXXXXXXX"),
    "dead end": level(
        *air(3, 40),
        "----------------------------X-----------",
        "----------XXXXXXXXXXXXXXXXXXX-----------",
        "----------------------------X-----------",
        "---------%------------------X-----------",
        "----------XXXXXXXXXXXXXX----X-----------",
        "-----------------------X----------------",
        "-----------------------X----------------",
        "-M---------------------X--------------F-",
        "X" * 40,
    ),
    "stomp in mid-air": level(
        *air(10, 40),
        "-M--------------GG-G------------------F-",
        "XXXXXXX----------------XXXXXXXXXXXXXXXXX",
    ),
    "piranha": level(
        *air(9, 30), "-----------TT-----------------", "-M---------TT---------------F-", "X" * 30
    ),
    "key and lock": level(
        *air(2, 30),
        "X" * 30,
        "---------------H--------------",
        "---------------H--------------",
        "-M-h-----------H------------F-",
        "X" * 30,
        rules="ludus",
    ),
    "switch behind": level(
        *air(2, 30),
        "X" * 30,
        "--------------N---------------",
        "--------------N---------------",
        "n-----M-------N-------------F-",
        "X" * 30,
        rules="ludus",
    ),
    "ladder": level(
        "-----------------------------",
        "-----------------------------",
        "------------lXXXXXXXXXXXXXF--",
        *["------------lXXXXXXXXXXXXXXXX"] * 7,
        "-M----------lXXXXXXXXXXXXXXXX",
        "X" * 29,
        rules="ludus",
    ),
    "ferry": level(
        *air(9, 44),
        "-M----------------------------------------F-",
        "XXXXX.==..........................XXXXXXXXXX",
        rules="ludus",
    ),
}

IMPOSSIBLE = {
    "gap": level(*air(9, 80), "-M" + "-" * 76 + "F-", "XXXX" + "-" * 70 + "XXXXXX"),
    "wall under a roof": level(
        "X" * 30, *["-" * 14 + "X" + "-" * 15] * 9, "-M------------X------------F--", "X" * 30
    ),
    "lock without a key": level(
        "X" * 30,
        *["-" * 14 + "H" + "-" * 15] * 9,
        "-M-i----------H------------F--",
        "X" * 30,
        rules="ludus",
    ),
}


@pytest.mark.parametrize("name", SOLVABLE)
def test_hard_places_are_solved(name: str) -> None:
    result = solve(SOLVABLE[name])
    assert result.outcome == "solved"
    assert replay(SOLVABLE[name], result.actions).status == Status.WIN


@pytest.mark.parametrize("name", IMPOSSIBLE)
def test_what_cannot_be_is_proven(name: str) -> None:
    result = solve(IMPOSSIBLE[name])
    assert result.outcome == "impossible"
    assert result.actions == b""


@pytest.mark.parametrize(("column", "holds"), [(15, True), (16, False), (17, True), (32, False)])
def test_walls_where_rounding_may_let_someone_in_prove_nothing(column: int, holds: bool) -> None:
    wall = "-" * column + "X" + "-" * (40 - column)
    way = f"-M{wall[2:37]}F{wall[38:]}"
    result = solve(level("X" * 41, *[wall] * 9, way, "X" * 41), budget=2_000)
    assert (result.outcome == "impossible") == holds


@pytest.mark.parametrize("name", BUNDLED)
def test_bundled_levels_are_solved_alike_each_time(name: str) -> None:
    one, two = solve(bundled_level(name)), solve(bundled_level(name))
    assert one.outcome == "solved"
    assert (one.actions, one.nodes) == (two.actions, two.nodes)


def test_the_budget_is_kept() -> None:
    result = solve(bundled_level("sprint-10"), budget=50)
    assert result.outcome == "unknown"
    with pytest.raises(OptionError, match="0 nodes"):
        solve(bundled_level("sprint-10"), budget=0)


def test_no_recorded_win_is_called_impossible() -> None:
    won = {}
    for index in range(len(names())):
        trace = load(index)
        if int(trace.columns["status"][-1]) == Status.WIN:
            won[trace.level, trace.mode, trace.timer] = trace
    assert len(won) > 50
    for text, mode, timer in won:
        result = solve(Level.parse(text), mode=mode, time_limit=timer, budget=2_000)
        assert result.outcome != "impossible"


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 2**31), st.integers(0, 10), st.integers(0, 2))
def test_a_proof_is_a_win(seed: int, difficulty: int, mode: int) -> None:
    made = generate("ludus", seed=seed, difficulty=difficulty, length=100)
    result = solve(made, mode=mode, budget=100_000)
    assert result.outcome != "impossible"
    if result.outcome == "solved":
        assert replay(made, result.actions, mode).status == Status.WIN
