"""Measures how many levels the solver proves, and how fast, on one core.

python -m perf.solver
"""

from __future__ import annotations

from collections import Counter
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from ludus.games.platformer import Level
from ludus.games.platformer.generators import generate
from ludus.games.platformer.levels.campaign import campaign_levels
from ludus.games.platformer.levels.solver import SolverResult, solve

LEVELS = 1_000
FEWER = 100


def generated(name: str, n: int, **options: Any) -> list[Level]:
    """Levels of one generator with seeds from 0 on; a difficulty that is a range goes round."""
    ranges = {key: value for key, value in options.items() if isinstance(value, range)}
    fixed: dict[str, Any] = {key: value for key, value in options.items() if key not in ranges}
    turns: list[dict[str, Any]] = [
        {key: r[k % len(r)] for key, r in ranges.items()} for k in range(n)
    ]
    return [generate(name, seed=k, **fixed, **turn) for k, turn in enumerate(turns)]


def sets() -> dict[str, list[Level]]:
    """The levels to check, by what they are."""
    return {
        "ludus, difficulty 0 to 5": generated("ludus", LEVELS, difficulty=range(6)),
        "ludus, difficulty 10": generated("ludus", FEWER, difficulty=10),
        "ludus, many dead ends": generated("ludus", FEWER, dead_ends=40),
        "ludus, switches and keys": generated("ludus", FEWER, switches=20, keys=20),
        "ludus, impossible": generated("ludus", FEWER, impossible=True),
        "notch-framework": generated("notch-framework", FEWER, difficulty=range(6), width=150),
        "campaign-v1": list(campaign_levels().values()),
    }


def row(name: str, results: list[SolverResult]) -> list[str]:
    """One line of the table."""
    counts = Counter(result.outcome for result in results)
    seconds = [result.seconds for result in results]
    within = sum(v.outcome != "unknown" and v.seconds <= 1 for v in results) / len(results)
    return [
        name,
        *(str(counts[outcome]) for outcome in ("solved", "impossible", "unknown")),
        f"{within:.0%}",
        f"{1000 * median(seconds):.1f}",
        f"{1000 * float(np.quantile(seconds, 0.99)):.0f}",
    ]


def main() -> None:
    """Check all sets and print the table."""
    table = Table(title="Can it be finished?")
    table.add_column("levels", no_wrap=True)
    headings = ("solved", "imposs.", "unknown", "in 1 s", "median ms", "99 % ms")
    for heading in headings:
        table.add_column(heading, justify="right")
    for name, levels in sets().items():
        results = [solve(level) for level in track(levels, name, transient=True)]
        table.add_row(*row(name, results))
    Console().print(table)


if __name__ == "__main__":
    main()
