"""``nematode/…``: how well does a brain learn to forage? Fifty trainings and more, one score.

An episode of the run is a whole training of 500 dishes. What a training is worth by itself is three
of the four parts; the fourth, stability, belongs to all trainings together.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from statistics import fmean, pstdev
from typing import Any

from ludus.benchmarks.benchmark import Benchmark, Column, Number, Option, Score, TieBreaker
from ludus.benchmarks.building import ScenarioMaker, SealedSeed, derive_seed, one_of, read_fact
from ludus.benchmarks.nematode.categories import category_of
from ludus.benchmarks.nematode.chemotaxis import LEVELS, NONE, level_number
from ludus.benchmarks.nematode.intervals import jackknife_interval
from ludus.benchmarks.nematode.retraining import TrainAgain
from ludus.benchmarks.nematode.scoring import (
    MIN_TRAININGS,
    Training,
    band,
    episodes_to_success,
    final_success,
    learning_speed,
    score_trainings,
    stability,
    success_rate,
)
from ludus.errors import OptionError
from ludus.games.game import Facts
from ludus.games.worm.training import EPISODES, training_seed
from ludus.limits import Limits

__all__ = [
    "CHARGED",
    "CHARGED_TASKS",
    "SENSING",
    "TASKS",
    "TRAININGS",
    "WORLDS",
    "aggregate",
    "options_of",
    "parse_task",
    "scenarios_of",
    "score",
    "task_spec",
    "training_of",
]

TASKS = {
    "foraging-small": "food on 20 × 20 cells",
    "foraging-medium": "food on 50 × 50 cells",
    "foraging-large": "food on 100 × 100 cells",
    "predator-small": "food, predators on 20 × 20 cells",
    "predator-medium": "food, predators on 50 × 50 cells",
    "predator-large": "food, predators on 100 × 100 cells",
    "pursuit-small": "food, hunters on 20 × 20 cells",
    "stationary-small": "food, poison on 20 × 20 cells",
    "thermal-foraging-small": "food, warmth on 20 × 20 cells",
    "thermal-foraging-medium": "food, warmth on 50 × 50 cells",
    "thermal-foraging-large": "food, warmth on 100 × 100 cells",
    "thermal-pursuit-small": "food, warmth, hunters on 20 × 20 cells",
    "thermal-pursuit-medium": "food, warmth, hunters on 50 × 50 cells",
    "thermal-pursuit-large": "food, warmth, hunters on 100 × 100 cells",
    "thermal-stationary-small": "food, warmth, poison on 20 × 20 cells",
    "thermal-stationary-medium": "food, warmth, poison on 50 × 50 cells",
    "thermal-stationary-large": "food, warmth, poison on 100 × 100 cells",
    "oxygen-foraging-medium": "food, air on 50 × 50 cells",
    "oxygen-foraging-large": "food, air on 100 × 100 cells",
    "oxygen-pursuit-large": "food, air, hunters on 100 × 100 cells",
    "oxygen-stationary-large": "food, air, poison on 100 × 100 cells",
    "oxygen-thermal-foraging-large": "food, air, warmth on 100 × 100 cells",
    "oxygen-thermal-pursuit-large": "food, air, warmth, hunters on 100 × 100 cells",
    "oxygen-thermal-stationary-large": "food, air, warmth, poison on 100 × 100 cells",
}
"""The tasks, and what they ask in a few words."""

OLD_TASKS = tuple(name for name in TASKS if name.startswith(("foraging-", "predator-")))
CHARGED_TASKS = tuple(name for name in TASKS if "oxygen" in name and name.endswith("-large"))
CHARGED = "head2"
"""In which wounds by bad air are charged; since version 2 of these benchmarks."""
WORLDS = ("head", "e25")
SENSING = ("oracle", "temporal", "derivative", "klinotaxis")
HOUR = 3600.0
SPEC = re.compile(r"(?P<name>[a-z0-9-]+)(@(?P<world>[a-z0-9]+))?(\+(?P<sensing>[a-z]+))?")
READINGS = (
    "Success: the target alone. The letter also counts worms alive at the end with some food.",
    "Efficiency: per food, at most 1. The letter: the line to the first food over the whole way.",
    "Learning speed: 8 of the last 10 episodes, over 500. The letter leaves both numbers open.",
    "Stability: 0 where nothing succeeds. The letter does not say.",
)
"""Where the rule differs from the letter of the description; ``--rule letter`` takes the latter."""
WORDS = (NONE, *(name for _, name in reversed(LEVELS)))


def task_spec(name: str, world: str = "head", sensing: str = "oracle") -> str:
    """Return what the world calls a task under a benchmark's options.

    Example:
        >>> task_spec("predator-small", "e25"), task_spec("pursuit-small", sensing="klinotaxis")
        ('predator-small@e25', 'pursuit-small+klinotaxis')
        >>> task_spec("oxygen-pursuit-large")
        'oxygen-pursuit-large@head2'
    """
    if world == WORLDS[0] and name in CHARGED_TASKS:
        world = CHARGED
    version = "" if world == WORLDS[0] else f"@{world}"
    return f"{name}{version}" + ("" if sensing == SENSING[0] else f"+{sensing}")


def parse_task(spec: str) -> tuple[str, dict[str, str]]:
    """Return a task's name and the options of its benchmark that are not at their default.

    Raises:
        OptionError: No board has such a task.

    Example:
        >>> parse_task("predator-small@e25+klinotaxis")
        ('predator-small', {'world': 'e25', 'sensing': 'klinotaxis'})
    """
    match = SPEC.fullmatch(spec)
    name = match["name"] if match else ""
    world, sensing = (match["world"] or "head", match["sensing"] or "oracle") if match else ("", "")
    if name in CHARGED_TASKS:
        if world == WORLDS[0]:
            raise OptionError(
                f"{spec!r} is of version 1 of nematode/{name}: train again on {name}@{CHARGED}"
            )
        world = WORLDS[0] if world == CHARGED else world
    if name not in TASKS or world not in WORLDS or sensing not in SENSING:
        raise OptionError(f"no board has the task {spec!r}; there are {', '.join(TASKS)}")
    values = {"world": world, "sensing": sensing}
    defaults = {"world": WORLDS[0], "sensing": SENSING[0]}
    return name, {key: value for key, value in values.items() if value != defaults[key]}


# ---- what a training is worth


def training_of(facts: Facts) -> Training:
    """Return what a training comes to; episodes that it did not play have failed."""
    played = [sign == "1" for sign in str(facts["successes"])]
    planned = max(int(facts["planned"] or 0), 1)
    flags = played + [False] * (planned - len(played))
    return Training(
        success_rate=success_rate(flags),
        distance_efficiency=float(facts["distance_efficiency"] or 0) * len(played) / planned,
        learning_speed=learning_speed(flags),
        episodes_to_success=episodes_to_success(flags),
        final_success=final_success(flags),
        episodes=planned,
    )


def score(facts: Facts) -> Score:
    """Return three of the four parts: what a training is worth by itself."""
    parts = training_of(facts).parts
    return Score(math.fsum(parts.values()), parts)


def aggregate(facts: Sequence[Facts], _: Sequence[Number]) -> tuple[Number, Number, Number]:
    """Return the composite score of all trainings, and the ends of its 95 % interval."""
    trainings = [training_of(one) for one in facts]
    total = score_trainings(trainings).total
    sums = [math.fsum(training.parts.values()) for training in trainings]
    interval = jackknife_interval(sums, [training.final_success for training in trainings])
    if interval is None:
        return total, math.nan, math.nan
    return total, max(interval[0], 0.0), min(interval[1], 1.0)


def _value(name: str) -> Any:
    return lambda facts: getattr(training_of(facts), name)


def _total(facts: Facts) -> Number:
    return score(facts).total


def _best_level(values: Sequence[Number]) -> Number:
    return level_number(fmean(values))


# ---- the benchmarks


def options_of(name: str) -> tuple[Option, ...]:
    """Return what may be played otherwise in a task."""
    sensing = Option(
        "sensing", SENSING[0], "What the worm smells with.", one_of("sensing", SENSING)
    )
    world = Option(
        "world",
        WORLDS[0],
        "Which world; e25 is that of the published board.",
        one_of("world", WORLDS),
    )
    return (world, sensing) if name in OLD_TASKS else (sensing,)


def scenarios_of(
    name: str,
    word: str,
    seed_of: Callable[[str, int, int], int],
    spec_of: Callable[..., str] = task_spec,
    **more: Any,
) -> Callable[..., Sequence[Mapping[str, Any]]]:
    """Return what makes a task's scenarios, each called by a word and its number.

    Args:
        name: The task's name.
        word: What a scenario is called, before its number.
        seed_of: Returns the seed of a scenario, from the task's name, the run's seed and its
            number. The scenarios of sealed seasons have wider seeds than it gives.
        spec_of: Returns the task's spec, from its name, world and sensing.
        **more: Further values of every scenario.
    """

    def scenario_seed(seed: int, number: int) -> int:
        if isinstance(seed, SealedSeed):
            return derive_seed(f"{word} of {name}", seed, number)
        return seed_of(name, seed, number)

    def scenarios(
        seed: int, episodes: int, world: str = WORLDS[0], sensing: str = SENSING[0]
    ) -> Sequence[Mapping[str, Any]]:
        task = spec_of(name, world, sensing)

        def make(k: int) -> Mapping[str, Any]:
            return {"name": f"{word} {k + 1}", "task": task, "seed": scenario_seed(seed, k), **more}

        return ScenarioMaker(episodes, make)

    return scenarios


def _benchmark(name: str, about: str) -> Benchmark:
    return Benchmark(
        id=f"nematode/{name}",
        version=2 if name in CHARGED_TASKS else 1,
        title=f"Learning: {about}",
        game="worm-training",
        scenarios=scenarios_of(name, "training", training_seed, episodes=EPISODES),
        episodes=MIN_TRAININGS,
        score=score,
        formula="0.4 success + 0.3 efficiency + 0.2 learning speed + 0.1 stability",
        bounds=(0, 1),
        headline="score",
        aggregate=aggregate,
        aggregate_name="composite",
        digits=3,
        tie_breakers=(
            TieBreaker("spread", _total, "less", reduce=pstdev),
            TieBreaker("validation", read_fact("chemotaxis"), reduce=_best_level, words=WORDS),
        ),
        columns=(
            Column("success", _value("success_rate"), 3, summed=True),
            Column("efficiency", _value("distance_efficiency"), 3, summed=True, heading="effic."),
            Column("speed", _value("learning_speed"), 3, summed=True),
            Column(
                "stability",
                _value("final_success"),
                3,
                reduce=stability,
                summed=True,
                heading="stab.",
            ),
            Column("chemotaxis", read_fact("chemotaxis"), 3),
            Column("learns", read_fact("learning"), words=("no", "yes"), beside_score=True),
            Column("steps before", read_fact("pretraining_steps"), 0),
            Column("parameters", read_fact("parameters"), 0),
        ),
        options=options_of(name),
        limits=Limits(seconds=HOUR),
        accepts_more=True,
        train_again=TrainAgain(partial(task_spec, name)),
        readings=READINGS,
        grade=band,
        categorise=category_of,
        times_in_seconds=True,
    )


TRAININGS = tuple(_benchmark(name, about) for name, about in TASKS.items())
