"""Measures how many levels of 200 columns each generator makes in a second, on one core.

python -m perf.generators
"""

from __future__ import annotations

import time
from itertools import count
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from ludus.games.platformer.generators import generate

COLUMNS = 200
REPEATS = 5
SECONDS = 0.5
TARGET = 2_000

ALL_OF_2010: dict[str, Any] = {
    "dead_ends": True,
    "hidden_blocks": True,
    "ladders": True,
    "creatures": "",
}
CASES: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("ludus", "difficulty 0", {"difficulty": 0}),
    ("ludus", "difficulty 10", {"difficulty": 10}),
    ("notch-2009", "difficulty 0", {"difficulty": 0}),
    ("notch-2009", "difficulty 10", {"difficulty": 10}),
    ("notch-framework", "difficulty 0", {"difficulty": 0}),
    ("notch-framework", "difficulty 10", {"difficulty": 10}),
    ("tunable-2010", "difficulty 0", {"difficulty": 0}),
    ("tunable-2010", "difficulty 10", {"difficulty": 10}),
    ("tunable-2010", "difficulty 10, everything on", {"difficulty": 10, **ALL_OF_2010}),
)


def levels_per_second(name: str, options: dict[str, Any]) -> float:
    """Generates levels of rising seeds for a while, into level objects ready to be played."""
    start = time.process_time()
    sized = {**options, "length" if name == "ludus" else "width": COLUMNS}
    for seed in count():
        generate(name, seed=seed, **sized)
        spent = time.process_time() - start
        if spent > SECONDS:
            return (seed + 1) / spent
    raise AssertionError("count never ends")


def main() -> None:
    """Prints the table."""
    table = Table(title=f"Levels of {COLUMNS} columns a second, median of {REPEATS}")
    table.add_column("generator")
    table.add_column("options")
    table.add_column("levels / s", justify="right")
    table.add_column(f"at least {TARGET:,}")
    for name, shown, options in CASES:
        rate = median(levels_per_second(name, options) for _ in range(REPEATS))
        table.add_row(name, shown, f"{rate:,.0f}", "yes" if rate >= TARGET else "no")
    Console().print(table)


if __name__ == "__main__":
    main()
