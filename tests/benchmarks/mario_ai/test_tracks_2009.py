"""The tracks of 2009: their levels, their order, and the published scores."""

from __future__ import annotations

import csv
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from ludus.agents import load
from ludus.benchmarks import find_benchmark
from ludus.benchmarks.building import SealedSeed
from ludus.games.game import find_game, scenario_for_agent
from ludus.testing import check_benchmark

ICE = find_benchmark("mario-ai/gameplay-2009-ice")
CIG = find_benchmark("mario-ai/gameplay-2009-cig")
GAME = find_game("mario-ai")

SCORES = Path(__file__).with_name("scores-2009.csv")
PLAYERS = {
    "forward": "ForwardAgent",
    "forward-jumping": "ForwardJumpingAgent",
    "scared": "ScaredAgent",
    "scared-speedy": "ScaredSpeedyAgent",
    "idle": "NoAction",
}
PUBLISHED = {
    (0, "forward"): 5942.33,
    (0, "forward-jumping"): 8823.09,
    (0, "scared"): 6742.37,
    (0, "scared-speedy"): 7573.89,
    (0, "idle"): 128.00,
    (1, "forward"): 5890.50,
    (1, "forward-jumping"): 8777.70,
    (1, "scared"): 6688.72,
    (1, "scared-speedy"): 7570.98,
    (1, "idle"): 128.00,
}
COLUMNS = {
    "difficulty": "difficulty", "cells": "cells", "status": "status", "time_left": "time_left",
    "time_spent": "time_spent", "ticks": "ticks", "mode": "mode", "coins": "coins",
    "actions": "answers", "kills_total": "kills_total", "k_stomp": "kills_by_stomp",
    "k_shell": "kills_by_shell", "k_fire": "kills_by_fire", "k_bump": "kills_by_bump",
    "bill_stomp": "bills_by_stomp", "bill_shell": "bills_by_shell",
    "shell_fire": "shells_by_fire", "shell_die": "shells_broken",
}  # fmt: skip


def published_levels(start_seed: int, player: str) -> list[dict[str, str]]:
    with SCORES.open(newline="") as file:
        rows = list(csv.DictReader(file))
    agent = PLAYERS[player]
    return [row for row in rows if (row["start_seed"], row["agent"]) == (str(start_seed), agent)]


def as_published(facts: Mapping[str, Any]) -> dict[str, str]:
    bits = struct.pack(">f", facts["distance"]).hex()
    numbers = {column: str(facts[name]) for column, name in COLUMNS.items()}
    return {"distance_bits": bits, **numbers}


def play_in_order(player: str, seed: int) -> list[Mapping[str, Any]]:
    """Let one agent object play the levels in their order, as the competition did."""
    agent, played = load(player, "platformer"), []
    for description in ICE.make_scenarios(seed, ICE.episodes):
        scenario = GAME.parse_scenario(description)
        match = GAME.begin(scenario)
        agent.reset(scenario_for_agent(scenario))
        while not match.over:
            match.step(agent.act(match.observation))
        played.append(match.facts())
    return played


@pytest.mark.parametrize(("seed", "player"), PUBLISHED)
def test_players_score_what_was_published(seed: int, player: str) -> None:
    played = play_in_order(player, seed)
    totals = [ICE.score(facts).total for facts in played]
    assert ICE.aggregate is not None
    aggregate = ICE.aggregate(played, totals)
    assert isinstance(aggregate, tuple)
    assert round(aggregate[0], 2) == PUBLISHED[seed, player]
    for row, facts in zip(published_levels(seed, player), played, strict=True):
        assert as_published(facts).items() <= row.items()


@pytest.mark.parametrize("benchmark", [ICE, CIG], ids=lambda one: one.id)
def test_the_tracks_keep_their_promises(benchmark: Any) -> None:
    check_benchmark(benchmark, agent="forward-jumping")


def test_levels_come_by_difficulty_and_then_by_seed() -> None:
    levels = [scenario["level"]["recipe"]["options"] for scenario in ICE.make_scenarios(7, 40)]
    expected = [(difficulty, seed) for difficulty in (0, 3, 5, 10) for seed in range(7, 17)]
    assert [(level["difficulty"], level["seed"]) for level in levels] == expected
    assert {(level["width"], level["type"]) for level in levels} == {(320, 0)}
    assert {(s["mode"], s["time_limit"]) for s in ICE.make_scenarios(7, 40)} == {(2, 200)}


def test_levels_of_the_second_competition_vary_in_length() -> None:
    levels = [scenario["level"]["recipe"]["options"] for scenario in CIG.make_scenarios(0, 40)]
    widths = [level["width"] for level in levels]
    assert all(320 <= width <= 1230 for width in widths)
    assert len(set(widths)) > 30
    assert [level["difficulty"] for level in levels] == [0] * 10 + [3] * 10 + [5] * 10 + [10] * 10


def test_who_clears_a_level_has_the_distance_of_its_exit() -> None:
    facts = {"distance": 4342.6, "exit_x": 4320, "status": 1}
    assert CIG.score(facts).total == 4320
    assert ICE.score(facts).total == 4342.6


@pytest.mark.parametrize("benchmark", [ICE, CIG], ids=lambda one: one.id)
def test_a_sealed_season_has_levels_that_nobody_knows(benchmark: Any) -> None:
    secret = SealedSeed(2**255 + 12345)
    scenarios = list(benchmark.make_scenarios(secret, 40))
    seeds = {scenario["level"]["recipe"]["options"]["seed"] for scenario in scenarios}
    assert len(seeds) == 10
    assert min(seeds) > 2**32
    GAME.parse_scenario(scenarios[-1])
    other = benchmark.make_scenarios(SealedSeed(2**255 + 12346), 40)
    assert other[0]["seed"] not in seeds
