"""Measures how often 95 % intervals of a mean hold it, at the sizes that benchmarks use.

    python -m perf.coverage

Samples of 10, 20 and 50 scores are drawn from distributions whose mean is known. The share of the
intervals that hold it should be 95 %, and 93 % at least. The first table is of scores within known
bounds, the second of scores whose bounds nobody knows; their interval says how many episodes it
needs where it does not hold yet. Widths are medians, in ranges or deviations.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ludus.stats.intervals import Estimate, MeanMethod, mean_intervals

Array = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Array]

SIMULATIONS = 4_000
RESAMPLES = 1_000
SIZES = (10, 20, 50)
WINS = 0.45


class Scores(NamedTuple):
    """Scores with a known mean."""

    draw: Draw
    mean: float


def draw_rate(chance: float) -> Scores:
    """Return scores that are 1 with a chance, else 0."""
    return Scores(lambda g, shape: np.where(g.random(shape) < chance, 1.0, 0.0), chance)


def draw_modes(share: float) -> Scores:
    """Return scores about 0.8 in a share of the episodes, and about 0.2 in the others."""

    def draw(generator: np.random.Generator, shape: tuple[int, int]) -> Array:
        modes = np.where(generator.random(shape) < share, 0.8, 0.2)
        return np.asarray(modes + generator.uniform(-0.1, 0.1, shape), np.float64)

    return Scores(draw, 0.2 + 0.6 * share)


BOUNDED: Mapping[str, Scores] = {
    "uniform": Scores(lambda g, shape: g.random(shape), 0.5),
    "normal, sd 0.1": Scores(lambda g, shape: np.clip(g.normal(0.5, 0.1, shape), 0, 1), 0.5),
    "rate 0.5": draw_rate(0.5),
    "rate 0.1": draw_rate(0.1),
    "rate 0.02": draw_rate(0.02),
    "bimodal 50 : 50": draw_modes(0.5),
    "bimodal 80 : 20": draw_modes(0.2),
    "bimodal 95 : 5": draw_modes(0.05),
    "levels, 45 % won": Scores(
        lambda g, shape: np.where(g.random(shape) < WINS, 1.0, g.beta(2, 3, shape)),
        WINS + (1 - WINS) * 0.4,
    ),
    "skewed, beta(0.2, 2)": Scores(lambda g, shape: g.beta(0.2, 2, shape), 0.2 / 2.2),
}
UNBOUNDED: Mapping[str, Scores] = {
    "normal": Scores(lambda g, shape: g.normal(size=shape), 0.0),
    "rate 0.5": draw_rate(0.5),
    "rate 0.1": draw_rate(0.1),
    "rate 0.02": draw_rate(0.02),
    "bimodal 50 : 50": draw_modes(0.5),
    "bimodal 80 : 20": draw_modes(0.2),
    "exponential": Scores(lambda g, shape: g.exponential(size=shape), 1.0),
    "lognormal": Scores(lambda g, shape: g.lognormal(size=shape), math.exp(0.5)),
    "Pareto, index 3": Scores(lambda g, shape: g.pareto(3, shape), 0.5),
    "Student's t, 3 df": Scores(lambda g, shape: g.standard_t(3, shape), 0.0),
}


def measure(
    scores: Scores, size: int, simulations: int, method: MeanMethod, *, bounded: bool
) -> tuple[float, float, float]:
    """Return the share of intervals that hold the mean, that say more is needed, and the width."""
    columns = scores.draw(np.random.default_rng(size), (size, simulations))
    bounds = (0.0, 1.0) if bounded and method == "auto" else None
    found = mean_intervals(columns, 0.95, method, bounds=bounds, resamples=RESAMPLES)
    held = np.mean([estimate.low <= scores.mean <= estimate.high for estimate in found])
    asks = np.mean([_asks_for_more(estimate) for estimate in found])
    return float(held), float(asks), float(np.nanmedian([2 * one.margin for one in found]))


def _asks_for_more(estimate: Estimate) -> bool:
    return estimate.needs > estimate.n


def tabulate(
    title: str,
    kinds: Mapping[str, Scores],
    methods: Mapping[str, MeanMethod],
    options: argparse.Namespace,
    progress: Progress,
) -> Table:
    """Return the table of coverage by distribution, size and method."""
    table = Table("scores", "n", *methods, title=title)
    bar = progress.add_task(title, total=len(kinds) * len(SIZES) * len(methods))
    for name, scores in kinds.items():
        for size in SIZES:
            cells = []
            for method in methods.values():
                bounded = kinds is BOUNDED
                cells.append(_cell(*measure(scores, size, options.n, method, bounded=bounded)))
                progress.advance(bar)
            table.add_row(name, str(size), *cells)
    return table


def _cell(held: float, asks: float, width: float) -> str:
    asking = f" (asks for more: {asks:.0%})" if asks else ""
    return f"{held:.1%}, width {width:.2f}{asking}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="How often do intervals hold the mean?")
    parser.add_argument("-n", type=int, default=SIMULATIONS, help="samples of each kind and size")
    options = parser.parse_args(arguments)
    console = Console(width=130)
    with Progress(console=console, transient=True) as progress:
        within: dict[str, MeanMethod] = {"gaffke": "auto", "t": "t", "bca": "bca"}
        without: dict[str, MeanMethod] = {"hall": "hall", "t": "t", "bca": "bca"}
        tables = [
            tabulate("scores within bounds", BOUNDED, within, options, progress),
            tabulate("scores without bounds", UNBOUNDED, without, options, progress),
        ]
    for table in tables:
        console.print(table)


if __name__ == "__main__":
    main()
