"""The benchmarks of the worm: trainings under ``nematode/``, finished brains under ``worm/``."""

from __future__ import annotations

from ludus.benchmarks.nematode.crowds import CROWDS
from ludus.benchmarks.nematode.held_out import HELD_OUT
from ludus.benchmarks.nematode.trainings import TRAININGS

__all__ = ["BENCHMARKS"]

BENCHMARKS = (*TRAININGS, *HELD_OUT, *CROWDS)
