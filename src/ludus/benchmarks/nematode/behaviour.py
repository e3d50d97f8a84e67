"""Does it move like a worm? Four figures with intervals, chance levels and what literature says.

Chance is a walker that takes each action alike often, played in the same dishes. None of this
enters the score.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

import numpy as np

from ludus.benchmarks.nematode.chemotaxis import (
    LITERATURE,
    Curve,
    Literature,
    Walk,
    klinokinesis,
    thermotaxis,
    walk,
    weathervane,
)
from ludus.games.worm import ACTIONS, find_task
from ludus.stats import Estimate
from ludus.stats.distributions import student_quantile

__all__ = [
    "FIGURES",
    "Behaviour",
    "BehaviourFigure",
    "Dish",
    "Group",
    "measure_behaviour",
    "play_chance",
]

LEVEL = 0.95
WALKS = 500  # kept of the walker by chance
WALKER_SEED = 0
METHOD = "jackknife"
BACTERIA = next(one for one in LITERATURE if one.attractant == "bacteria")

Dish: TypeAlias = tuple[int, bytes]
"""A dish that was played: its seed and the actions."""

Group: TypeAlias = Sequence[Dish]
"""The dishes of one training; or one dish, if each is a sample of its own."""


def _index(walks: Sequence[Walk]) -> float:
    return float(np.mean([one.index for one in walks]))


@dataclass(frozen=True, slots=True)
class Definition:
    """What a figure is.

    Attributes:
        name: What it is called.
        unit: What it is measured in.
        meaning: A sentence.
        compute: Returns its value for walks.
        curve: Returns what the figure sums up; None if that is no curve.
        thermal: Whether only dishes with temperature have it.
        literature: What was measured on real worms; None where the sources give no figure.
    """

    name: str
    unit: str
    meaning: str
    compute: Callable[[Sequence[Walk]], float]
    curve: Callable[[Sequence[Walk]], Curve] | None = None
    thermal: bool = False
    literature: Literature | None = None


FIGURES = (
    Definition(
        "chemotaxis",
        "index, -1 to 1",
        "(positions within five cells of food - the others) / all",
        _index,
        literature=BACTERIA,
    ),
    Definition(
        "klinokinesis",
        "ratio",
        "turns a step while the smell fades / while it grows; 1: it does not care",
        lambda walks: klinokinesis(walks).strength,
        klinokinesis,
    ),
    Definition(
        "weathervane",
        "rad/rad",
        "slope of the turn of a step against where the smell comes from; 0: it does not care",
        lambda walks: weathervane(walks).strength,
        weathervane,
    ),
    Definition(
        "thermotaxis",
        "index, -1 to 1",
        "(steps at a comfortable temperature - the others) / all",
        lambda walks: thermotaxis(walks).strength,
        thermotaxis,
        thermal=True,
    ),
)
"""The figures, in the order of tables."""


@dataclass(frozen=True, slots=True)
class BehaviourFigure:
    """One figure of how a brain moves.

    Attributes:
        of: What the figure is.
        value: The brain's, with its 95 % interval over trainings.
        chance: That of a walker by chance in the same dishes.
    """

    of: Definition
    value: Estimate
    chance: Estimate

    @property
    def verdict(self) -> str:
        """Where the value lies: in, below or above the range of literature; nothing without one."""
        band = self.of.literature
        if band is None:
            return ""
        if self.value.value < band.low:
            return "below"
        return "above" if self.value.value > band.high else "within"


@dataclass(frozen=True, slots=True)
class Behaviour:
    """How a brain moves on a task.

    Attributes:
        task: The task's spec.
        groups: How many independent samples stand behind it: trainings, or dishes.
        dishes: How many dishes in all.
        steps: How many steps in all.
        figures: The figures that dishes of this task have.
        curves: How turning depends on the smell, and where it is warm enough, by the figure's name.
        chance_curves: The same of the walker by chance.
        seed: What the dishes were made from; None if nobody says.
    """

    task: str
    groups: int
    dishes: int
    steps: int
    figures: tuple[BehaviourFigure, ...]
    curves: Mapping[str, Curve]
    chance_curves: Mapping[str, Curve]
    seed: int | None = None


def measure_behaviour(task: str, groups: Sequence[Group], seed: int | None = None) -> Behaviour:
    """Return how a brain moves, from the dishes that it played, and how chance does in them.

    Args:
        task: The task's spec.
        groups: The dishes of each training, or single dishes.
        seed: What they were made from, for titles.

    Raises:
        OptionError: There is no such task, or there are too few steps.
    """
    walks = [[walk(task, seed, actions) for seed, actions in group] for group in groups]
    chance = [[play_chance(task, seed) for seed, _ in group] for group in groups]
    thermal = find_task(task).temperature is not None
    known = [one for one in FIGURES if thermal or not one.thermal]
    drawn = [(one.name, one.curve) for one in known if one.curve]
    every, every_chance = list(chain(*walks)), list(chain(*chance))
    return Behaviour(
        task=task,
        groups=len(groups),
        dishes=len(every),
        steps=sum(len(one.turns) for one in every),
        figures=tuple(
            BehaviourFigure(one, _estimate(walks, one.compute), _estimate(chance, one.compute))
            for one in known
        ),
        curves={name: curve(every) for name, curve in drawn},
        chance_curves={name: curve(every_chance) for name, curve in drawn},
        seed=seed,
    )


@lru_cache(maxsize=WALKS)
def play_chance(task: str, seed: int) -> Walk:
    """Return how a walker that takes each action alike often moves on a dish."""
    generator = np.random.default_rng([WALKER_SEED, seed])
    return walk(task, seed, generator.integers(0, len(ACTIONS), find_task(task).max_steps).tolist())


def _estimate(
    groups: Sequence[Sequence[Walk]], compute: Callable[[Sequence[Walk]], float]
) -> Estimate:
    """Return a figure of all walks; each group is left out in turn to see how sure it is."""
    value, n = compute(list(chain(*groups))), len(groups)
    if n < 2 or not math.isfinite(value):
        return Estimate(value, math.nan, math.nan, LEVEL, METHOD, n)
    without = np.array(
        [compute(list(chain(*groups[:k], *groups[k + 1 :]))) for k in range(n)], np.float64
    )
    error = math.sqrt((n - 1) / n * float(((without - without.mean()) ** 2).sum()))
    margin = student_quantile((1 + LEVEL) / 2, n - 1) * error
    return Estimate(value, value - margin, value + margin, LEVEL, METHOD, n)
