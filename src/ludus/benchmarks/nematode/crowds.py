"""``worm/crowd-…``: how well does a finished brain forage where others eat its food?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Option, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, SealedSeed, derive_seed, one_of, read_fact
from ludus.benchmarks.nematode.held_out import DISHES, dish_seed, score
from ludus.benchmarks.nematode.trainings import SENSING
from ludus.games.worm.colony import find_colony_task

__all__ = ["CROWDS"]

TASKS = {
    "crowd-foraging-small": "food among five worms on 20 × 20 cells",
    "crowd-pursuit-small": "food, hunters among five worms on 20 × 20 cells",
}
COMPANION = "run-and-tumble"


def _scenarios(name: str) -> Any:
    companions = [COMPANION] * (find_colony_task(name).worms - 1)

    def scenarios(
        seed: int, episodes: int, sensing: str = SENSING[0]
    ) -> Sequence[Mapping[str, Any]]:
        task = name if sensing == SENSING[0] else f"{name}+{sensing}"

        def make(k: int) -> Mapping[str, Any]:
            if isinstance(seed, SealedSeed):
                drawn = derive_seed(f"dish of {name}", seed, k)
            else:
                drawn = dish_seed(name, seed, k)
            return {"name": f"dish {k + 1}", "task": task, "companions": companions, "seed": drawn}

        return ScenarioMaker(episodes, make)

    return scenarios


def _benchmark(name: str, about: str) -> Benchmark:
    return Benchmark(
        id=f"worm/{name}",
        version=1,
        title=f"Foraging: {about}",
        game="worm-colony",
        scenarios=_scenarios(name),
        episodes=DISHES,
        score=score,
        formula="1 for each dish with its target reached",
        bounds=(0, 1),
        headline="success",
        is_rate=True,
        times_in_seconds=True,
        digits=3,
        tie_breakers=(
            TieBreaker("foods", read_fact("foods")),
            TieBreaker("rank", read_fact("rank"), "less"),
        ),
        columns=(
            Column("others' foods", read_fact("foods_of_others"), 1),
            Column("steps", read_fact("steps")),
        ),
        options=(
            Option("sensing", SENSING[0], "What the worms smell with.", one_of("sensing", SENSING)),
        ),
    )


CROWDS = tuple(_benchmark(name, about) for name, about in TASKS.items())
