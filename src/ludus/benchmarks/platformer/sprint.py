"""``platformer/sprint``: how far does a player get on ten levels it has never seen?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Score, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, derive_seed, read_fact
from ludus.games.game import Facts
from ludus.games.platformer.generators import generate
from ludus.games.platformer.scenario import Scenario

__all__ = ["SPRINT", "score"]

WIN = 1
FULL = 1000
COLUMNS = 120
CLOCK = 60


def score(facts: Facts) -> Score:
    """Return thousandths of the level that lie behind Mario, whole ones.

    Example:
        >>> score({"x": 400.0, "exit_x": 1600})
        Score(total=250, parts={'progress': 250})
    """
    exit_x = int(facts["exit_x"] or 0)
    share = FULL if exit_x <= 0 else int(FULL * max(float(facts["x"] or 0), 0) // exit_x)
    return Score(share, {"progress": share})


def _make_scenarios(seed: int, episodes: int) -> Sequence[Mapping[str, Any]]:
    return ScenarioMaker(episodes, lambda number: _make_scenario(seed, number))


def _make_scenario(run_seed: int, number: int) -> Mapping[str, Any]:
    seed = derive_seed("platformer/sprint@1", run_seed, number)
    level = generate("ludus", seed=seed, difficulty=number % 10, length=COLUMNS)
    name = f"sprint {number + 1:02d}"
    return Scenario(name=name, level=level, time_limit=CLOCK, seed=seed).to_dict()


SPRINT = Benchmark(
    id="platformer/sprint",
    version=1,
    title="How far does a player get on ten generated levels of rising difficulty?",
    game="platformer",
    scenarios=_make_scenarios,
    episodes=10,
    score=score,
    formula="progress = ⌊1,000 · x / x of the exit⌋",
    bounds=(0, FULL),
    headline="progress",
    tie_breakers=(
        TieBreaker("wins", lambda facts: int(facts["status"] == WIN), facts=("status",)),
        TieBreaker("ticks", read_fact("ticks"), "less", facts=("ticks",)),
    ),
    columns=(Column("coins", read_fact("coins")), Column("kills", read_fact("kills_total"))),
    fault_rule=(
        "A level that ends by a fault counts with what was reached before it, as in the "
        "competitions, where disqualified levels are counted beside the score."
    ),
)
