"""Measures how often a race of two equal agents names a winner, for ways of looking at it.

    python -m perf.peeking

Two agents have the same distribution of scores. Each race has 200 pairs of episodes. A t-test at
the end errs in 5 % of races; the same test after each pair errs far more often; a confidence
sequence keeps its 5 % however often one looks. The last column is the price: the pairs that it
takes to see a difference of half a standard deviation.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

from ludus.stats import StopWhenClear, student_quantile

RACES = 400
PAIRS = 200
FIRST_LOOK = 5

Looks = Callable[[NDArray[np.float64]], int]


def t_test(differences: NDArray[np.float64]) -> bool:
    """Say whether Student's test finds a difference at 5 %."""
    count = len(differences)
    error = differences.std(ddof=1) / np.sqrt(count)
    return bool(abs(differences.mean()) > student_quantile(0.975, count - 1) * error)


def at_the_end(differences: NDArray[np.float64]) -> int:
    """Return the pairs until a test after all pairs finds a difference, 0 if it does not."""
    return len(differences) if t_test(differences) else 0


def each_time(differences: NDArray[np.float64]) -> int:
    """Return the pairs until a test after each pair finds a difference, 0 if none does."""
    looks = range(FIRST_LOOK, len(differences) + 1)
    return next((count for count in looks if t_test(differences[:count])), 0)


def sequence(differences: NDArray[np.float64]) -> int:
    """Return the pairs until the confidence sequence is clear, 0 if it never is."""
    race = StopWhenClear(limit=len(differences))
    race.extend(differences.tolist())
    return race.verdict.pairs if race.verdict.leader is not None else 0


def measure(look: Looks, effect: float) -> tuple[float, float]:
    """Return the share of races with a winner, and the median of their pairs."""
    generator = np.random.default_rng(11)
    pairs = [look(generator.normal(effect, 1.0, PAIRS)) for _ in range(RACES)]
    named = [count for count in pairs if count]
    return len(named) / RACES, float(np.median(named)) if named else float("nan")


def main() -> None:
    """Print the table."""
    table = Table("way of looking", "equal agents: winner named", "effect 0.5: found", "pairs")
    looks = {"t-test, once": at_the_end, "t-test, each pair": each_time, "StopWhenClear": sequence}
    for name, look in looks.items():
        wrong, _ = measure(look, 0.0)
        right, pairs = measure(look, 0.5)
        table.add_row(name, f"{wrong:.1%}", f"{right:.1%}", f"{pairs:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
