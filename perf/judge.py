"""Measures what counting costs: the same work with and without the judge, side by side.

    make bench
    python -m perf.judge

Each piece of work runs plain and judged in turn, and the best of the repeats counts, so that other
work on the machine matters little. The units are the same on every machine; the times are not.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from ludus.agents.judge import _counter
from ludus.agents.judge.loading import JudgedCode
from ludus.agents.judge.preparing import take_control

AGENTS = Path(__file__).parents[1] / "tests" / "agents" / "judge" / "agents"
FILES = ("mixed.py", "arrays.py")
SIZE = 100
REPEATS = 25
MOST_OVERHEAD = 0.30
Work = Callable[[int], float]


class Row(NamedTuple):
    """One piece of work: what it costs, and its times in seconds."""

    work: str
    units: int
    plain: float
    judged: float

    @property
    def ratio(self) -> float:
        """How much longer it takes under the judge."""
        return self.judged / self.plain


def load_plain(file: Path) -> ModuleType:
    """Return the module of a file, as Python runs it."""
    spec = spec_from_file_location(f"plain_{file.stem}", file)
    if spec is None or spec.loader is None:
        raise FileNotFoundError(file)
    module = sys.modules[spec.name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(plain: Work, judged: Work, control: _counter.Control) -> Row:
    """Return the units and the best times of one piece of work."""
    control.reset(None)
    judged(SIZE)
    units = control.read()
    times: dict[Work, list[float]] = {plain: [], judged: []}
    for _ in range(REPEATS):
        for work, seconds in times.items():
            started = time.perf_counter()
            work(SIZE)
            seconds.append(time.perf_counter() - started)
    return Row(plain.__name__, units, min(times[plain]), min(times[judged]))


def main() -> None:
    """Print the table."""
    control = take_control()
    code = JudgedCode(AGENTS)
    pairs = [
        (plain, judged)
        for file in FILES
        for plain, judged in zip(
            load_plain(AGENTS / file).WORK, code.load(AGENTS / file).WORK, strict=True
        )
    ]
    rows = [measure(*pair, control) for pair in track(pairs, "Measuring", transient=True)]
    table = Table("work", "units", "plain, µs", "judged, µs", "ratio", "ns a unit")
    for row in rows:
        table.add_row(
            row.work,
            f"{row.units:,}",
            f"{row.plain * 1e6:.0f}",
            f"{row.judged * 1e6:.0f}",
            f"{row.ratio:.2f}",
            f"{row.plain * 1e9 / row.units:.1f}",
        )
    console = Console()
    console.print(table)
    console.print(
        f"Overhead: {overhead(rows):.0%} (geometric mean of all but 'executed', whose texts the "
        f"judge compiles once; the aim is {MOST_OVERHEAD:.0%} under Python 3.11)."
    )


def overhead(rows: list[Row]) -> float:
    """Return how much longer the work takes under the judge."""
    ratios = [row.ratio for row in rows if row.work != "executed"]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) - 1


if __name__ == "__main__":
    main()
