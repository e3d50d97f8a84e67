"""A benchmark of short episodes for tests, and how to register it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.benchmarks import Benchmark, Option, Score, TieBreaker, benchmarks
from ludus.errors import OptionError
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


def scenarios(seed: int, episodes: int, clock: str) -> Sequence[Mapping[str, Any]]:
    level = Level.parse("\n".join(ROWS))
    return [
        Scenario(f"small {k}", level, time_limit=int(clock), seed=1000 * seed + k).to_dict()
        for k in range(episodes)
    ]


def score(facts: Facts) -> Score:
    x, coins = int(float(facts["x"] or 0)), 100 * int(facts["coins"] or 0)
    return Score(x + coins, {"distance": x, "coins": coins})


def whole_number(text: str) -> str:
    if not text.isdecimal():
        raise OptionError(f"clock {text!r} is no whole number: give 8")
    return str(int(text))


SMALL = Benchmark(
    id="test/small",
    version=1,
    title="How far on a short level?",
    game="platformer",
    scenarios=scenarios,
    episodes=6,
    score=score,
    formula="distance + 100 · coins",
    bounds=(0, 1_000),
    tie_breakers=(TieBreaker("ticks", lambda facts: int(facts["ticks"] or 0), "less"),),
    options=(Option("clock", "8", "seconds a player has", whole_number),),
)


def register() -> None:
    benchmarks()[SMALL.id] = SMALL
