"""The record agrees with what the engines of the competitions count themselves."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.platformer.recordings.scripts import cut, make_scenario

from ludus.games.platformer import Evaluation2009, Evaluation2010, evaluate, replay
from ludus.games.platformer.codes import CompetitionButton, Kind
from ludus.games.platformer.recordings import PlayerRecord, Recording
from ludus.games.platformer.recordings.counting import CREATURES

FLAT = """
------------?--SSQ------------------------
----------------g-------------------------
----------------SS------------------------
------------------------------------------
--------Tt------------------------*-------
--M--g--tt---k---r---g--g--k---y--*-----F-
XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
"""
GAPS = FLAT.strip()[:-20] + "--XX----XXX--XXXXXXX"
KEYS = st.sampled_from(
    [
        CompetitionButton.RIGHT,
        CompetitionButton.RIGHT | CompetitionButton.SPEED,
        CompetitionButton.RIGHT | CompetitionButton.JUMP,
        CompetitionButton.RIGHT | CompetitionButton.JUMP | CompetitionButton.SPEED,
        CompetitionButton.LEFT,
        CompetitionButton.DOWN,
        CompetitionButton(0),
    ]
)
PLAYS = st.lists(st.tuples(KEYS, st.integers(1, 12)), min_size=10, max_size=60)


def record(text: str, rules: str, play: list[tuple[int, int]], mode: int) -> Recording:
    """Return the recording of some keys, each held for some ticks."""
    scenario = make_scenario(text, rules, mode, 40)
    actions = bytes(16) + b"".join(bytes([int(keys)] * ticks) for keys, ticks in play)
    return Recording(scenario, (cut(scenario, actions),))


def figures(recording: Recording) -> Evaluation2009 | Evaluation2010:
    """Return what the engine counted."""
    scenario = recording.scenario
    world = replay(scenario.level, recording.lives[0], scenario.mode, scenario.time_limit)
    return evaluate(world)


@given(PLAYS, st.integers(0, 2))
@settings(max_examples=60)
def test_the_engine_of_2009_counts_the_same_kills(play: list[tuple[int, int]], mode: int) -> None:
    """No gap, so nobody falls: stomps, shells, fire and bumps are all."""
    recording = record(FLAT, "2009", play, mode)
    found, engine = PlayerRecord.of(recording), figures(recording)
    assert isinstance(engine, Evaluation2009)
    bills = engine.bills_by_stomp + engine.bills_by_shell
    by_kind = {Kind(kind): n for kind, n in engine.kills_by_kind.items()}
    assert found.kills == sum(by_kind.values()) + bills
    assert found.cannon_balls_killed == bills
    assert found.goombas_killed == sum(n for k, n in by_kind.items() if CREATURES[k] == "goomba")
    assert found.stomps == engine.kills_by_stomp + engine.bills_by_stomp
    assert found.kills_by_fire == engine.kills_by_fire
    assert found.kills_by_shell == engine.kills_by_shell + engine.bills_by_shell


@given(PLAYS, st.integers(0, 1))
@settings(max_examples=60)
def test_the_engine_of_2010_names_the_same_death(play: list[tuple[int, int]], mode: int) -> None:
    recording = record(GAPS, "2010", play, mode)
    found, engine = PlayerRecord.of(recording), figures(recording)
    assert isinstance(engine, Evaluation2010)
    assert found.deaths == len(engine.deaths[:1])
    if engine.deaths:
        assert found[f"deaths_by_{_name(engine.deaths[0])}"] == 1
    assert found.coins_collected <= engine.coins


def _name(cause: int) -> str:
    if cause < 16:
        return {1: "time", 2: "gap"}[cause]
    return "shell" if cause - 16 == Kind.SHELL else CREATURES[Kind(cause - 16)]


@pytest.mark.parametrize("rules", ["framework", "ludus"])
def test_figures_that_the_framework_repeats_count_once(rules: str) -> None:
    """Its result logs events again while the world stands still after a power change."""
    scenario = make_scenario("--M--g--k----------\n" + "X" * 19, rules, 2, 40)
    life = cut(scenario, bytes(20) + bytes([18] * 60))
    world = replay(scenario.level, life, 2, 40)
    found = PlayerRecord.of(Recording(scenario, (life,)))
    assert 0 < found.jumps <= world.result().jumps
