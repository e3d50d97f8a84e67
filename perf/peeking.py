"""Measures how often a race of two equal agents is stopped for a winner, and what stopping costs.

    python -m perf.peeking

Paired differences of scores come one by one and are looked at after each, up to 1,000 times. Their
mean is zero, so every stop is an error; 5 % are allowed. They are normal, exponential, lognormal,
−1, 0 or 1, rare events, or levels of unequal difficulty in random order, all within ±1, the range
of scores from 0 to 1. Four ways of looking are compared: Student's t-test, the t-test that is
averaged over effects, which holds for normal differences alone, the betting confidence sequence,
and the bets by which ``ludus race --stop-when-clear`` stops.

The second table is the price: how many pairs of episodes the bets take to find real differences.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ludus.stats import BettingTest, student_quantile
from ludus.stats.sequential import _Betting, _Mixture

Array = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Array]
Looks = Callable[[Array], Iterator[NDArray[np.bool_]]]

LEVEL = 0.95
SIMULATIONS = 4_000
LOOKS = 1_000
FIRST_LOOK = 5
GRID = (498, 499, 500, 501, 502)  # of the 1,001 means against which the sequence bets
CUT = 0.9999


def _cut_lognormal() -> tuple[float, float]:
    """Return where the lognormal is cut off, and the mean of what is left of it."""
    sample = np.random.default_rng(0).lognormal(size=4_000_000)
    edge = float(np.quantile(sample, CUT))
    return edge, float(np.minimum(sample, edge).mean())


EDGE, EDGE_MEAN = _cut_lognormal()


def draw_normal(generator: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Return normal differences, cut at four deviations."""
    return np.clip(generator.normal(size=shape) / 4, -1, 1)


