"""``platformer/bundled``: its levels, its score and its order, worked out by hand."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from tests.benchmarks.platformer.ranking import standings

from ludus.benchmarks import find_benchmark
from ludus.benchmarks.platformer.bundled import BUNDLED_LEVELS, score

LOST, WON = 0, 1


def facts(completion: float, status: int = LOST, **more: Any) -> dict[str, Any]:
    usual = {"ticks": 100, "coins": 3, "kills_total": 2}
    return {"completion": completion, "status": status, **usual, **more}


def test_it_is_registered() -> None:
    assert find_benchmark("platformer/bundled@1") is BUNDLED_LEVELS


@pytest.mark.parametrize(
    ("completion", "percent"),
    [(0.0, 0.0), (0.25, 25.0), (0.125, 12.5), (1.0, 100.0), (None, 0.0)],
)
def test_the_score_is_the_share_of_the_way_in_percent(
    completion: float | None, percent: float
) -> None:
    own = score({"completion": completion})
    assert (own.total, own.parts) == (percent, {"completion": percent})


def test_completion_comes_first_then_wins_and_the_rest_is_only_shown() -> None:
    assert standings(
        BUNDLED_LEVELS,
        {
            "idle": facts(0.5, WON, ticks=1, coins=99),
            "random": facts(1.0),
            "astar": facts(1.0, WON, ticks=900),
            "linear": facts(1.0, WON, ticks=1, coins=99, kills_total=9),
        },
    ) == {"astar": 1, "linear": 1, "random": 3, "idle": 4}


def test_figures_beside_the_score() -> None:
    own = [facts(1.0, WON), facts(0.5, ticks=200, coins=0, kills_total=1)]
    (wins,) = BUNDLED_LEVELS.tie_breakers
    assert (wins.aggregate(own), wins.better) == (0.5, "more")
    shown = {one.name: one.aggregate(own) for one in BUNDLED_LEVELS.columns}
    assert shown == {"ticks": 150, "coins": 1.5, "kills": 1.5}


def test_the_ten_levels_come_in_their_order_and_again_with_the_next_seed() -> None:
    made = BUNDLED_LEVELS.make_scenarios(5, 21)
    names = [f"sprint-{number:02d}" for number in range(1, 11)]
    assert [one["name"] for one in made] == [*names, *names, names[0]]
    assert [one["seed"] for one in made] == [5] * 10 + [6] * 10 + [7]
    assert len({one["level"]["text"] for one in made}) == 10
    assert made[10]["level"] == made[0]["level"]
    assert BUNDLED_LEVELS.episodes == 10


def test_version_1_plays_these_scenarios_for_ever() -> None:
    made = BUNDLED_LEVELS.make_scenarios(0, 12)
    digest = hashlib.sha256(json.dumps(list(made), sort_keys=True).encode()).hexdigest()
    assert digest.startswith("7b36a8233db8f882")
