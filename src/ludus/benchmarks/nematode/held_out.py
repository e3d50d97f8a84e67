"""``worm/…``: how well does a finished brain forage on dishes that no training has?"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Score, TieBreaker
from ludus.benchmarks.nematode.trainings import SENSING, TASKS, WORLDS, options_of, task_spec
from ludus.games.game import Facts

__all__ = ["HELD_OUT", "score"]

DISHES = 100
ROOM = 2**19
FIRST = 2**32 - ROOM  # no training begins or comes near here


def score(facts: Facts) -> Score:
    """Return 1 for a dish on which the target was reached, else 0."""
    reached = int(float(facts["success"] or 0))
    return Score(reached, {"success": reached})


def _seed(name: str, seed: int, number: int) -> int:
    digest = hashlib.sha256(f"held-out {name} {seed} {number}".encode()).digest()
    return FIRST + int.from_bytes(digest[:4], "big") % ROOM


def _scenarios(name: str) -> Any:
    def scenarios(
        seed: int, episodes: int, world: str = WORLDS[0], sensing: str = SENSING[0]
    ) -> Sequence[Mapping[str, Any]]:
        task = task_spec(name, world, sensing)
        return [
            {"name": f"dish {k + 1}", "task": task, "seed": _seed(name, seed, k)}
            for k in range(episodes)
        ]

    return scenarios


def _fact(name: str) -> Any:
    return lambda facts: float(facts[name] or 0)


def _efficiency(facts: Facts) -> float:
    return min(float(facts["efficiency"] or 0), 1.0)


def _benchmark(name: str, about: str) -> Benchmark:
    return Benchmark(
        id=f"worm/{name}",
        version=1,
        title=f"Foraging: {about}",
        game="worm",
        scenarios=_scenarios(name),
        episodes=DISHES,
        score=score,
        formula="1 for each dish with its target reached",
        headline="success",
        digits=3,
        tie_breakers=(
            TieBreaker("efficiency", _efficiency),
            TieBreaker("foods", _fact("foods")),
        ),
        columns=(
            Column("chemotaxis", _fact("chemotaxis_index"), 3),
            Column("steps", _fact("steps")),
        ),
        options=options_of(name),
    )


HELD_OUT = tuple(_benchmark(name, about) for name, about in TASKS.items())
