"""Measures how much memory the worst files take that are known, each read by a process of its own.

    python -m perf.memory [SHARE]

A file has a SHARE of the size and of the values that are the most of its kind; an eighth if not
given. Memory grows in proportion to both, so the last column is what a file at its limits takes.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from ludus.array_files import read_arrays
from ludus.benchmarks.score_files import score_files
from ludus.boards.ledger_files import read_ledger_file
from ludus.errors import LudusError
from ludus.foreign_files import (
    JSON_BYTES,
    JSON_VALUES,
    LEDGER_BYTES,
    LEVEL_BYTES,
    LINE_BYTES,
    LINE_VALUES,
    MB,
    TABLE_ROWS,
    UNPACKED_BYTES,
)
from ludus.games.platformer.formats import read_level
from ludus.json_files import NotJson, read_json
from ludus.runs.exchange import read_run

SHARE = Fraction(1, 8)


class Kind(NamedTuple):
    """A kind of file.

    Attributes:
        name: What the file is called; its ending says how it is read.
        write: Writes the worst file that is known, a share of the largest.
        read: Reads it, or refuses it.
        stated: How many megabytes it may take at its limits.
    """

    name: str
    write: Callable[[Path, Fraction], None]
    read: Callable[[Path], object]
    stated: int


def _write_values(path: Path, most_bytes: int, most_values: int) -> None:
    """Write as many small objects as there may be, and a text of four bytes a letter."""
    objects = most_values // 2 - 1
    wide = "\U0001f41b" * ((most_bytes - 8 * objects) // 4 - 64)
    with path.open("w", encoding="utf-8") as file:
        file.write('{"ludus": "run", "plan": [' + '{"a":1},' * objects + "0]")
        file.write(f', "x": "{wide}", "digest": "{"0" * 64}"}}')


def write_json(path: Path, share: Fraction) -> None:
    """Write a file of JSON."""
    _write_values(path, int(JSON_BYTES * share), int(JSON_VALUES * share))


def write_run(path: Path, share: Fraction) -> None:
    """Write a run of one line."""
    _write_values(path, int(LINE_BYTES * share), int(LINE_VALUES * share))


def write_ledger(path: Path, share: Fraction) -> None:
    """Write a ledger of short lines."""
    fields = dict.fromkeys(("at", "kind", "benchmark", "previous", "digest"), "xx")
    numbers = {"number": 999, "version": 999}
    line = json.dumps({"ludus": "ledger", **numbers, **fields, "text": "{}"}) + "\n"
    with path.open("w") as file:
        for _ in range(int(LEDGER_BYTES * share) // len(line)):
            file.write(line)


def write_table(path: Path, share: Fraction) -> None:
    """Write a table of as many rows as there may be."""
    with path.open("w") as file:
        file.write("world,stage,completed,max_x_pos,steps,coins,time_remaining\n")
        for _ in range(int(TABLE_ROWS * share)):
            file.write("1,1,0,1456,892,7,0\n")


def write_arrays(path: Path, share: Fraction) -> None:
    """Write an archive of noughts."""
    import numpy as np

    np.savez_compressed(path, a=np.zeros(int(UNPACKED_BYTES * share) - 1024, np.uint8))


def write_level(path: Path, share: Fraction) -> None:
    """Write a level of a thousand rows."""
    path.write_text(f"M{'o' * (int(LEVEL_BYTES * share) // 1_000 - 2)}\n" * 1_000)


KINDS = {
    kind.name: kind
    for kind in (
        Kind("file.json", write_json, read_json, 1_000),
        Kind("run.jsonl", write_run, read_run, 5_000),
        Kind("ledger.jsonl", write_ledger, read_ledger_file, 5_000),
        Kind("table.csv", write_table, lambda path: score_files("mario-arena", path), 2_000),
        Kind("arrays.npz", write_arrays, read_arrays, 1_500),
        Kind("level.txt", write_level, read_level, 100),
    )
}

READ = """
import gc, os, sys
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from perf.memory import read_or_refuse
for path in sys.argv[1:]:
    if not os.fork():
        gc.collect()  # has the pages that are shared with the parent copied
        before = getrusage(RUSAGE_SELF).ru_maxrss
        read_or_refuse(Path(path))
        print(getrusage(RUSAGE_SELF).ru_maxrss - before, flush=True)
        os._exit(0)
    os.wait()
"""


def read_or_refuse(path: Path) -> None:
    """Read a file as its name says; a refusal is as good."""
    with suppress(LudusError, NotJson, OSError):
        KINDS[path.name].read(path)


def measure(share: Fraction) -> dict[str, float]:
    """Return the megabytes that a share of the worst files takes beyond those of the process."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS.values():
            kind.write(Path(folder) / kind.name, share)
        paths = [str(Path(folder) / name) for name in KINDS]
        command = [sys.executable, "-c", READ, *paths]
        said = subprocess.run(command, capture_output=True, text=True, check=True)
    taken = [int(line) * 1024 / MB for line in said.stdout.splitlines()]
    return dict(zip(KINDS, taken, strict=True))


def main(words: list[str]) -> None:
    """Print the table."""
    share = Fraction(words[0]) if words else SHARE
    table = Table(title=f"Files of {share} of the largest size, each in a process of its own")
    for heading in ("file", "memory, MB", "at its limits, MB", "stated, MB"):
        table.add_column(heading, justify="left" if heading == "file" else "right")
    for name, taken in measure(share).items():
        stated = f"{KINDS[name].stated:,}"
        table.add_row(name, f"{taken:,.0f}", f"{taken / share:,.0f}", stated)
    Console().print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
