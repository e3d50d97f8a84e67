"""Benchmarks: scenarios, protocols and scoring rules."""

from __future__ import annotations

from ludus.benchmarks.benchmark import Benchmark, Column, Number, Option, Score, TieBreaker
from ludus.benchmarks.families import families
from ludus.benchmarks.family import Command, Family, Starter
from ludus.benchmarks.registry import benchmarks, find_benchmark

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
