"""Measures what counting costs in Java: the same work, plain and judged, in one virtual machine.

    make bench
    python -m perf.java_judge

Each piece runs plain and judged in turn once both are compiled, and the best of the repeats counts,
so that other work on the machine matters little. The units are the same on every machine.
"""

from __future__ import annotations

import math
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from ludus.agents.foreign.java_files import find_archive
from ludus.games.platformer.levels.bundled import bundled_level

SOURCES = Path(__file__).parent / "java"
PIECES = ("Programs.java", "Lookahead.java")
SIZE = 20
REPEATS = 60
MOST_OVERHEAD = 0.32


class Row(NamedTuple):
    """One piece of work: what it costs, and its times in nanoseconds."""

    work: str
    units: int
    plain: int
    judged: int

    @property
    def ratio(self) -> float:
        """How much longer it takes under the judge."""
        return self.judged / self.plain


def measure(folder: Path) -> list[Row]:
    """Compile the pieces, run them, and return a row for each."""
    archive = str(find_archive())
    pieces, measuring, level = folder / "pieces", folder / "measuring", folder / "level.txt"
    _compile(archive, pieces, *PIECES)
    _compile(archive, measuring, "Overhead.java")
    level.write_text(bundled_level("sprint-01").text)
    command = ["java", "-Xbatch", "-XX:+UseSerialGC", "-cp", f"{archive}:{measuring}", "Overhead"]
    command += [str(pieces), str(level), str(SIZE), str(REPEATS)]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in printed.splitlines()]
    return [Row(work, int(units), int(plain), int(judged)) for work, units, plain, judged in rows]


def _compile(archive: str, folder: Path, *names: str) -> None:
    files = [str(SOURCES / name) for name in names]
    subprocess.run(["javac", "--release", "11", "-cp", archive, "-d", folder, *files], check=True)


def overhead(rows: list[Row]) -> float:
    """Return how much longer the work takes under the judge."""
    return math.exp(sum(math.log(row.ratio) for row in rows) / len(rows)) - 1


def main() -> None:
    """Print the table."""
    console = Console()
    with TemporaryDirectory() as folder, console.status("Measuring Java under the judge"):
        rows = measure(Path(folder))
    table = Table("work", "units", "plain, µs", "judged, µs", "ratio", "ns a unit")
    for row in rows:
        table.add_row(
            row.work,
            f"{row.units:,}",
            f"{row.plain / 1000:.0f}",
            f"{row.judged / 1000:.0f}",
            f"{row.ratio:.2f}",
            f"{row.plain / row.units:.2f}",
        )
    console.print(table)
    console.print(
        f"Overhead: {overhead(rows):.0%} (geometric mean; at most {MOST_OVERHEAD:.0%} is the aim)."
    )


if __name__ == "__main__":
    main()
