"""How long 100,000 rows of mario-arena take to score: ``python -m perf.score_rows``.

Prints the least processor time of several runs in one process, with that of ten million turns
of a loop beside it, which tells how busy the machine was.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

from ludus.benchmarks.mario_arena.score_files import score_files

ROWS = 100_000
RUNS = 3
HEAD = "model,world,stage,completed,max_x_pos,steps,coins,time_remaining\n"


def write_rows(path: Path) -> None:
    """Write rows of eight models in all levels."""
    draw = random.Random(1)
    with path.open("w") as file:
        file.write(HEAD)
        for _ in range(ROWS):
            place = f"model-{draw.randrange(8)},{draw.randint(1, 8)},{draw.randint(1, 4)}"
            result = f"{draw.random() < 0.4},{draw.randint(100, 3300)},{draw.randint(100, 4000)}"
            file.write(f"{place},{result},{draw.randint(0, 60)},{draw.randint(0, 400)}\n")


def measure(work: Callable[[], object]) -> float:
    """Return the least processor seconds of several runs."""
    times = []
    for _ in range(RUNS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return min(times)


def main() -> None:
    """Write rows, score them, print the time."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        write_rows(path)
        scoring = measure(lambda: score_files(path, "standard"))
    adding = measure(lambda: [None for n in range(10_000_000) if n < 0])
    print(f"{ROWS:,} rows of mario-arena: {scoring:.2f} s; ten million turns: {adding:.2f} s")


if __name__ == "__main__":
    main()
