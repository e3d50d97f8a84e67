"""``platformer/sprint``: its levels, its score and its order, worked out by hand."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from tests.benchmarks.platformer.ranking import standings

from ludus.benchmarks import find_benchmark
from ludus.benchmarks.platformer.sprint import SPRINT, score
from ludus.games.platformer.generators import generate

LOST, WON = 0, 1


def facts(x: float, ticks: int = 100, status: int = LOST) -> dict[str, Any]:
    return {
        "x": x,
        "exit_x": 1600,
        "ticks": ticks,
        "status": status,
        "coins": 3,
        "kills_total": 2,
    }


def test_it_is_registered() -> None:
    assert find_benchmark("platformer/sprint@1") is SPRINT


@pytest.mark.parametrize(
    ("x", "exit_x", "points"),
    [
        (0.0, 1600, 0),
        (400.0, 1600, 250),
        (1.59, 1600, 0),  # 0.99 thousandths
        (1.6, 1600, 1),
        (1599.9, 1600, 999),  # 999.9, and only whole ones count
        (1600.0, 1600, 1000),
        (1000.0, 1920, 520),  # 520.83
        (-16.5, 1600, 0),  # left of where the level begins is no progress, and no debt
        (-1600.0, 1600, 0),
        (50.0, 0, 1000),  # a level without a way to go is behind Mario
        (None, 1600, 0),
    ],
)
def test_progress_is_whole_thousandths_of_the_way(
    x: float | None, exit_x: int, points: int
) -> None:
    own = score({"x": x, "exit_x": exit_x})
    assert own.total == points
    assert own.parts == {"progress": points}
    assert isinstance(own.total, int)


def test_progress_comes_first_then_wins_then_the_faster() -> None:
    assert standings(
        SPRINT,
        {
            "idle": facts(800, ticks=10),
            "random": facts(1600, ticks=900),
            "astar": facts(1600, ticks=300, status=WON),
            "linear": facts(1600, ticks=299, status=WON),
            "rule-based": facts(1600, ticks=900),
        },
    ) == {"linear": 1, "astar": 2, "random": 3, "rule-based": 3, "idle": 5}


def test_fewer_ticks_are_better_and_more_wins() -> None:
    assert [(one.name, one.better) for one in SPRINT.tie_breakers] == [
        ("wins", "more"),
        ("ticks", "less"),
    ]
    wins, ticks = SPRINT.tie_breakers
    own = [facts(1600, 300, WON), facts(800, 200)]
    assert (wins.aggregate(own), ticks.aggregate(own)) == (0.5, 250)
    assert [one.aggregate(own) for one in SPRINT.columns] == [3, 2]
    assert [one.aggregate([{"coins": 0, "kills_total": 0}]) for one in SPRINT.columns] == [0, 0]


def test_difficulty_rises_from_0_to_9_and_begins_again() -> None:
    made = SPRINT.make_scenarios(0, 12)
    difficulties = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1]
    for scenario, difficulty in zip(made, difficulties, strict=True):
        level = generate("ludus", seed=scenario["seed"], difficulty=difficulty, length=120)
        assert scenario["level"]["text"] == level.text
        other = generate("ludus", seed=scenario["seed"], difficulty=difficulty ^ 1, length=120)
        assert scenario["level"]["text"] != other.text
    assert [scenario["name"] for scenario in made[8:11]] == ["sprint 09", "sprint 10", "sprint 11"]
    assert {scenario["time_limit"] for scenario in made} == {60}
    assert SPRINT.episodes == 10


def test_seeds_are_drawn_from_the_run_s_seed_and_the_number() -> None:
    digest = hashlib.sha256(b"platformer/sprint@1 7 2").digest()
    seed = int.from_bytes(digest[:4], "big") // 2
    assert SPRINT.make_scenarios(7, 3)[2]["seed"] == seed == 102909053
    assert SPRINT.make_scenarios(7, 5)[:3] == SPRINT.make_scenarios(7, 3)
    seeds = [one["seed"] for run in (0, 1) for one in SPRINT.make_scenarios(run, 10)]
    assert len(set(seeds)) == 20


def test_version_1_plays_these_scenarios_for_ever() -> None:
    made = SPRINT.make_scenarios(0, 12)
    digest = hashlib.sha256(json.dumps(list(made), sort_keys=True).encode()).hexdigest()
    assert digest.startswith("0c6fb4bfb9079700")
