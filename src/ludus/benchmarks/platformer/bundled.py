"""``platformer/bundled``: how far does a player get on the ten levels that come with Ludus?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Score, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, read_fact
from ludus.games.game import Facts
from ludus.games.platformer.levels.bundled import BUNDLED, bundled_level
from ludus.games.platformer.scenario import Scenario

__all__ = ["BUNDLED_LEVELS", "score"]

WIN = 1


def score(facts: Facts) -> Score:
    """Return the share of the level that Mario got through, in percent.

    Example:
        >>> score({"completion": 0.25})
        Score(total=25.0, parts={'completion': 25.0})
    """
    percent = 100 * float(facts["completion"] or 0)
    return Score(percent, {"completion": percent})


def _make_scenarios(seed: int, episodes: int) -> Sequence[Mapping[str, Any]]:
    return ScenarioMaker(episodes, lambda number: _make_scenario(seed, number))


def _make_scenario(seed: int, number: int) -> Mapping[str, Any]:
    """Return the levels in their order, again and again with other seeds for the players."""
    rounds, position = divmod(number, len(BUNDLED))
    name = BUNDLED[position]
    return Scenario(name, bundled_level(name), seed=seed + rounds).to_dict()


BUNDLED_LEVELS = Benchmark(
    id="platformer/bundled",
    version=1,
    title="How far does a player get on the ten levels that come with Ludus?",
    game="platformer",
    scenarios=_make_scenarios,
    episodes=len(BUNDLED),
    score=score,
    formula="completion % = 100 · x / x of the exit",
    bounds=(0, 100),
    headline="completion %",
    tie_breakers=(
        TieBreaker("wins", lambda facts: int(facts["status"] == WIN), facts=("status",)),
    ),
    columns=(
        Column("ticks", read_fact("ticks"), 0),
        Column("coins", read_fact("coins")),
        Column("kills", read_fact("kills_total")),
    ),
    fault_rule=(
        "A level that ends by a fault counts with what was reached before it, as in the "
        "competitions, where disqualified levels are counted beside the score."
    ),
)
