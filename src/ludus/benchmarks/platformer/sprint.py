"""``platformer/sprint``: how far does a player get on ten levels it has never seen?"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Score, TieBreaker
from ludus.games.game import Facts
from ludus.games.platformer.generators import generate
from ludus.games.platformer.scenario import Scenario

__all__ = ["SPRINT", "score"]

WIN = 1
WHOLE = 1000
COLUMNS = 120
CLOCK = 60


def score(facts: Facts) -> Score:
    """Return thousandths of the level that lie behind Mario, whole ones.

    Example:
        >>> score({"x": 400.0, "exit_x": 1600})
        Score(total=250, parts={'progress': 250})
    """
    exit_x = int(facts["exit_x"] or 0)
    share = WHOLE if exit_x <= 0 else int(WHOLE * max(float(facts["x"] or 0), 0) // exit_x)
    return Score(share, {"progress": share})


def _derived(seed: int, number: int) -> int:
    digest = hashlib.sha256(f"platformer/sprint@1 {seed} {number}".encode()).digest()
    return int.from_bytes(digest[:4], "big") >> 1


def _scenarios(seed: int, episodes: int) -> Sequence[Mapping[str, Any]]:
    return [_scenario(number, _derived(seed, number)) for number in range(episodes)]


def _scenario(number: int, seed: int) -> Mapping[str, Any]:
    level = generate("ludus", seed=seed, difficulty=number % 10, length=COLUMNS)
    name = f"sprint {number + 1:02d}"
    return Scenario(name=name, level=level, time_limit=CLOCK, seed=seed).to_dict()


def _number(name: str) -> Any:
    return lambda facts: float(facts[name] or 0)


SPRINT = Benchmark(
    id="platformer/sprint",
    version=1,
    title="How far does a player get on ten generated levels of rising difficulty?",
    game="platformer",
    scenarios=_scenarios,
    episodes=10,
    score=score,
    formula="progress = ⌊1000 · x / x of the exit⌋",
    headline="progress",
    tie_breakers=(
        TieBreaker("wins", lambda facts: int(facts["status"] == WIN)),
        TieBreaker("ticks", _number("ticks"), "less"),
    ),
    columns=(Column("coins", _number("coins")), Column("kills", _number("kills_total"))),
)
