"""Does it move like a worm? The chemotaxis index and the two ways worms climb a gradient.

- the index: how much more of its time a worm spends near food than away from it
- klinokinesis: it turns more often while the smell fades than while it grows
- weathervane: it curves towards the side the smell comes from

None of this enters the score.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludus.errors import OptionError
from ludus.games.worm import ACTIONS, Batch, World, find_task
from ludus.games.worm.chemotaxis import chemotaxis_index

__all__ = [
    "LEVELS",
    "LITERATURE",
    "Curve",
    "Literature",
    "Walk",
    "chance_index",
    "klinokinesis",
    "level",
    "level_number",
    "thermotaxis",
    "walk",
    "weathervane",
]

LEVELS = ((0.75, "excellent"), (0.60, "target"), (0.40, "minimum"))
NONE = "none"
FEWEST = 10  # steps
BINS = 8
WARMTH = 3.0  # °C of a bin
DISHES = 200
GRID_TURNS = {"left": math.pi / 2, "right": -math.pi / 2}
WALKER_SEED = 0


class Literature(NamedTuple):
    """What was measured on real worms, as the reference project transcribed it.

    Attributes:
        attractant: What they were drawn by.
        typical: The usual index.
        low: The lowest of the range.
        high: The highest.
        source: Where it was published.
    """

    attractant: str
    typical: float
    low: float
    high: float
    source: str


LITERATURE = (
    Literature("bacteria", 0.70, 0.50, 0.85, "Bargmann et al. 1993, Cell 74:515"),
    Literature("diacetyl", 0.75, 0.60, 0.90, "Bargmann & Horvitz 1991, Cell 65:837"),
    Literature("NaCl", 0.60, 0.40, 0.80, "Saeki et al. 2001, Neuron 32:249"),
    Literature("food", 0.65, 0.45, 0.80, "Pierce-Shimomura et al. 1999, J Neurosci 19:9557"),
    Literature("benzaldehyde", 0.72, 0.55, 0.88, "Ferkey et al. 2007, Genetics 175:43"),
)


# ---- the index


def level(value: float) -> str:
    """Return what a chemotaxis index is called.

    Example:
        >>> level(0.39), level(0.4), level(0.6), level(0.75)
        ('none', 'minimum', 'target', 'excellent')
    """
    return next((name for lowest, name in LEVELS if round(value, 12) >= lowest), NONE)


def level_number(value: float) -> int:
    """Return the level of an index as a number: 0 for none to 3 for excellent."""
    return sum(round(value, 12) >= lowest for lowest, _ in LEVELS)


@cache
def chance_index(task: str, episodes: int = DISHES) -> float:
    """Return the mean index of a walker that takes each action alike often: what chance gives.

    Args:
        task: The task's name.
        episodes: How many dishes it walks through.

    Raises:
        OptionError: There is no such task.
    """
    dish = find_task(task)
    generator = np.random.default_rng(WALKER_SEED)
    batch = Batch(dish, episodes)
    batch.begin(list(range(episodes)))
    for _ in range(dish.max_steps):
        batch.step(generator.integers(0, 4, episodes, dtype=np.int32))
        if batch.ended.all():
            break
    figures = batch.figures()
    pairs = zip(figures["in_zone"].tolist(), figures["positions"].tolist(), strict=True)
    return fmean(chemotaxis_index(near, count) for near, count in pairs)


# ---- how it turns


@dataclass(frozen=True, slots=True)
class Walk:
    """How a worm moved, step by step.

    Attributes:
        turns: The angle it chose to turn by, in radians, left being positive; 0 for straight on.
        changes: By how much the step before had changed the smell.
        bearings: The angle from its heading to where the smell grows, left being positive.
        temperatures: How much warmer its place was than the temperature it was raised at, in °C;
            empty where there is no temperature.
        index: Its chemotaxis index.
        comfort: The share of steps at a comfortable temperature; nan where there is none.
    """

    turns: NDArray[np.float64]
    changes: NDArray[np.float64]
    bearings: NDArray[np.float64]
    temperatures: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    index: float = math.nan
    comfort: float = math.nan


STEP_BY_STEP = ("turns", "changes", "bearings", "temperatures")
"""What a walk has for every step."""


@dataclass(frozen=True, slots=True)
class Curve:
    """How turning depends on something.

    Attributes:
        positions: The mean of that something in each of its bins.
        values: The mean of the turning in it.
        errors: The standard error of each.
        counts: How many steps are in each.
        strength: The curve in one number, see the function that made it.
    """

    positions: NDArray[np.float64]
    values: NDArray[np.float64]
    errors: NDArray[np.float64]
    counts: NDArray[np.int64]
    strength: float


def klinokinesis(walks: Iterable[Walk], *, bins: int = BINS) -> Curve:
    """Return how often a worm turns, by how the smell just changed.

    Its strength is the share of turns while the smell fades over that while it grows: 1 means that
    it does not care, worms have more.

    Raises:
        OptionError: There are too few steps.
    """
    joined = _join(walks)
    turned = (joined.turns != 0).astype(np.float64)
    fades, grows = joined.changes < 0, joined.changes > 0
    calm = turned[grows].mean() if grows.any() else 0.0
    hasty = turned[fades].mean() if fades.any() else 0.0
    strength = float(hasty / calm) if calm else math.inf if hasty else 1.0
    edges = np.unique(np.quantile(joined.changes, np.linspace(0, 1, bins + 1)))
    return _bin(joined.changes, turned, edges, strength)


def thermotaxis(walks: Iterable[Walk]) -> Curve:
    """Return which share of its steps a worm spends how far from the temperature it was raised at.

    Its strength is (steps at a comfortable temperature - the others) / all, mean over the walks.

    Raises:
        OptionError: There are too few steps, or there is no temperature.
    """
    several = list(walks)
    off = _join(several).temperatures
    if not len(off):
        raise OptionError("the worms were on a dish without temperature: try a thermal task")
    _, numbers = np.unique(np.floor(off / WARMTH), return_inverse=True)
    counts = np.bincount(numbers)
    shares = counts / len(off)
    errors = np.sqrt(shares * (1 - shares) / len(off))
    strength = 2 * fmean(one.comfort for one in several) - 1
    return Curve(np.bincount(numbers, off) / counts, shares, errors, counts, strength)


def weathervane(walks: Iterable[Walk], *, bins: int = BINS) -> Curve:
    """Return by how much a worm curves, by where the smell comes from.

    Its strength is the slope of turning against bearing, in radians per radian: 0 means that it
    does not care, worms have more.

    Raises:
        OptionError: There are too few steps.
    """
    joined = _join(walks)
    centred = joined.bearings - joined.bearings.mean()
    spread = float(centred @ centred)
    strength = float(centred @ joined.turns) / spread if spread else 0.0
    return _bin(joined.bearings, joined.turns, np.linspace(-math.pi, math.pi, bins + 1), strength)


def _join(walks: Iterable[Walk]) -> Walk:
    several = list(walks)
    steps = sum(len(walk_.turns) for walk_ in several)
    if steps < FEWEST:
        raise OptionError(f"{steps} steps are too few to see how a worm turns: give {FEWEST}")
    columns = ([getattr(walk_, name) for walk_ in several] for name in STEP_BY_STEP)
    turns, changes, bearings, temperatures = (np.concatenate(column) for column in columns)
    return Walk(turns, changes, bearings, temperatures)


def _bin(
    positions: NDArray[np.float64],
    values: NDArray[np.float64],
    edges: NDArray[np.float64],
    strength: float,
) -> Curve:
    """Return the mean of values in each bin that has any."""
    if len(edges) < 2:
        edges = np.array([edges[0] - 0.5, edges[0] + 0.5])
    which = np.clip(np.searchsorted(edges, positions, "right") - 1, 0, len(edges) - 2)
    counts = np.bincount(which, minlength=len(edges) - 1)
    filled = counts > 0
    n = np.maximum(counts, 1)
    means = np.bincount(which, values, minlength=len(counts)) / n
    squares = np.bincount(which, values**2, minlength=len(counts)) / n
    errors = np.sqrt(np.maximum(squares - means**2, 0) / n)
    centres = np.bincount(which, positions, minlength=len(counts)) / n
    return Curve(centres[filled], means[filled], errors[filled], counts[filled], strength)


def walk(task: str, seed: int, actions: Iterable[int]) -> Walk:
    """Return how a worm moved that took these actions on a dish.

    Args:
        task: The task's name.
        seed: The dish's seed.
        actions: One a step, until the episode ends.
    """
    world = World(find_task(task), seed)
    change = 0.0
    steps: list[tuple[float, float, float]] = []
    places: list[tuple[float, float]] = []
    for action in actions:
        if world.ended:
            break
        heading, bearing = world.heading, _bearing(world)
        places.append(world.worm)
        world.step(action)
        steps.append((_find_turn(world, action, heading), change, bearing))
        # Both in the smell as it is now: food that was eaten or came new is no move of the worm.
        now, before = world.concentration(*zip(world.worm, places[-1], strict=True))
        change = float(now - before)
    return _finish_walk(world, np.array(steps, np.float64).reshape(-1, 3), places)


def _finish_walk(
    world: World, steps: NDArray[np.float64], places: Sequence[tuple[float, float]]
) -> Walk:
    figures, heat = world.figures(), world.task.temperature
    turns, changes, bearings = steps.T
    index = chemotaxis_index(figures["in_zone"], figures["positions"])
    if heat is None:
        return Walk(turns, changes, bearings, index=index)
    off = world.temperature(*np.array(places, np.float64).reshape(-1, 2).T) - heat.cultivation
    comfort = figures["comfort"] / max(figures["steps"], 1)
    return Walk(turns, changes, bearings, off, index, comfort)


def _find_turn(world: World, action: int, heading: float) -> float:
    """Return the angle that a worm chose to turn by, from the heading that it had before.

    A wall of a grid holds worms that turn towards it. These turns count as well: without them
    everybody would seem to turn away from walls, which is where the food is.
    """
    if world.task.substrate == "grid":
        return GRID_TURNS.get(ACTIONS[action], 0.0)
    return _wrap_angle(world.heading - heading)


def _bearing(world: World) -> float:
    """Return the angle from a worm's heading to where the smell grows fastest."""
    x, y = world.worm
    right, left, up, down = world.concentration([x + 1, x - 1, x, x], [y, y, y + 1, y - 1])
    return _wrap_angle(math.atan2(up - down, right - left) - world.heading)


def _wrap_angle(angle: float) -> float:
    return math.remainder(angle, 2 * math.pi)
