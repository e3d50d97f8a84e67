"""``worm/…``: how well does a finished brain forage on dishes that no training has?"""

from __future__ import annotations

import hashlib

from ludus.benchmarks.benchmark import Benchmark, Column, Score, TieBreaker
from ludus.benchmarks.building import read_fact
from ludus.benchmarks.nematode.trainings import (
    CHARGED,
    TASKS,
    options_of,
    scenarios_of,
    task_spec,
)
from ludus.games.game import Facts

__all__ = ["DISHES", "HELD_OUT", "dish_seed", "score"]

DISHES = 100
ROOM = 2**19
FIRST = 2**32 - ROOM  # no training begins or comes near here


def score(facts: Facts) -> Score:
    """Return 1 for a dish on which the target was reached, else 0."""
    reached = int(float(facts["success"] or 0))
    return Score(reached, {"success": reached})


def dish_seed(name: str, seed: int, number: int) -> int:
    """Return the seed of a dish that no training has."""
    digest = hashlib.sha256(f"held-out {name} {seed} {number}".encode()).digest()
    return FIRST + int.from_bytes(digest[:4], "big") % ROOM


def _dish_spec(name: str, world: str, sensing: str) -> str:
    """Return the task's spec; what wounds cost is nothing to a finished brain."""
    spec = task_spec(name, world, sensing)
    return spec.replace(f"@{CHARGED}", "")


def _efficiency(facts: Facts) -> float:
    return min(float(facts["efficiency"] or 0), 1.0)


def _benchmark(name: str, about: str) -> Benchmark:
    return Benchmark(
        id=f"worm/{name}",
        version=1,
        title=f"Foraging: {about}",
        game="worm",
        scenarios=scenarios_of(name, "dish", dish_seed, _dish_spec),
        episodes=DISHES,
        score=score,
        formula="1 for each dish with its target reached",
        bounds=(0, 1),
        headline="success",
        is_rate=True,
        times_in_seconds=True,
        digits=3,
        tie_breakers=(
            TieBreaker("efficiency", _efficiency),
            TieBreaker("foods", read_fact("foods")),
        ),
        columns=(
            Column("chemotaxis", read_fact("chemotaxis_index"), 3),
            Column("steps", read_fact("steps")),
        ),
        options=options_of(name),
    )


HELD_OUT = tuple(_benchmark(name, about) for name, about in TASKS.items())
