"""Benchmarks by name."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib.metadata import entry_points

from ludus.benchmarks.benchmark import Benchmark
from ludus.benchmarks.families import families
from ludus.benchmarks.family import import_attribute
from ludus.errors import BenchmarkError

__all__ = ["benchmarks", "find_benchmark", "find_headline", "is_installed"]

MOST_LISTED = 8
MOST_SHOWN = 80


@cache
def benchmarks() -> dict[str, Benchmark]:
    """Return every benchmark by its id: those of Ludus and those of installed packages."""
    return dict(_installed())


def is_installed(benchmark: Benchmark) -> bool:
    """Return whether other processes find this benchmark too, not one that only this one added."""
    return _installed().get(benchmark.id) is benchmark


@cache
def _installed() -> dict[str, Benchmark]:
    known: dict[str, Benchmark] = {}
    for family in families().values():
        for benchmark in import_attribute(family.benchmarks):
            known.setdefault(benchmark.id, benchmark)
    for entry in entry_points(group="ludus.benchmarks"):
        benchmark = entry.load()
        known.setdefault(benchmark.id, benchmark)
    return known


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
        close = get_close_matches(id_[:MOST_SHOWN], known, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise BenchmarkError(
            f"no benchmark {name[:MOST_SHOWN]!r}; {hint}there are {_listed(known)}"
        )
    if version and version != str(known[id_].version):
        raise BenchmarkError(
            f"{id_} has version {known[id_].version} here, not {version}: versions never mix"
        )
    return known[id_]


def find_headline(
    name: str, options: Mapping[str, str] | None = None
) -> tuple[str, Mapping[str, str] | None]:
    """Return the benchmark and the options that a family asks first, or both as they are.

    Args:
        name: A family's name; ids of benchmarks are returned as they are.
        options: The options that are set, which go before those of the headline.

    Example:
        >>> find_headline("nematode")
        ('nematode/foraging-small', {'sensing': 'klinotaxis'})
        >>> find_headline("nematode/foraging-small")
        ('nematode/foraging-small', None)
    """
    family = families().get(name)
    if family is None or not family.headline:
        return name, options
    return family.headline, {**family.headline_options, **(options or {})}


def _listed(known: dict[str, Benchmark]) -> str:
    """Return the ids, those of a large family by its first and last."""
    families: dict[str, list[str]] = {}
    for name in known:
        families.setdefault(name.partition("/")[0], []).append(name)
    words = []
    for ids in families.values():
        words += ids if len(ids) <= MOST_LISTED else [f"{ids[0]} … {ids[-1]}"]
    return ", ".join(words)
