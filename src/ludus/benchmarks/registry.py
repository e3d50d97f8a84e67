"""Benchmarks by name."""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from ludus.benchmarks.benchmark import Benchmark
from ludus.benchmarks.platformer.bundled import BUNDLED_LEVELS
from ludus.benchmarks.platformer.sprint import SPRINT
from ludus.errors import BenchmarkError

__all__ = ["benchmarks", "find_benchmark"]

MOST_LISTED = 8

FAMILIES = (
    "ludus.benchmarks.mario_arena.tracks",
    "ludus.benchmarks.diplomacy.protocols",
    "ludus.benchmarks.nematode.family",
)
"""Modules with ``BENCHMARKS``, imported when somebody asks for benchmarks."""


@cache
def benchmarks() -> dict[str, Benchmark]:
    """Return every benchmark by its id: those of Ludus and those of installed packages."""
    found = {benchmark.id: benchmark for benchmark in (SPRINT, BUNDLED_LEVELS)}
    for family in FAMILIES:
        found |= {one.id: one for one in import_module(family).BENCHMARKS}
    for entry in entry_points(group="ludus.benchmarks"):
        benchmark: Benchmark = entry.load()
        found.setdefault(benchmark.id, benchmark)
    return found


def find_benchmark(name: str) -> Benchmark:
    """Return the benchmark of this id, in the version that this Ludus plays.

    Args:
        name: The id, with or without its version: ``platformer/sprint`` or ``platformer/sprint@1``.

    Raises:
        BenchmarkError: There is none of this id or version.
    """
    known = benchmarks()
    id_, _, version = name.partition("@")
    if id_ not in known:
        close = get_close_matches(id_, known, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise BenchmarkError(f"no benchmark {name!r}; {hint}there are {_listed(known)}")
    if version and version != str(known[id_].version):
        raise BenchmarkError(
            f"{id_} has version {known[id_].version} here, not {version}: versions never mix"
        )
    return known[id_]


def _listed(known: dict[str, Benchmark]) -> str:
    """Return the ids, those of a large family by its first and last."""
    families: dict[str, list[str]] = {}
    for name in known:
        families.setdefault(name.partition("/")[0], []).append(name)
    words = []
    for own in families.values():
        words += own if len(own) <= MOST_LISTED else [f"{own[0]} … {own[-1]}"]
    return ", ".join(words)
