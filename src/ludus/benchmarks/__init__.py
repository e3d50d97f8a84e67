"""What is asked, and what it is worth."""

from __future__ import annotations

from ludus.benchmarks.benchmark import Benchmark, Column, Number, Option, Score, TieBreaker
from ludus.benchmarks.registry import benchmarks, find_benchmark

__all__ = [
    "Benchmark",
    "Column",
    "Number",
    "Option",
    "Score",
    "TieBreaker",
    "benchmarks",
    "find_benchmark",
]
