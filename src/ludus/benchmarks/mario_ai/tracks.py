"""The tracks of ``mario-ai``."""

from __future__ import annotations

from ludus.benchmarks.mario_ai.tracks_2009 import CIG, ICE

__all__ = ["BENCHMARKS"]

BENCHMARKS = (ICE, CIG)
