"""A benchmark of short episodes for tests, and how to register it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.benchmarks import Benchmark, Score, TieBreaker, benchmarks
from ludus.games.game import Facts
from ludus.games.platformer import Level
from ludus.games.platformer.scenario import Scenario

ROWS = [
    "----------------------------------------",
    "----------------------------------------",
    "------------------o---------------------",
    "-M----g---SS--------k-----TT----y-----F-",
    "XXXXXXXXXXXXXXXXXXXXXXX-XXXXXXXXXXXXXXXX",
]


def scenarios(seed: int, episodes: int) -> Sequence[Mapping[str, Any]]:
    level = Level.parse("\n".join(ROWS))
    return [
        Scenario(f"small {k}", level, time_limit=8, seed=1000 * seed + k).plain()
        for k in range(episodes)
    ]


def score(facts: Facts) -> Score:
    x, coins = int(float(facts["x"] or 0)), 100 * int(facts["coins"] or 0)
    return Score(x + coins, {"distance": x, "coins": coins})


SMALL = Benchmark(
    id="test/small",
    version=1,
    title="How far on a short level?",
    game="platformer",
    scenarios=scenarios,
    episodes=6,
    score=score,
    formula="distance + 100 · coins",
    tie_breakers=(TieBreaker("ticks", lambda facts: int(facts["ticks"] or 0), "less"),),
)


def register() -> None:
    benchmarks()[SMALL.id] = SMALL
