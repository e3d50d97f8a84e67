"""Benchmarks: scenarios, protocols and scoring rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludus.benchmarks.families import families
from ludus.benchmarks.family import Command, Family, Starter
from ludus.lazy_names import lazy_names

if TYPE_CHECKING:
    from ludus.benchmarks.benchmark import Benchmark, Column, Number, Option, Score, TieBreaker
    from ludus.benchmarks.registry import benchmarks, find_benchmark
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "benchmark": ["Benchmark", "Column", "Number", "Option", "Score", "TieBreaker"],
            "registry": ["benchmarks", "find_benchmark"],
        },
    )

__all__ = [
    "Benchmark",
    "Column",
    "Command",
    "Family",
    "Number",
    "Option",
    "Score",
    "Starter",
    "TieBreaker",
    "benchmarks",
    "families",
    "find_benchmark",
]
