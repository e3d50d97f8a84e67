"""Reads the recordings of the competitions' engines, kept as digests: ``2009.xz``, ``2010.xz``.

A file is one xz stream; decompressed it is

    4 bytes       length of the index, little endian
    the index     JSON: `columns`, `levels` (records as Level.from_record takes them), `samples`
                  (observations in full) and `runs` [name, first line, level, rows, last line]
    actions       a byte for each row of each run
    rows          CRC-32 of the text of each row behind the action, little endian
    columns       CRC-32 of each column of each run, its values joined by line feeds

A row that differs has another digest; the digests of the columns tell which of them differ.

    python -m tests.conformance.recordings FOLDER tests/conformance/2009.xz

packs a folder of recordings (``*.csv.gz``) with its ``levels.jsonl.gz``.
"""

from __future__ import annotations

import gzip
import json
import lzma
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

Digests = npt.NDArray[np.uint32]
Header = dict[str, str]


@dataclass(frozen=True)
class Run:
    """What an engine did with a sequence of actions; the first action is that of construction.

    Attributes:
        name: The file it was recorded in.
        header: The settings of its first line.
        level: The record of its level.
        actions: The buttons of each row.
        rows: The digest of each row.
        columns: The digest of each column, by its name.
        result: The figures of its last line.
    """

    name: str
    header: Header
    level: dict[str, Any]
    actions: bytes
    rows: Digests
    columns: dict[str, int]
    result: Header


def read_settings(line: str) -> Header:
    """Return the settings of a line such as ``#mode=2 timelimit=200``.

    Those of 2010 have ``;`` between them in first lines, and ``,`` in last ones.
    """
    text = line.removeprefix("#").removeprefix("eval ")
    words = text.split(" ; " if " ; " in text else "," if "," in text else " ")
    return dict(word.split("=", 1) for word in words if "=" in word)


def digest_text(text: str) -> int:
    """Return the digest of a row's or a column's text."""
    return crc32(text.encode("ascii"))


def column_digests(rows: Iterable[str]) -> list[int]:
    """Return the digest of each column of these rows."""
    columns = zip(*(row.split(",") for row in rows), strict=True)
    return [digest_text("\n".join(column)) for column in columns]


@cache
def load(file: str) -> tuple[list[Run], list[dict[str, Any]]]:
    """Return the runs and samples of a packed file beside this one."""
    data = lzma.decompress(Path(__file__).with_name(file).read_bytes())
    start = 4 + int.from_bytes(data[:4], "little")
    index = json.loads(data[4:start])
    lengths = [rows for _, _, _, rows, _ in index["runs"]]
    total, names = sum(lengths), index["columns"]
    rows = np.frombuffer(data, "<u4", total, start + total)
    columns = np.frombuffer(data, "<u4", -1, start + 5 * total).reshape(-1, len(names))
    runs, at = [], 0
    for (name, first, level, length, last), digests in zip(index["runs"], columns, strict=True):
        runs.append(
            Run(
                name=name,
                header=read_settings(first),
                level=index["levels"][level],
                actions=data[start + at : start + at + length],
                rows=rows[at : at + length],
                columns=dict(zip(names, digests.tolist(), strict=True)),
                result=read_settings(last),
            )
        )
        at += length
    return runs, index["samples"]


def first_difference(run: Run, rows: list[str]) -> str | None:
    """Describe where the rows of a replay differ from a run, or return None."""
    digests = np.array([digest_text(row) for row in rows], np.uint32)
    shorter = min(len(digests), len(run.rows))
    wrong = np.flatnonzero(digests[:shorter] != run.rows[:shorter])
    if not wrong.size and len(rows) == len(run.rows):
        return None
    if not wrong.size:
        return f"{run.name}: {len(rows)} rows instead of {len(run.rows)}"
    recorded = zip(run.columns.items(), column_digests(rows), strict=True)
    columns = [name for (name, digest), got in recorded if got != digest]
    return f"{run.name}: row {wrong[0]} differs; columns {', '.join(columns)}"


# ---- packing ------------------------------------------------------------------------------------


def read_folder(
    folder: Path, find_level: Callable[[Header, list[dict[str, Any]]], int]
) -> tuple[dict[str, Any], list[bytes]]:
    """Return the index and the arrays of a folder of recordings."""
    levels = _read_lines(folder / "levels.jsonl.gz")
    index: dict[str, Any] = {"levels": levels, "runs": []}
    actions, rows, columns = b"", [], []
    for file in sorted(folder.glob("*.csv.gz")):
        first, names, *lines = gzip.decompress(file.read_bytes()).decode("ascii").splitlines()
        last = lines.pop()
        cells = [line.split(",", 2) for line in lines]
        index["columns"] = names.split(",")[2:]
        level = find_level(read_settings(first), levels)
        index["runs"].append([file.name.split(".")[0], first, level, len(lines), last])
        actions += bytes(int(action) for _, action, _ in cells)
        rows += [digest_text(row) for _, _, row in cells]
        columns += column_digests(row for _, _, row in cells)
    index["samples"] = _read_lines(folder / "obs_samples.jsonl.gz")
    return index, [actions, *(np.array(part, "<u4").tobytes() for part in (rows, columns))]


def _read_lines(file: Path) -> list[dict[str, Any]]:
    if not file.exists():
        return []
    return [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]


def find_level_of_2009(header: Header, levels: list[dict[str, Any]]) -> int:
    """Return the number of the level that a recording of 2009 was made on."""
    keys = ("gen", "seed", "difficulty", "type")
    wanted = [header[key] for key in keys] + [header["length"]]
    described = [[str(level[key]) for key in (*keys, "width")] for level in levels]
    return described.index(wanted)


def find_level_of_2010(header: Header, levels: list[dict[str, Any]]) -> int:
    """Return the number of the level that a recording of 2010 was made on."""
    return [level["id"] for level in levels].index(header["level"])


def pack(folder: Path, to: Path) -> None:
    """Pack a folder of recordings of 2009 or 2010 into a file."""
    find = find_level_of_2010 if "2010" in to.name else find_level_of_2009
    index, arrays = read_folder(folder, find)
    text = json.dumps(index, separators=(",", ":")).encode("ascii")
    data = b"".join([len(text).to_bytes(4, "little"), text, *arrays])
    to.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    pack(Path(sys.argv[1]), Path(sys.argv[2]))