def draw_wins(generator: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Return differences of wins and losses."""
    return generator.choice([-1.0, 0.0, 1.0], shape, p=[0.2, 0.6, 0.2])


def draw_exponential(generator: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Return exponential differences less their mean, cut at ten means."""
    return (np.minimum(generator.exponential(size=shape), 10) - (1 - math.exp(-10))) / 10


def draw_lognormal(generator: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Return lognormal differences less their mean, cut where one in 10,000 lies."""
    return (np.minimum(generator.lognormal(size=shape), EDGE) - EDGE_MEAN) / EDGE


def draw_rare(generator: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Return small losses and, once in a hundred times, a gain that makes up for them."""
    return np.where(generator.random(shape) < 0.01, 0.99, -0.01)


def draw_levels(generator: np.random.Generator, shape: tuple[int, int]) -> Array:
    """Return differences on ten levels, each kind to one of the agents, in random order."""
    kindness = np.resize(np.linspace(-0.6, 0.6, 10), shape[0])[:, np.newaxis]
    ordered = generator.permuted(np.broadcast_to(kindness, shape), axis=0)
    return ordered + generator.uniform(-0.2, 0.2, shape)


NULLS: dict[str, Draw] = {
    "normal": draw_normal,
    "−1, 0, 1": draw_wins,
    "exponential": draw_exponential,
    "lognormal": draw_lognormal,
    "rare event (1 %)": draw_rare,
    "levels": draw_levels,
}
EFFECTS: dict[str, tuple[Draw, float]] = {
    "normal, 0.1 of the range, sd 0.2": (lambda g, s: np.clip(0.8 * draw_normal(g, s), -1, 1), 0.1),
    "normal, 0.2 of the range, sd 0.2": (lambda g, s: np.clip(0.8 * draw_normal(g, s), -1, 1), 0.2),
    "normal, 0.5 of the range, sd 0.2": (lambda g, s: np.clip(0.8 * draw_normal(g, s), -1, 1), 0.5),
    "wins 20 % of races, loses 10 %": (
        lambda g, s: g.choice([-1.0, 0.0, 1.0], s, p=[0.1, 0.7, 0.2]),
        0.0,
    ),
    "wins 50 %, loses 10 %": (lambda g, s: g.choice([-1.0, 0.0, 1.0], s, p=[0.1, 0.4, 0.5]), 0.0),
    "wins 90 %, loses none": (lambda g, s: g.choice([0.0, 1.0], s, p=[0.1, 0.9]), 0.0),
}


def look_by_t_test(differences: Array) -> Iterator[NDArray[np.bool_]]:
    """Yield after each pair which races Student's test at 5 % would stop."""
    sums, squares = np.cumsum(differences, axis=0), np.cumsum(differences**2, axis=0)
    for count in range(FIRST_LOOK, len(differences) + 1):
        mean = sums[count - 1] / count
        variance = np.maximum(squares[count - 1] - count * mean**2, 0) / (count - 1)
        margin = student_quantile((1 + LEVEL) / 2, count - 1) * np.sqrt(variance / count)
        yield np.abs(mean) > margin


def look_by_mixture(differences: Array) -> Iterator[NDArray[np.bool_]]:
    """Yield after each pair which races the t-test averaged over effects would stop."""
    state = _Mixture(LEVEL, 0.5)
    for row in differences:
        state.add(row)
        low, high = state.limits()
        yield (low > 0) | (high < 0)


def look_by_sequence(differences: Array) -> Iterator[NDArray[np.bool_]]:
    """Yield after each pair which races the betting confidence sequence would stop."""
    state = _Betting(LEVEL)
    middle = np.array(GRID)
    state.grid = state.grid[middle]
    state.above = state.below = np.zeros(len(middle))
    state.open = np.ones(len(middle), bool)
    for row in (differences + 1) / 2:
        state.add(row)
        yield ~state.open[..., GRID.index(500)]


def look_by_bets(differences: Array) -> Iterator[NDArray[np.bool_]]:
    """Yield after each pair which races ``--stop-when-clear`` would stop."""
    above, below = (BettingTest(differences.shape[1]) for _ in range(2))
    hurdle = math.log(2 / (1 - LEVEL))
    for row in differences:
        above.add(row)
        below.add(-row)
        yield (above.evidence >= hurdle) | (below.evidence >= hurdle)


WAYS: dict[str, Looks] = {
    "t-test": look_by_t_test,
    "mixture": look_by_mixture,
    "sequence": look_by_sequence,
    "--stop-when-clear": look_by_bets,
}


def find_stops(look: Looks, differences: Array) -> NDArray[np.int_]:
    """Return after how many pairs each race is stopped; 0 if it is not."""
    stops = np.zeros(differences.shape[1], int)
    first = FIRST_LOOK if look is look_by_t_test else 1
    for count, stopped in enumerate(look(differences), start=first):
        stops = np.where((stops == 0) & stopped, count, stops)
    return stops


def measure_errors(simulations: int, looks: int, progress: Progress) -> Table:
    """Return the table of races of equals that are stopped."""
    table = Table("differences", *WAYS, title=f"equals stopped, {looks} looks, {simulations} races")
    bar = progress.add_task("errors", total=len(NULLS) * len(WAYS))
    for name, draw in NULLS.items():
        differences = draw(np.random.default_rng(11), (looks, simulations))
        shares = []
        for look in WAYS.values():
            shares.append(f"{(find_stops(look, differences) > 0).mean():.1%}")
            progress.advance(bar)
        table.add_row(name, *shares)
    return table


def measure_price(simulations: int, looks: int, progress: Progress) -> Table:
    """Return the table of pairs that it takes to find real differences."""
    table = Table("difference", "found", "mean pairs", title="the price of --stop-when-clear")
    bar = progress.add_task("price", total=len(EFFECTS))
    for name, (draw, effect) in EFFECTS.items():
        sample = draw(np.random.default_rng(12), (looks, simulations)) + effect
        stops = find_stops(look_by_bets, np.clip(sample, -1, 1))
        table.add_row(name, f"{(stops > 0).mean():.0%}", f"{stops[stops > 0].mean():.0f}")
        progress.advance(bar)
    return table


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--simulations", type=int, default=SIMULATIONS)
    parser.add_argument("--looks", type=int, default=LOOKS)
    options = parser.parse_args()
    console = Console()
    with Progress(console=console, transient=True) as progress:
        errors = measure_errors(options.simulations, options.looks, progress)
        price = measure_price(options.simulations, options.looks, progress)
    console.print(errors)
    console.print(price)


if __name__ == "__main__":
    main()
