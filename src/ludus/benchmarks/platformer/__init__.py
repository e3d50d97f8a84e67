"""Benchmarks that are played in the platformer and belong to no competition."""

from __future__ import annotations

from ludus.benchmarks.platformer.bundled import BUNDLED_LEVELS
from ludus.benchmarks.platformer.daily import DAILY
from ludus.benchmarks.platformer.punctual import PUNCTUAL
from ludus.benchmarks.platformer.sprint import SPRINT

__all__ = ["BENCHMARKS"]

BENCHMARKS = (SPRINT, BUNDLED_LEVELS, PUNCTUAL, DAILY)
