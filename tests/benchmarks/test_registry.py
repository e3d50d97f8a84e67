from __future__ import annotations

import pytest

from ludus.benchmarks import benchmarks, find_benchmark
from ludus.benchmarks.platformer.bundled import BUNDLED_LEVELS, score
from ludus.errors import BenchmarkError
from ludus.games.platformer.levels.bundled import BUNDLED


def test_benchmarks_are_found_by_name_and_version() -> None:
    assert find_benchmark("platformer/bundled") is BUNDLED_LEVELS
    assert find_benchmark("platformer/bundled@1") is BUNDLED_LEVELS
    assert benchmarks()["platformer/bundled"] is BUNDLED_LEVELS


def test_an_unknown_name_gets_a_hint() -> None:
    with pytest.raises(BenchmarkError, match="did you mean 'platformer/bundled'"):
        find_benchmark("platformer/bundle")


def test_another_version_is_refused() -> None:
    with pytest.raises(BenchmarkError, match="has version 1 here, not 2"):
        find_benchmark("platformer/bundled@2")


def test_the_bundled_levels_come_in_their_order() -> None:
    assert [one["name"] for one in BUNDLED_LEVELS.scenarios(0, 10)] == list(BUNDLED)
    assert {one["seed"] for one in BUNDLED_LEVELS.scenarios(3, 10)} == {3}


def test_more_episodes_are_further_rounds() -> None:
    made = BUNDLED_LEVELS.scenarios(3, 25)
    assert [one["name"] for one in made[10:20]] == list(BUNDLED)
    assert [one["seed"] for one in made[::10]] == [3, 4, 5]


def test_the_score_is_the_share_in_percent() -> None:
    assert score({"completion": 0.5}).total == 50
    assert score({"completion": None}).total == 0
