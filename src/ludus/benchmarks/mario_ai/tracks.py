"""The tracks of ``mario-ai``."""

from __future__ import annotations

from ludus.benchmarks.mario_ai.gameplay_ludus import GAMEPLAY_LUDUS
from ludus.benchmarks.mario_ai.learning import LEARNING_TRACKS
from ludus.benchmarks.mario_ai.tracks_2009 import CIG, ICE
from ludus.benchmarks.mario_ai.tracks_2010 import DECEMBER, EVOSTAR, SUMMER

__all__ = ["BENCHMARKS"]

BENCHMARKS = (ICE, CIG, EVOSTAR, SUMMER, DECEMBER, *LEARNING_TRACKS, GAMEPLAY_LUDUS)
